/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the pci room share among themselves. */
#ifndef SHCA_PCI_INTERNAL_H
#define SHCA_PCI_INTERNAL_H

#include <linux/bitmap.h>
#include <linux/irq_work.h>
#include <linux/pci.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/xarray.h>

#include "pci/cfg.h"
#include "pci/pci.h"

/* Offsets of the capabilities, where ConnectX cards have them. */
#define SHCA_CAP_PM		0x40
#define SHCA_CAP_VPD		0x48
#define SHCA_CAP_EXP		0x60
#define SHCA_CAP_MSIX		0x9c
#define SHCA_CAP_VSC		0xc0
#define SHCA_CAP_VSC_LEN	0x18
#define SHCA_ECAP_AER		0x100
#define SHCA_ECAP_DSN		0x150

#define SHCA_VPD_SIZE		256

struct shca_vec {
	struct shca_slot *slot;
	unsigned int index;
	unsigned int virq;	/* 0: nobody asked for it */
	atomic_t raises;	/* messages that no handler has seen yet */
	atomic_t queued;
	atomic64_t raised, handled;
	wait_queue_head_t wait;
	struct irq_work work;
	call_single_data_t csd;
};

struct shca_slot {
	struct shca_fn *fn;
	struct shca_pci_id id;
	struct pci_dev *pdev;		/* while the device is on the bus */
	char name[32];

	raw_spinlock_t lock;		/* cfg and what follows from it */
	struct shca_cfg cfg;
	u8 vpd[SHCA_VPD_SIZE];
	u32 vsc_ticket;
	bool present;			/* answers at all */
	bool master;
	bool allowed;			/* by the firmware */

	phys_addr_t bar_phys;
	void __iomem *bar;

	struct shca_vec vec[SHCA_MSIX_VECTORS];
	DECLARE_BITMAP(pending, SHCA_MSIX_VECTORS);
	raw_spinlock_t pba_lock;

	rwlock_t map_lock;		/* writers map and unmap, readers access */
	struct xarray maps;		/* page frame to use counts */
	atomic64_t mapped;		/* pages, each mapping counted */
	atomic64_t faults;
};

struct shca_port_slot {
	struct shca_card *card;
	raw_spinlock_t lock;
	struct shca_cfg cfg;
	bool link_up;
};

/* bar.c: memory for BARs */
int shca_bar_init(void (*gone)(void));
void shca_bar_exit(void);
int shca_bar_get(struct shca_slot *slot, unsigned int index);
void shca_bar_put(struct shca_slot *slot);
/* The whole window as a bus resource; NULL while there is none. */
struct resource *shca_bar_window(void);
const char *shca_bar_missing(void);

/* caps.c: what the configuration spaces say at power-on */
void shca_caps_function(struct shca_slot *slot);
void shca_caps_port(struct shca_port_slot *port, const struct shca_pci_id *id,
		    phys_addr_t base, phys_addr_t limit);
void shca_vpd_build(u8 vpd[SHCA_VPD_SIZE], const struct shca_pci_id *id);

/* slot.c: configuration accesses to functions and root ports */
u32 shca_slot_read(struct shca_slot *slot, unsigned int where, int size);
void shca_slot_write(struct shca_slot *slot, unsigned int where, int size,
		     u32 val);
u32 shca_port_cfg_read(struct shca_port_slot *port, unsigned int where,
		       int size);
void shca_port_cfg_write(struct shca_port_slot *port, unsigned int where,
			 int size, u32 val);

/* bus.c */
struct shca_slot *shca_slot_of(struct pci_dev *pdev);
/* Called when the backing memory has come or is about to go. */
int shca_bus_add(struct resource *window);
void shca_bus_del(void);

/* irq.c and its two domains */
void shca_irq_slot_init(struct shca_slot *slot);
void shca_irq_slot_exit(struct shca_slot *slot);
/* The MSI-X control word, or a vector's mask, may have opened a way. */
void shca_irq_unmasked(struct shca_slot *slot);
void shca_irq_bind(struct shca_slot *slot, unsigned int index,
		   unsigned int virq);
void shca_irq_unbind(struct shca_slot *slot, unsigned int index);
void shca_irq_vec_unmasked(struct shca_slot *slot, unsigned int index);
void shca_irq_retrigger(struct shca_slot *slot, unsigned int index);
struct irq_domain *shca_msi_domain_add(void);
void shca_msi_domain_del(struct irq_domain *domain);

/* dma.c */
void shca_dma_slot_init(struct shca_slot *slot);
void shca_dma_slot_exit(struct shca_slot *slot);
void shca_dma_attach(struct shca_slot *slot, struct pci_dev *pdev);
/* Says so when the driver left mappings behind. */
void shca_dma_detach(struct shca_slot *slot);

#endif
