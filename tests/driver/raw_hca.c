// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "raw_hca.h"

#define ISEG_CMDQ_HIGH	0x10
#define ISEG_CMDQ_LOW	0x14	/* address in bits 31:12, size in bits 7:0 */
#define ISEG_DOORBELL	0x18
#define ANSWER_MS	5000

/* Where things are in the memory that the function reaches. */
#define IN_OFF		0x4000
#define OUT_OFF		0x8000
#define BLOCK_STRIDE	0x400	/* blocks are aligned to 512 bytes */

_Static_assert(sizeof(struct raw_entry) == 64, "an entry has 64 bytes");
_Static_assert(sizeof(struct raw_block) == 576, "a block has 576 bytes");

static volatile uint32_t *word(const struct raw_hca *hca, size_t off)
{
	return (volatile uint32_t *)(void *)(hca->bar + off);
}

static uint64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000 + (uint64_t)ts.tv_nsec / 1000;
}

static int bar_length(const char *pci, size_t *len)
{
	char path[128];
	struct stat st;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource0", pci);
	if (stat(path, &st)) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return -1;
	}
	*len = (size_t)st.st_size;
	return 0;
}

static int map(struct raw_hca *hca)
{
	uint64_t where[2];

	if (read(hca->fd, where, sizeof(where)) != sizeof(where))
		return -1;
	hca->bus = where[0];
	hca->memory_len = where[1];
	hca->bar = mmap(NULL, hca->bar_len, PROT_READ | PROT_WRITE, MAP_SHARED,
			hca->fd, 0);
	if (hca->bar == MAP_FAILED)
		return -1;
	hca->memory = mmap(NULL, hca->memory_len, PROT_READ | PROT_WRITE,
			   MAP_SHARED, hca->fd, (off_t)hca->bar_len);
	if (hca->memory == MAP_FAILED) {
		munmap(hca->bar, hca->bar_len);
		return -1;
	}
	return 0;
}

int raw_open(struct raw_hca *hca, const char *pci)
{
	char path[128];

	memset(hca, 0, sizeof(*hca));
	if (bar_length(pci, &hca->bar_len))
		return -1;
	snprintf(path, sizeof(path), "/dev/softhca-raw-%s", pci);
	hca->fd = open(path, O_RDWR | O_CLOEXEC);
	if (hca->fd < 0 || map(hca)) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		if (hca->fd >= 0)
			close(hca->fd);
		return -1;
	}
	hca->queue = (void *)hca->memory;
	hca->in = (void *)(hca->memory + IN_OFF);
	hca->out = (void *)(hca->memory + OUT_OFF);
	return 0;
}

void raw_close(struct raw_hca *hca)
{
	munmap(hca->memory, hca->memory_len);
	munmap(hca->bar, hca->bar_len);
	close(hca->fd);
}

int raw_start(struct raw_hca *hca)
{
	uint64_t until = now_us() + ANSWER_MS * 1000;
	uint32_t low;

	memset(hca->memory, 0, hca->memory_len);
	hca->sign = false;
	*word(hca, ISEG_CMDQ_HIGH) = htobe32((uint32_t)(hca->bus >> 32));
	*word(hca, ISEG_CMDQ_LOW) = htobe32((uint32_t)hca->bus);
	do {
		low = be32toh(*word(hca, ISEG_CMDQ_LOW));
		if (low & 0xff)
			return 0;
		usleep(100);
	} while (now_us() < until);
	return -1;
}

uint64_t raw_bus(const struct raw_hca *hca, const void *p)
{
	return hca->bus + (uint64_t)((const uint8_t *)p - hca->memory);
}

void raw_store16(void *p, size_t off, uint16_t v)
{
	v = htobe16(v);
	memcpy((uint8_t *)p + off, &v, sizeof(v));
}

void raw_store32(void *p, size_t off, uint32_t v)
{
	v = htobe32(v);
	memcpy((uint8_t *)p + off, &v, sizeof(v));
}

uint32_t raw_load32(const void *p, size_t off)
{
	uint32_t v;

	memcpy(&v, (const uint8_t *)p + off, sizeof(v));
	return be32toh(v);
}

static uint8_t xor_of(const void *p, size_t len)
{
	const uint8_t *byte = p;
	uint8_t sum = 0;

	while (len--)
		sum ^= *byte++;
	return sum;
}

void raw_sign(struct raw_entry *entry)
{
	entry->sig = 0;
	/* The function checks the entry as it was handed over. */
	entry->sig = (uint8_t)~(xor_of(entry, sizeof(*entry)) ^
				(entry->status_own ^ RAW_OWNER_HW));
}

void raw_sign_block(struct raw_block *block)
{
	const uint8_t *ctrl = block->reserved1;

	block->ctrl_sig = 0;
	block->sig = 0;
	block->ctrl_sig = (uint8_t)~xor_of(ctrl, sizeof(*block) -
					   sizeof(block->data) - 1);
	block->sig = (uint8_t)~xor_of(block, sizeof(*block));
}

static struct raw_block *block_of(struct raw_block *first, unsigned int i)
{
	return (void *)((uint8_t *)first + i * (size_t)BLOCK_STRIDE);
}

/* Chains blocks for what of the message the entry has no room for. */
static uint64_t chain(struct raw_hca *hca, struct raw_block *first,
		      const uint8_t *data, uint32_t len)
{
	uint32_t off = sizeof(((struct raw_entry *)0)->in);
	struct raw_block *block = first;
	unsigned int i;

	for (i = 0; i < RAW_BLOCKS && off < len; i++, off += sizeof(block->data)) {
		uint32_t n = len - off;

		if (n > sizeof(block->data))
			n = sizeof(block->data);
		block = block_of(first, i);
		memset(block, 0, sizeof(*block));
		if (data)
			memcpy(block->data, data + off, n);
		block->num = htobe32(i);
		block->token = hca->token;
		if (off + n < len)
			block->next = htobe64(raw_bus(hca, block_of(first, i + 1)));
		raw_sign_block(block);
	}
	return i ? htobe64(raw_bus(hca, first)) : 0;
}

static uint32_t inline_part(uint32_t len)
{
	return len < 16 ? len : 16;
}

struct raw_entry *raw_prepare(struct raw_hca *hca, const struct raw_cmd *cmd)
{
	struct raw_entry *entry = hca->queue;

	hca->token++;
	memset(entry, 0, sizeof(*entry));
	entry->type = RAW_ENTRY_TYPE;
	entry->token = hca->token;
	entry->inlen = htobe32(cmd->inlen);
	entry->outlen = htobe32(cmd->outlen);
	memcpy(entry->in, cmd->in, inline_part(cmd->inlen));
	entry->in_ptr = chain(hca, hca->in, cmd->in, cmd->inlen);
	entry->out_ptr = chain(hca, hca->out, NULL, cmd->outlen);
	if (hca->sign)
		raw_sign(entry);
	return entry;
}

void raw_ring(struct raw_hca *hca)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&hca->queue->status_own, RAW_OWNER_HW, __ATOMIC_SEQ_CST);
	*word(hca, ISEG_DOORBELL) = htobe32(1);
}

int raw_wait(struct raw_hca *hca, unsigned int ms)
{
	uint64_t until = now_us() + ms * 1000ULL;
	uint8_t own;

	do {
		own = __atomic_load_n(&hca->queue->status_own, __ATOMIC_ACQUIRE);
		if (!(own & RAW_OWNER_HW))
			return own >> 1;
	} while (now_us() < until);
	return -1;
}

void raw_answer(struct raw_hca *hca, const struct raw_cmd *cmd)
{
	uint32_t off = inline_part(cmd->outlen), n;
	unsigned int i;

	memcpy(cmd->out, hca->queue->out, off);
	for (i = 0; off < cmd->outlen; i++, off += n) {
		n = cmd->outlen - off;
		if (n > sizeof(hca->out->data))
			n = sizeof(hca->out->data);
		memcpy((uint8_t *)cmd->out + off, block_of(hca->out, i)->data, n);
	}
}

int raw_command(struct raw_hca *hca, const struct raw_cmd *cmd)
{
	raw_prepare(hca, cmd);
	raw_ring(hca);
	if (raw_wait(hca, ANSWER_MS))
		return -1;
	raw_answer(hca, cmd);
	return *(uint8_t *)cmd->out;
}
