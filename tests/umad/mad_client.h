/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * A small client of /dev/infiniband/umadN for the tests: one port, one agent,
 * MADs of 256 bytes.
 */
#ifndef TESTS_UMAD_MAD_CLIENT_H
#define TESTS_UMAD_MAD_CLIENT_H

#include <stddef.h>
#include <stdint.h>
#include <infiniband/umad.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_types.h>

#define MAD_SIZE	256
#define MAD_TIMEOUT_MS	2000

/* What came back, when it is not a MAD status. */
#define MAD_TIMED_OUT	(-110)

struct mad_client {
	int fd;
	int agent;
	uint8_t mgmt_class;
	void *umad;		/* header and MAD, used by send and receive */
};

/* The HCA and its port from the environment (SOFTHCA_TEST_DEVICE,
 * SOFTHCA_TEST_PORT); NULL and 1 when it says nothing.
 */
const char *mad_test_device(void);
int mad_test_port(void);

/* 0, or a negative errno with the cause on standard error. */
int mad_open(struct mad_client *client, const char *device, int port,
	     uint8_t mgmt_class);
void mad_close(struct mad_client *client);

/* A directed-route SMP of @hops hops, each out of the port in @path (from
 * path[1] on); NULL: out of port 1 each time.
 */
void mad_smp_init(struct umad_smp *smp, uint8_t method, uint16_t attr,
		  uint32_t mod, unsigned int hops, const uint8_t *path);

int mad_send(struct mad_client *client, const void *mad, int timeout_ms,
	     int retries);
/* Waits up to @wait_ms. 0 with the MAD in @mad; MAD_TIMED_OUT with its header
 * when the kernel gave a request up; another negative errno when nothing came.
 */
int mad_receive(struct mad_client *client, void *mad, int wait_ms);
/* Sends and receives: the MAD status (without a direction bit) and the answer
 * in @mad, MAD_TIMED_OUT, or a negative errno.
 */
int mad_call(struct mad_client *client, void *mad);

#endif
