/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * devx-port-event: opens a DEVX context, makes an object, subscribes to port
 * changes, has the port taken down and up, and reads both events with their
 * cookie. For any ConnectX; what takes the port down and up is a command given
 * by --trigger, or a person.
 *
 * Exit status: 0 both events came, 1 not, 77 this device cannot do it.
 */
#include <errno.h>
#include <getopt.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SKIP		77

#define CMD_ALLOC_PD	0x800
#define EVENT_PORT	0x9
#define PORT_DOWN	1
#define PORT_ACTIVE	4
#define PORT_INIT	5
#define COOKIE		UINT64_C(0x50f7c0de0badcafe)

/* An event queue entry: where its parts are. */
#define EQE_SIZE	64
#define EQE_TYPE	1
#define EQE_SUB_TYPE	3
#define EQE_DATA	32
#define EQE_DATA_PORT	8	/* number in the upper half */

struct request {
	const char *device;
	const char *trigger;
	unsigned int port;
	unsigned int timeout_s;
};

struct devx {
	struct ibv_context *ctx;
	struct mlx5dv_devx_obj *pd;
	struct mlx5dv_devx_event_channel *channel;
};

static int fail(const char *what)
{
	fprintf(stderr, "devx-port-event: %s: %s\n", what, strerror(errno));
	return 1;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static struct ibv_device *find_device(struct ibv_device **list,
				      const char *name)
{
	for (; *list; list++)
		if (!name || !strcmp(ibv_get_device_name(*list), name))
			return *list;
	return NULL;
}

/* 0, or the exit status. */
static int open_device(struct devx *devx, const struct request *req)
{
	struct mlx5dv_context_attr attr = {
		.flags = MLX5DV_CONTEXT_FLAGS_DEVX,
	};
	struct ibv_device **list, *device;
	int ret = 0;

	list = ibv_get_device_list(NULL);
	if (!list)
		return fail("cannot list the HCAs");
	device = find_device(list, req->device);
	if (!device) {
		fprintf(stderr, "devx-port-event: there is no HCA %s\n",
			req->device ? req->device : "here");
		ret = req->device ? 1 : SKIP;
	} else if (!mlx5dv_is_supported(device)) {
		fprintf(stderr, "devx-port-event: %s is no mlx5 device\n",
			ibv_get_device_name(device));
		ret = SKIP;
	} else {
		devx->ctx = mlx5dv_open_device(device, &attr);
		if (!devx->ctx) {
			ret = errno == EOPNOTSUPP || errno == EPERM ? SKIP : 1;
			fail("no DEVX context (it takes CAP_NET_RAW)");
		}
	}
	ibv_free_device_list(list);
	return ret;
}

/* A command's first 16 bits are the opcode, its answer's third word the
 * object's number.
 */
static int make_object(struct devx *devx)
{
	uint8_t in[16] = { CMD_ALLOC_PD >> 8, CMD_ALLOC_PD & 0xff };
	uint8_t out[16] = { 0 };

	devx->pd = mlx5dv_devx_obj_create(devx->ctx, in, sizeof(in), out,
					  sizeof(out));
	if (!devx->pd) {
		fprintf(stderr,
			"devx-port-event: ALLOC_PD was answered with status 0x%x syndrome 0x%x\n",
			out[0],
			(unsigned int)out[4] << 24 | (unsigned int)out[5] << 16 |
			(unsigned int)out[6] << 8 | out[7]);
		return fail("no object");
	}
	printf("object: protection domain 0x%x made by DEVX\n",
	       (unsigned int)out[9] << 16 | (unsigned int)out[10] << 8 | out[11]);
	return 0;
}

static int subscribe(struct devx *devx)
{
	uint16_t events[] = { EVENT_PORT };

	devx->channel = mlx5dv_devx_create_event_channel(devx->ctx, 0);
	if (!devx->channel)
		return fail("no event channel");
	if (mlx5dv_devx_subscribe_devx_event(devx->channel, NULL,
					     sizeof(events), events, COOKIE))
		return fail("cannot subscribe to port changes");
	printf("subscribed: event type 0x%x with cookie 0x%" PRIx64 "\n",
	       EVENT_PORT, COOKIE);
	return 0;
}

static void close_device(struct devx *devx)
{
	if (devx->channel)
		mlx5dv_devx_destroy_event_channel(devx->channel);
	if (devx->pd)
		mlx5dv_devx_obj_destroy(devx->pd);
	if (devx->ctx)
		ibv_close_device(devx->ctx);
}

static const char *sub_type_name(uint8_t sub_type)
{
	switch (sub_type) {
	case PORT_DOWN:
		return "down";
	case PORT_ACTIVE:
		return "active";
	case PORT_INIT:
		return "initialized";
	default:
		return "other";
	}
}

struct seen {
	bool down, up, wrong;
};

/* One event from the channel, noted in @seen. 0, or 1 after a message. */
static int read_event(struct devx *devx, const struct request *req,
		      struct seen *seen)
{
	union {
		struct mlx5dv_devx_async_event_hdr hdr;
		uint8_t bytes[sizeof(struct mlx5dv_devx_async_event_hdr) +
			      EQE_SIZE];
	} event;
	const uint8_t *eqe = event.bytes + sizeof(event.hdr);
	unsigned int port, sub_type;
	ssize_t n;

	memset(&event, 0, sizeof(event));
	n = mlx5dv_devx_get_event(devx->channel, &event.hdr, sizeof(event));
	if (n < 0)
		return fail("cannot read the event");
	if ((size_t)n < sizeof(event)) {
		fprintf(stderr, "devx-port-event: an event of %zd bytes\n", n);
		return 1;
	}
	sub_type = eqe[EQE_SUB_TYPE];
	port = eqe[EQE_DATA + EQE_DATA_PORT] >> 4;
	printf("event: cookie 0x%" PRIx64 " type 0x%x sub-type 0x%x (%s) port %u\n",
	       (uint64_t)event.hdr.cookie, eqe[EQE_TYPE], sub_type,
	       sub_type_name((uint8_t)sub_type), port);
	fflush(stdout);

	if (event.hdr.cookie != COOKIE || eqe[EQE_TYPE] != EVENT_PORT) {
		fprintf(stderr, "devx-port-event: this was not subscribed to\n");
		seen->wrong = true;
	}
	if (port != req->port)
		return 0;
	/* Up counts only once it has been down. */
	if (sub_type == PORT_DOWN)
		seen->down = true;
	if (seen->down && (sub_type == PORT_INIT || sub_type == PORT_ACTIVE))
		seen->up = true;
	return 0;
}

static int wait_events(struct devx *devx, const struct request *req)
{
	int64_t deadline = now_ms() + (int64_t)req->timeout_s * 1000;
	struct pollfd pfd = { .fd = devx->channel->fd, .events = POLLIN };
	struct seen seen = { false, false, false };

	while (!(seen.down && seen.up)) {
		int64_t left = deadline - now_ms();
		int n = left > 0 ? poll(&pfd, 1, (int)left) : 0;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail("cannot wait for events");
		if (!n) {
			fprintf(stderr,
				"devx-port-event: no event within %u s that port %u went %s\n",
				req->timeout_s, req->port,
				seen.down ? "up again" : "down");
			return 1;
		}
		if (read_event(devx, req, &seen))
			return 1;
	}
	return seen.wrong;
}

/* The trigger runs beside us: events are read while they come. */
static pid_t start_trigger(const char *trigger)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid)
		return pid;
	execl("/bin/sh", "sh", "-c", trigger, (char *)NULL);
	_exit(127);
}

static int end_trigger(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) < 0)
		return fail("cannot wait for the trigger");
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	fprintf(stderr, "devx-port-event: the trigger failed\n");
	return 1;
}

static int watch(struct devx *devx, const struct request *req)
{
	pid_t pid;
	int ret;

	if (!req->trigger) {
		printf("now take port %u down and up (%u s)\n", req->port,
		       req->timeout_s);
		fflush(stdout);
		return wait_events(devx, req);
	}
	printf("trigger: %s\n", req->trigger);
	pid = start_trigger(req->trigger);
	if (pid < 0)
		return fail("cannot run the trigger");
	ret = wait_events(devx, req);
	return end_trigger(pid) || ret;
}

static void usage(FILE *to)
{
	fputs("Usage: devx-port-event [--device NAME] [--port N] [--trigger COMMAND] [--timeout SECONDS]\n"
	      "Reads the DEVX events of a port that goes down and up. The device is that of\n"
	      "$SOFTHCA_TEST_DEVICE, or the first; COMMAND is run by the shell.\n", to);
}

static bool number(const char *text, unsigned int *value)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	*value = (unsigned int)n;
	return end != text && !*end && n && n <= 3600;
}

/* 0, or 2 after a message. */
static int parse(struct request *req, int argc, char **argv)
{
	static const struct option options[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "port", required_argument, NULL, 'i' },
		{ "trigger", required_argument, NULL, 'x' },
		{ "timeout", required_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	bool good = true;
	int c;

	while (good && (c = getopt_long(argc, argv, "d:i:x:t:h", options,
					NULL)) != -1) {
		if (c == 'd')
			req->device = optarg;
		else if (c == 'x')
			req->trigger = optarg;
		else if (c == 'i')
			good = number(optarg, &req->port);
		else if (c == 't')
			good = number(optarg, &req->timeout_s);
		else if (c == 'h') {
			usage(stdout);
			exit(0);
		} else {
			good = false;
		}
	}
	if (good && optind == argc)
		return 0;
	usage(stderr);
	return 2;
}

int main(int argc, char **argv)
{
	struct request req = {
		.device = getenv("SOFTHCA_TEST_DEVICE"),
		.port = 1,
		.timeout_s = 30,
	};
	struct devx devx = { NULL, NULL, NULL };
	int ret;

	ret = parse(&req, argc, argv);
	if (ret)
		return ret;
	ret = open_device(&devx, &req);
	if (!ret)
		printf("device: %s opened with DEVX\n",
		       ibv_get_device_name(devx.ctx->device));
	if (!ret)
		ret = make_object(&devx);
	if (!ret)
		ret = subscribe(&devx);
	if (!ret)
		ret = watch(&devx, &req);
	close_device(&devx);
	return ret;
}
