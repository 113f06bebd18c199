// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Asks a node for its NodeInfo by one directed-route SMP and prints the answer
 * in a line: the HCA itself, or with --hops 1 its neighbour on the cable.
 */
#include <endian.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mad_client.h"

static const struct option options[] = {
	{ "device", required_argument, NULL, 'd' },
	{ "port", required_argument, NULL, 'p' },
	{ "hops", required_argument, NULL, 'n' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 }
};

static void usage(FILE *to)
{
	fputs("Usage: umad-nodeinfo [--device NAME] [--port N] [--hops N]\n"
	      "Asks for NodeInfo through /dev/infiniband/umadN. --hops 0 (the default) asks the HCA\n"
	      "itself, --hops 1 the node at the other end of its cable.\n", to);
}

/* A number from 0 to @max, or the end of the program. */
static unsigned int number(const char *name, const char *text,
			   unsigned int max)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || end == text || *end || value > max) {
		fprintf(stderr, "--%s needs a number from 0 to %u, not '%s'\n",
			name, max, text);
		exit(2);
	}
	return (unsigned int)value;
}

static uint64_t be64_at(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return be64toh(value);
}

static const char *node_type(uint8_t type)
{
	switch (type) {
	case 1:
		return "channel adapter";
	case 2:
		return "switch";
	case 3:
		return "router";
	default:
		return "node of unknown type";
	}
}

/* NodeInfo: type at byte 2, ports 3, system GUID 4, node GUID 12, port GUID 20,
 * device 30, local port 36, vendor 37.
 */
static void print_node(const char *device, unsigned int port,
		       unsigned int hops, const uint8_t *info)
{
	printf("%s port %u, %u hops: %s, %u port%s, node GUID 0x%016" PRIx64
	       ", port GUID 0x%016" PRIx64 ", vendor 0x%02x%02x%02x device %u, answered by port %u\n",
	       device, port, hops, node_type(info[2]), info[3],
	       info[3] == 1 ? "" : "s", be64_at(info + 12),
	       be64_at(info + 20), info[37], info[38], info[39],
	       (unsigned int)(info[30] << 8 | info[31]), info[36]);
}

static int ask(const char *device, unsigned int port, unsigned int hops)
{
	uint8_t path[UMAD_SMP_MAX_HOPS];
	struct mad_client client;
	struct umad_smp smp;
	int status;

	memset(path, 1, sizeof(path));
	path[1] = (uint8_t)port;
	if (mad_open(&client, device, (int)port,
		     UMAD_CLASS_SUBN_DIRECTED_ROUTE))
		return 1;
	mad_smp_init(&smp, UMAD_METHOD_GET, UMAD_SM_ATTR_NODE_INFO, 0, hops,
		     path);
	status = mad_call(&client, &smp);
	mad_close(&client);
	if (!status) {
		print_node(device, port, hops, smp.data);
		return 0;
	}
	if (status > 0)
		fprintf(stderr, "%s port %u, %u hops: answered with MAD status 0x%x\n",
			device, port, hops, (unsigned int)status);
	else
		fprintf(stderr, "%s port %u, %u hops: no answer: %s\n",
			device, port, hops, strerror(-status));
	return 1;
}

int main(int argc, char **argv)
{
	const char *device = mad_test_device();
	unsigned int port = (unsigned int)mad_test_port(), hops = 0;
	int opt;

	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (opt) {
		case 'd':
			device = optarg;
			break;
		case 'p':
			port = number("port", optarg, 254);
			break;
		case 'n':
			hops = number("hops", optarg, UMAD_SMP_MAX_HOPS - 1);
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	}
	if (optind < argc || !device) {
		if (!device)
			fputs("name an HCA with --device (ibstat -l lists them)\n",
			      stderr);
		usage(stderr);
		return 2;
	}
	return ask(device, port, hops);
}
