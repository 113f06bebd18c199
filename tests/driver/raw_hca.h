/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A function as its driver sees it, for programs that want to be the driver:
 * init segment, command queue and mailboxes, by softhca_raw.ko. Numbers and
 * layouts are those of the PRM's command interface; all multi-byte fields of
 * the device are big-endian.
 */
#ifndef RAW_HCA_H
#define RAW_HCA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An entry of the command queue. */
struct raw_entry {
	uint8_t type;
	uint8_t reserved1[3];
	uint32_t inlen;
	uint64_t in_ptr;
	uint8_t in[16];
	uint8_t out[16];
	uint64_t out_ptr;
	uint32_t outlen;
	uint8_t token;
	uint8_t sig;
	uint8_t reserved2;
	uint8_t status_own;	/* delivery status in bits 7:1, owner in bit 0 */
};

/* A mailbox: one block of a longer request or answer. */
struct raw_block {
	uint8_t data[512];
	uint8_t reserved1[48];
	uint64_t next;
	uint32_t num;
	uint8_t reserved2;
	uint8_t token;
	uint8_t ctrl_sig;
	uint8_t sig;
};

enum {
	RAW_ENTRY_TYPE = 7,
	RAW_OWNER_HW = 1,

	RAW_ENABLE_HCA = 0x104,
	RAW_DISABLE_HCA = 0x105,
	RAW_INIT_HCA = 0x102,
	RAW_QUERY_HCA_CAP = 0x100,
	RAW_QUERY_ADAPTER = 0x101,
	RAW_SET_HCA_CAP = 0x109,
	RAW_ALLOC_PD = 0x800,
	RAW_DEALLOC_PD = 0x801,
	RAW_NOP = 0x80d,
	RAW_CREATE_UCTX = 0xa04,
};

#define RAW_BLOCKS	16	/* for requests, and as many for answers */

struct raw_hca {
	int fd;
	uint8_t *bar;
	size_t bar_len;
	uint8_t *memory;
	size_t memory_len;
	uint64_t bus;		/* address of @memory for the function */
	struct raw_entry *queue;
	struct raw_block *in, *out;	/* RAW_BLOCKS each, chained */
	uint8_t token;
	bool sign;
};

/* A command and what became of it. @in and @out are whole messages. */
struct raw_cmd {
	const void *in;
	uint32_t inlen;
	void *out;
	uint32_t outlen;
};

/* Opens the node of softhca_raw and maps the function. @pci: its address. A
 * message on stderr and -1 on failure.
 */
int raw_open(struct raw_hca *hca, const char *pci);
void raw_close(struct raw_hca *hca);

/* Tells the function where the queue is, as after its reset; waits until the
 * init segment gives the size of the queue back. -1 when it never does.
 */
int raw_start(struct raw_hca *hca);

/* Bus address of something in hca->memory. */
uint64_t raw_bus(const struct raw_hca *hca, const void *p);

void raw_store16(void *p, size_t off, uint16_t v);
void raw_store32(void *p, size_t off, uint32_t v);
uint32_t raw_load32(const void *p, size_t off);

/* Writes the command into slot 0 and its mailboxes; not handed over yet, so
 * that the caller can spoil it.
 */
struct raw_entry *raw_prepare(struct raw_hca *hca, const struct raw_cmd *cmd);
void raw_sign(struct raw_entry *entry);
void raw_sign_block(struct raw_block *block);
/* Hands slot 0 over and rings. */
void raw_ring(struct raw_hca *hca);
/* The delivery status, or -1 when nothing has come back after @ms. */
int raw_wait(struct raw_hca *hca, unsigned int ms);
/* Copies the answer out of the entry and its mailboxes. */
void raw_answer(struct raw_hca *hca, const struct raw_cmd *cmd);

/* All of it: the command's status, or -1 when it was not delivered or not
 * answered in 5 s.
 */
int raw_command(struct raw_hca *hca, const struct raw_cmd *cmd);

#endif
