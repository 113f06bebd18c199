/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All differences between the kernels that softhca is built for.
 */
#ifndef SHCA_COMPAT_H
#define SHCA_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/kconfig.h>
#include <linux/version.h>

/* 6.10: __assign_str() takes the field only. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
#define shca_assign_str(field, src)	\
	do { (void)(src); __assign_str(field); } while (0)
#else
#define shca_assign_str(field, src)	__assign_str(field, src)
#endif

/* 6.11: the option that lets a module set DMA operations got a new name. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define SHCA_HAS_DMA_OPS	IS_ENABLED(CONFIG_ARCH_HAS_DMA_OPS)
#else
#define SHCA_HAS_DMA_OPS	IS_ENABLED(CONFIG_DMA_OPS)
#endif

/* 6.13: a timer and its function are set up together. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#define shca_hrtimer_setup(timer, fn, clock, mode)	\
	hrtimer_setup(timer, fn, clock, mode)
#else
static inline void
shca_hrtimer_setup(struct hrtimer *timer,
		   enum hrtimer_restart (*fn)(struct hrtimer *timer),
		   clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
}
#endif

/* 6.19: DMA operations map physical addresses instead of pages. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 19, 0)
#define SHCA_DMA_MAP_PHYS
#endif

/* 6.17: PCI/MSI domains without a parent are gone; a host bridge is the parent
 * of domains that each device makes for itself.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 17, 0)
#define SHCA_MSI_PARENT_DOMAINS
#endif

#endif
