/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pci: the slot a function sits in. Knows nothing of mlx5.
 *
 * Gives a function its place on a virtual bus: configuration space, a BAR made
 * of memory that both the driver and the device see, MSI-X vectors, and the one
 * gate through which the device reaches the driver's memory.
 */
#ifndef SHCA_PCI_H
#define SHCA_PCI_H

#include <linux/io.h>
#include <linux/types.h>
#include "base/base.h"

/* BAR0 of a function: below 64 KiB the init segment with the MSI-X table and
 * its pending bits inside, where ConnectX cards have them; UAR pages above.
 */
#define SHCA_BAR_SIZE		0x200000
#define SHCA_BAR_MSIX_TABLE	0x2000
#define SHCA_BAR_MSIX_PBA	0x3000
#define SHCA_BAR_UAR		0x10000
#define SHCA_MSIX_VECTORS	64

struct shca_pci_id {
	u16 device;		/* vendor is 15b3 */
	u16 subsystem;
	u8 revision;
	u8 link_speed;		/* PCI_EXP_LNKCAP_SLS_* */
	u8 link_width;
	const char *vpd_name;	/* product name in VPD */
	const char *vpd_part;	/* part number in VPD */
	const char *serial;	/* serial number in VPD */
};

/* @backing_gone: the memory behind the BARs is being taken away; every card
 * must be off the bus when it returns. May sleep.
 */
int shca_pci_init(void (*backing_gone)(void));
void shca_pci_exit(void);
/* What is missing for a card, in words for a user; NULL when nothing is. */
const char *shca_pci_missing(void);

/* A place on the bus and its BAR memory; nothing is visible yet. */
int shca_pci_add(struct shca_card *card, const struct shca_pci_id *id);
void shca_pci_del(struct shca_card *card);

/* Root port and functions appear; drivers are probed before this returns. */
int shca_pci_plug(struct shca_card *card);
/* Takes them off. With @surprise the card is gone before the driver is told.
 * When it returns no driver is bound and nothing is mapped.
 */
void shca_pci_unplug(struct shca_card *card, bool surprise);

/* BAR0, uncached like the driver's own mapping. */
void __iomem *shca_bar(struct shca_fn *fn);

/* "0000:..." address, for people. */
const char *shca_pci_name(struct shca_fn *fn);

/*
 * One message of vector @vec: exactly one run of its handler per call. Any
 * context. While the vector or the function is masked the message is
 * remembered, and delivered once at unmask. -EINVAL for a vector that does not
 * exist, -ENODEV while MSI-X or bus mastering is off.
 */
int shca_irq_raise(struct shca_fn *fn, unsigned int vec);
/* Waits until the handlers of all messages raised so far have returned.
 * -ETIMEDOUT; -EBUSY when the vector is masked. May sleep.
 */
int shca_irq_wait(struct shca_fn *fn, unsigned int vec, unsigned int timeout_ms);

/*
 * The gate to the driver's memory. A bus address is good while the driver has
 * it mapped, in a direction that allows the access, and the function is allowed
 * to master the bus. All or nothing: with -EFAULT (not mapped) or -EACCES (DMA
 * not allowed now) the destination of a read is untouched or zeroed, and a
 * write may have been done only up to the refused page. Any context but NMI.
 */
int shca_dma_read(struct shca_fn *fn, u64 addr, void *dst, size_t len);
int shca_dma_write(struct shca_fn *fn, u64 addr, const void *src, size_t len);
/* From the memory of one function to that of another, or of the same; both may
 * even be the same bytes. *src_failed tells which side an error is of.
 */
int shca_dma_copy(struct shca_fn *src_fn, u64 src, struct shca_fn *dst_fn,
		  u64 dst, size_t len, bool *src_failed);
/* 32 and 64 bit words that the driver may write at the same time; addr is
 * naturally aligned.
 */
int shca_dma_read32(struct shca_fn *fn, u64 addr, __be32 *val);
int shca_dma_read64(struct shca_fn *fn, u64 addr, __be64 *val);
int shca_dma_write32(struct shca_fn *fn, u64 addr, __be32 val);
/* Write @len bytes, then, ordered after them, the last one (ownership). */
int shca_dma_write_owned(struct shca_fn *fn, u64 addr, const void *src,
			 size_t len);
/* Is every byte of the range mapped now? For checks at object creation. */
bool shca_dma_mapped(struct shca_fn *fn, u64 addr, u64 len);
/* The firmware's word: false between DISABLE_HCA and the next start. */
void shca_dma_allow(struct shca_fn *fn, bool allow);
/* Accesses refused so far because nothing was mapped there. */
u64 shca_dma_faults(struct shca_fn *fn);

#endif
