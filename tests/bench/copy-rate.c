/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * copy-rate BYTES: how fast one process hands messages of that size to another
 * one, by a copy into memory that both see; in 10^6 bytes a second. What an HCA
 * without any cost of its own would reach.
 */
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MESSAGES	200

struct shared {
	sem_t full, empty;
	uint8_t data[];
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void receive(struct shared *sh)
{
	unsigned int i;

	for (i = 0; i < MESSAGES; i++) {
		sem_wait(&sh->full);
		sem_post(&sh->empty);
	}
}

static double send_all(struct shared *sh, const uint8_t *from, size_t size)
{
	double began = now();
	unsigned int i;

	for (i = 0; i < MESSAGES; i++) {
		sem_wait(&sh->empty);
		memcpy(sh->data, from, size);
		sem_post(&sh->full);
	}
	wait(NULL);
	return now() - began;
}

int main(int argc, char **argv)
{
	size_t size = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	struct shared *sh;
	uint8_t *from;

	if (!size || size > (1UL << 30)) {
		fprintf(stderr, "Usage: copy-rate BYTES\n");
		return 2;
	}
	sh = mmap(NULL, sizeof(*sh) + size, PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	from = malloc(size);
	if (sh == MAP_FAILED || !from)
		return 1;
	memset(from, 1, size);
	sem_init(&sh->full, 1, 0);
	sem_init(&sh->empty, 1, 1);
	switch (fork()) {
	case -1:
		return 1;
	case 0:
		receive(sh);
		_exit(0);
	}
	printf("%.0f\n", (double)MESSAGES * (double)size / 1e6 /
	       send_all(sh, from, size));
	return 0;
}
