/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * command-storm DEVICE THREADS ROUNDS: many threads make and destroy protection
 * domains of one device at once. Each is a command whose answer is a number
 * that nobody else may have at the time: an answer that came before its command
 * was executed, or that belongs to another one, is found out.
 *
 * Exit status: 0 when all went well, 1 when not, 2 for wrong usage.
 */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MAX	256
#define BATCH		4
#define PDS		(1 << 24)

struct storm {
	struct ibv_context *ctx;
	unsigned int rounds;
	atomic_uchar *taken;	/* by number of the protection domain */
	atomic_uint commands, wrong;
};

static void complain(struct storm *storm, const char *what, uint32_t pdn)
{
	if (!atomic_fetch_add(&storm->wrong, 1))
		fprintf(stderr, "command-storm: %s, number 0x%x: %s\n", what,
			pdn, strerror(errno));
}

static struct ibv_pd *make(struct storm *storm, uint32_t *pdn)
{
	struct mlx5dv_pd out = {};
	struct mlx5dv_obj obj = { .pd.out = &out };

	obj.pd.in = ibv_alloc_pd(storm->ctx);
	if (!obj.pd.in || mlx5dv_init_obj(&obj, MLX5DV_OBJ_PD)) {
		complain(storm, "no protection domain", 0);
		return obj.pd.in;
	}
	*pdn = out.pdn % PDS;
	atomic_fetch_add(&storm->commands, 1);
	if (atomic_exchange(&storm->taken[*pdn], 1))
		complain(storm, "a protection domain that is another's", *pdn);
	return obj.pd.in;
}

static void destroy(struct storm *storm, struct ibv_pd *pd, uint32_t pdn)
{
	if (!pd)
		return;
	/* Before the command: its number is free as soon as it is executed. */
	atomic_store(&storm->taken[pdn], 0);
	if (ibv_dealloc_pd(pd))
		complain(storm, "cannot destroy", pdn);
	atomic_fetch_add(&storm->commands, 1);
}

static void *run(void *arg)
{
	struct ibv_pd *pd[BATCH];
	struct storm *storm = arg;
	uint32_t pdn[BATCH] = {};
	unsigned int round, i;

	for (round = 0; round < storm->rounds; round++) {
		for (i = 0; i < BATCH; i++)
			pd[i] = make(storm, &pdn[i]);
		for (i = 0; i < BATCH; i++)
			destroy(storm, pd[i], pdn[i]);
	}
	return NULL;
}

static struct ibv_context *open_device(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = NULL;
	unsigned int i;

	for (i = 0; list && list[i] && !ctx; i++)
		if (!strcmp(ibv_get_device_name(list[i]), name))
			ctx = ibv_open_device(list[i]);
	if (list)
		ibv_free_device_list(list);
	if (!ctx)
		fprintf(stderr, "command-storm: cannot open '%s'\n", name);
	return ctx;
}

static bool run_all(struct storm *storm, unsigned int n)
{
	pthread_t thread[THREADS_MAX];
	unsigned int i, started;

	for (started = 0; started < n; started++)
		if (pthread_create(&thread[started], NULL, run, storm))
			break;
	for (i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	return started == n;
}

static unsigned int number(const char *text, unsigned int max)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	return *end || n > max ? 0 : (unsigned int)n;
}

int main(int argc, char **argv)
{
	unsigned int threads = argc == 4 ? number(argv[2], THREADS_MAX) : 0;
	struct storm storm = {
		.rounds = argc == 4 ? number(argv[3], 1000000) : 0,
	};
	bool ok;

	if (!threads || !storm.rounds) {
		fprintf(stderr, "Usage: command-storm DEVICE THREADS ROUNDS\n");
		return 2;
	}
	storm.ctx = open_device(argv[1]);
	storm.taken = calloc(PDS, 1);
	if (!storm.ctx || !storm.taken)
		return 1;
	ok = run_all(&storm, threads) && !storm.wrong;
	printf("%u commands, %u wrong\n", storm.commands, storm.wrong);
	free(storm.taken);
	ibv_close_device(storm.ctx);
	return !ok;
}
