/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the suites of mem and engine share: a function whose driver is the
 * test. Its memory is an array, its BAR another, and the gate counts.
 */
#ifndef SHCA_MEM_FIXTURE_KUNIT_H
#define SHCA_MEM_FIXTURE_KUNIT_H

#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/sizes.h>

#include "mem/internal.h"
#include "pci/pci.h"

#define KFN_BUS		BIT_ULL(44)	/* bus address of the memory */
#define KFN_SIZE	SZ_64K

struct kfn {
	struct shca_fn fn;
	u8 *mem;
	void *bar;
	bool dma_off;		/* the gate says -EACCES */
	u64 hole;		/* a page that is not mapped, 0 for none */
	unsigned int irqs[SHCA_MSIX_VECTORS];
};

/* With the mem room set up; goes with the test. */
struct kfn *kfn_alloc(struct kunit *test);
/* Bus address and content of byte @off. */
u64 kfn_bus(u32 off);
static inline void *kfn_ptr(struct kfn *kfn, u32 off)
{
	return kfn->mem + off;
}

/* A one-page list at @off. */
void kfn_src(struct shca_buf_src *src, __be64 *pas, u32 off);
/* An MTT key over [start, start + len) that begins in the page at @off. */
void kfn_mkc(void *mkc, u32 pd, u8 key, u64 start, u64 len);

#endif
