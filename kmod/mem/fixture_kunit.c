// SPDX-License-Identifier: GPL-2.0
/*
 * A function for suites, with a gate to its driver's memory that stands for
 * pci/dma.c, pci/irq.c and pci/bar.c.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/err.h>
#include <linux/string.h>

#include "mem/fixture_kunit.h"

static struct kfn *to_kfn(struct shca_fn *fn)
{
	return container_of(fn, struct kfn, fn);
}

u64 kfn_bus(u32 off)
{
	return KFN_BUS + off;
}

static int kfn_check(struct kfn *kfn, u64 addr, u64 len)
{
	u64 hole = kfn->hole;

	if (kfn->dma_off)
		return -EACCES;
	if (addr < KFN_BUS || len > KFN_SIZE ||
	    addr - KFN_BUS > KFN_SIZE - len)
		return -EFAULT;
	if (hole && addr < hole + PAGE_SIZE && addr + len > hole)
		return -EFAULT;
	return 0;
}

static void *kfn_at(struct kfn *kfn, u64 addr)
{
	return kfn->mem + (addr - KFN_BUS);
}

int shca_dma_read(struct shca_fn *fn, u64 addr, void *dst, size_t len)
{
	int err = kfn_check(to_kfn(fn), addr, len);

	if (!err)
		memcpy(dst, kfn_at(to_kfn(fn), addr), len);
	return err;
}

int shca_dma_write(struct shca_fn *fn, u64 addr, const void *src, size_t len)
{
	int err = kfn_check(to_kfn(fn), addr, len);

	if (!err)
		memcpy(kfn_at(to_kfn(fn), addr), src, len);
	return err;
}

int shca_dma_copy(struct shca_fn *src_fn, u64 src, struct shca_fn *dst_fn,
		  u64 dst, size_t len, bool *src_failed)
{
	struct kfn *from = to_kfn(src_fn), *to = to_kfn(dst_fn);
	int err = kfn_check(from, src, len);

	*src_failed = err;
	if (!err)
		err = kfn_check(to, dst, len);
	if (!err)
		memmove(kfn_at(to, dst), kfn_at(from, src), len);
	return err;
}

int shca_dma_read32(struct shca_fn *fn, u64 addr, __be32 *val)
{
	return shca_dma_read(fn, addr, val, sizeof(*val));
}

int shca_dma_read64(struct shca_fn *fn, u64 addr, __be64 *val)
{
	return shca_dma_read(fn, addr, val, sizeof(*val));
}

int shca_dma_write32(struct shca_fn *fn, u64 addr, __be32 val)
{
	return shca_dma_write(fn, addr, &val, sizeof(val));
}

int shca_dma_write_owned(struct shca_fn *fn, u64 addr, const void *src,
			 size_t len)
{
	return shca_dma_write(fn, addr, src, len);
}

bool shca_dma_mapped(struct shca_fn *fn, u64 addr, u64 len)
{
	return !kfn_check(to_kfn(fn), addr, len);
}

int shca_irq_raise(struct shca_fn *fn, unsigned int vec)
{
	to_kfn(fn)->irqs[vec]++;
	return 0;
}

int shca_irq_wait(struct shca_fn *fn, unsigned int vec, unsigned int timeout_ms)
{
	return 0;
}

void __iomem *shca_bar(struct shca_fn *fn)
{
	return (void __iomem __force *)to_kfn(fn)->bar;
}

static void kfn_free(struct kunit_resource *res)
{
	struct kfn *kfn = res->data;

	shca_mem_fn_exit(&kfn->fn);
}

struct kfn *kfn_alloc(struct kunit *test)
{
	struct kfn *kfn = kunit_kzalloc(test, sizeof(*kfn), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, kfn);
	strscpy(kfn->fn.name, "kunit", sizeof(kfn->fn.name));
	kfn->mem = kunit_kzalloc(test, KFN_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, kfn->mem);
	kfn->bar = kunit_kzalloc(test, SHCA_BAR_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, kfn->bar);
	KUNIT_ASSERT_EQ(test, shca_mem_fn_init(&kfn->fn), 0);
	KUNIT_ASSERT_NOT_NULL(test, kunit_alloc_resource(test, NULL, kfn_free,
							 GFP_KERNEL, kfn));
	return kfn;
}

void kfn_src(struct shca_buf_src *src, __be64 *pas, u32 off)
{
	*pas = cpu_to_be64(kfn_bus(off));
	*src = (struct shca_buf_src){
		.pas = pas,
		.npas = 1,
		.page_shift = PAGE_SHIFT,
	};
}

void kfn_mkc(void *mkc, u32 pd, u8 key, u64 start, u64 len)
{
	memset(mkc, 0, MLX5_ST_SZ_BYTES(mkc));
	MLX5_SET(mkc, mkc, access_mode_1_0, MLX5_MKC_ACCESS_MODE_MTT);
	MLX5_SET(mkc, mkc, log_page_size, PAGE_SHIFT);
	MLX5_SET(mkc, mkc, pd, pd);
	MLX5_SET(mkc, mkc, mkey_7_0, key);
	MLX5_SET(mkc, mkc, lr, 1);
	MLX5_SET(mkc, mkc, lw, 1);
	MLX5_SET(mkc, mkc, umr_en, 1);
	MLX5_SET(mkc, mkc, qpn, 0xffffff);
	MLX5_SET64(mkc, mkc, start_addr, start);
	MLX5_SET64(mkc, mkc, len, len);
}
