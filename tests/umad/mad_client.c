// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * A small client of /dev/infiniband/umadN for the tests.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mad_client.h"

const char *mad_test_device(void)
{
	return getenv("SOFTHCA_TEST_DEVICE");
}

int mad_test_port(void)
{
	const char *port = getenv("SOFTHCA_TEST_PORT");

	return port && *port ? atoi(port) : 1;
}

int mad_open(struct mad_client *client, const char *device, int port,
	     uint8_t mgmt_class)
{
	client->mgmt_class = mgmt_class;
	client->fd = umad_open_port(device, port);
	if (client->fd < 0) {
		fprintf(stderr, "cannot open the umad device of %s port %d: %s\n",
			device ? device : "the first HCA", port,
			strerror(-client->fd));
		return client->fd;
	}
	client->agent = umad_register(client->fd, mgmt_class, 1, 0, NULL);
	client->umad = calloc(1, umad_size() + MAD_SIZE);
	if (client->agent < 0 || !client->umad) {
		fprintf(stderr, "cannot register management class 0x%x on %s port %d\n",
			mgmt_class, device ? device : "the first HCA", port);
		mad_close(client);
		return -EPERM;
	}
	return 0;
}

void mad_close(struct mad_client *client)
{
	free(client->umad);
	if (client->agent >= 0)
		umad_unregister(client->fd, client->agent);
	umad_close_port(client->fd);
}

void mad_smp_init(struct umad_smp *smp, uint8_t method, uint16_t attr,
		  uint32_t mod, unsigned int hops, const uint8_t *path)
{
	static uint32_t tid;
	unsigned int i;

	memset(smp, 0, sizeof(*smp));
	smp->base_version = 1;
	smp->mgmt_class = UMAD_CLASS_SUBN_DIRECTED_ROUTE;
	smp->class_version = 1;
	smp->method = method;
	smp->tid = htobe64(++tid);
	smp->attr_id = htons(attr);
	smp->attr_mod = htonl(mod);
	smp->hop_cnt = (uint8_t)hops;
	smp->dr_slid = 0xffff;
	smp->dr_dlid = 0xffff;
	for (i = 1; i <= hops && i < UMAD_SMP_MAX_HOPS; i++)
		smp->initial_path[i] = path ? path[i] : 1;
}

int mad_send(struct mad_client *client, const void *mad, int timeout_ms,
	     int retries)
{
	int err;

	memcpy(umad_get_mad(client->umad), mad, MAD_SIZE);
	umad_set_addr(client->umad, 0xffff, 0, 0, 0);
	err = umad_send(client->fd, client->agent, client->umad, MAD_SIZE,
			timeout_ms, retries);
	return err ? -errno : 0;
}

int mad_receive(struct mad_client *client, void *mad, int wait_ms)
{
	int len = MAD_SIZE, status, agent;

	memset(client->umad, 0, umad_size() + MAD_SIZE);
	agent = umad_recv(client->fd, client->umad, &len, wait_ms);
	if (agent < 0)
		return agent;
	if (agent != client->agent)
		return -EBADMSG;
	memcpy(mad, umad_get_mad(client->umad), MAD_SIZE);
	status = umad_status(client->umad);
	if (status)
		return -status;
	return len == MAD_SIZE ? 0 : -EBADMSG;
}

int mad_call(struct mad_client *client, void *mad)
{
	const struct umad_hdr *hdr = mad;
	int err;

	err = mad_send(client, mad, MAD_TIMEOUT_MS, 0);
	if (!err)
		err = mad_receive(client, mad, 2 * MAD_TIMEOUT_MS);
	if (err)
		return err;
	return ntohs(hdr->status) & ~UMAD_SMP_DIRECTION;
}
