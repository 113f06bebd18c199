// SPDX-License-Identifier: GPL-2.0
/*
 * A card in its slot: what configuration accesses do to a function and to the
 * root port in front of it, and how a card gets on and off the bus.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/delay.h>
#include <linux/slab.h>

#include "base/compat.h"
#include "pci/internal.h"

static void slot_note_master(struct shca_slot *slot)
{
	bool on = shca_cfg_get(&slot->cfg, PCI_COMMAND, 2) & PCI_COMMAND_MASTER;

	if (on == slot->master)
		return;
	WRITE_ONCE(slot->master, on);
	if (slot->fn->ops)
		slot->fn->ops->bus_master(slot->fn, on);
}

/* Function level reset, or the reset of the bus the function is on. */
static void slot_reset(struct shca_slot *slot, enum shca_reset_cause cause)
{
	shca_cfg_do_reset(&slot->cfg);
	slot->vsc_ticket = 0;
	bitmap_zero(slot->pending, SHCA_MSIX_VECTORS);
	slot_note_master(slot);
	if (slot->fn->ops)
		slot->fn->ops->reset(slot->fn, cause);
}

/* Address written with the flag clear: the data word is there at once. */
static void slot_vpd(struct shca_slot *slot)
{
	u32 addr = shca_cfg_get(&slot->cfg, SHCA_CAP_VPD + PCI_VPD_ADDR, 2);
	u32 word = 0;
	int i;

	addr &= PCI_VPD_ADDR_MASK & ~3;
	for (i = 3; i >= 0; i--)
		word = word << 8 |
		       (addr + i < SHCA_VPD_SIZE ? slot->vpd[addr + i] : 0);
	shca_cfg_set(&slot->cfg, SHCA_CAP_VPD + PCI_VPD_DATA, 4, word);
	shca_cfg_set(&slot->cfg, SHCA_CAP_VPD + PCI_VPD_ADDR, 2,
		     addr | PCI_VPD_ADDR_F);
}

/* The gateway's semaphore takes a ticket when it is free, and 0 from anyone. */
static void slot_vsc_semaphore(struct shca_slot *slot, u32 val)
{
	const unsigned int at = SHCA_CAP_VSC + 0xc;

	if (!val || !shca_cfg_get(&slot->cfg, at, 4))
		shca_cfg_set(&slot->cfg, at, 4, val);
}

u32 shca_slot_read(struct shca_slot *slot, unsigned int where, int size)
{
	unsigned long flags;
	u32 val = ~0U;

	raw_spin_lock_irqsave(&slot->lock, flags);
	if (slot->present) {
		if (where == SHCA_CAP_VSC + 0x8 && size == 4)
			shca_cfg_set(&slot->cfg, where, 4, ++slot->vsc_ticket);
		val = shca_cfg_read(&slot->cfg, where, size);
	}
	raw_spin_unlock_irqrestore(&slot->lock, flags);
	return val;
}

/* Does an access of @size at @where touch the word at @reg? */
static bool touches(unsigned int where, int size, unsigned int reg)
{
	return where < reg + 2 && where + size > reg;
}

/* What of @val, written at @where, falls on the word at @reg. */
static u16 written(unsigned int where, u32 val, unsigned int reg)
{
	return where > reg ? val << (8 * (where - reg)) :
			     val >> (8 * (reg - where));
}

void shca_slot_write(struct shca_slot *slot, unsigned int where, int size,
		     u32 val)
{
	struct shca_cfg *cfg = &slot->cfg;
	bool unmasked = false;
	unsigned long flags;
	unsigned int reg;

	raw_spin_lock_irqsave(&slot->lock, flags);
	if (!slot->present)
		goto out;

	reg = SHCA_CAP_EXP + PCI_EXP_DEVCTL;
	if (touches(where, size, reg) &&
	    written(where, val, reg) & PCI_EXP_DEVCTL_BCR_FLR) {
		slot_reset(slot, SHCA_RESET_FLR);
		goto out;
	}

	shca_cfg_write(cfg, where, size, val);
	if (touches(where, size, PCI_COMMAND))
		slot_note_master(slot);
	if (where == SHCA_CAP_VPD + PCI_VPD_ADDR && size == 2) {
		shca_cfg_set(cfg, where, 2, val);
		/* Written with the flag set: a write, which ROM ignores; the
		 * flag is cleared to say it is done.
		 */
		if (val & PCI_VPD_ADDR_F)
			shca_cfg_set(cfg, where, 2, val & PCI_VPD_ADDR_MASK);
		else
			slot_vpd(slot);
	}
	if (where == SHCA_CAP_VSC + 0xc && size == 4)
		slot_vsc_semaphore(slot, val);
	unmasked = touches(where, size, SHCA_CAP_MSIX + PCI_MSIX_FLAGS);
out:
	raw_spin_unlock_irqrestore(&slot->lock, flags);
	if (unmasked)
		shca_irq_unmasked(slot);
}

u32 shca_port_cfg_read(struct shca_port_slot *port, unsigned int where,
		       int size)
{
	unsigned long flags;
	u32 val;

	raw_spin_lock_irqsave(&port->lock, flags);
	val = shca_cfg_read(&port->cfg, where, size);
	raw_spin_unlock_irqrestore(&port->lock, flags);
	return val;
}

/* The link is down while it is disabled or the bus is held in reset; what is
 * behind it is reset when it goes down and answers again when it comes up.
 */
static void port_note_link(struct shca_port_slot *port)
{
	struct shca_cfg *cfg = &port->cfg;
	const unsigned int sta = SHCA_CAP_EXP + PCI_EXP_LNKSTA;
	bool up;
	unsigned int i;
	u32 val;

	up = !(shca_cfg_get(cfg, SHCA_CAP_EXP + PCI_EXP_LNKCTL, 2) &
	       PCI_EXP_LNKCTL_LD) &&
	     !(shca_cfg_get(cfg, PCI_BRIDGE_CONTROL, 2) &
	       PCI_BRIDGE_CTL_BUS_RESET);
	if (up == port->link_up)
		return;
	port->link_up = up;
	val = shca_cfg_get(cfg, sta, 2) & ~PCI_EXP_LNKSTA_DLLLA;
	shca_cfg_set(cfg, sta, 2, val | (up ? PCI_EXP_LNKSTA_DLLLA : 0));

	for (i = 0; i < port->card->nfns; i++) {
		struct shca_slot *slot = port->card->fn[i]->slot;

		raw_spin_lock(&slot->lock);
		if (!up)
			slot_reset(slot, SHCA_RESET_BUS);
		WRITE_ONCE(slot->present, up);
		raw_spin_unlock(&slot->lock);
	}
}

void shca_port_cfg_write(struct shca_port_slot *port, unsigned int where,
			 int size, u32 val)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&port->lock, flags);
	shca_cfg_write(&port->cfg, where, size, val);
	if (touches(where, size, SHCA_CAP_EXP + PCI_EXP_LNKCTL) ||
	    touches(where, size, PCI_BRIDGE_CONTROL))
		port_note_link(port);
	raw_spin_unlock_irqrestore(&port->lock, flags);
}

static int slot_add(struct shca_fn *fn, const struct shca_pci_id *id)
{
	struct shca_slot *slot;
	int err;

	slot = kzalloc(sizeof(*slot), GFP_KERNEL);
	if (!slot)
		return -ENOMEM;
	slot->fn = fn;
	slot->id = *id;
	raw_spin_lock_init(&slot->lock);
	shca_vpd_build(slot->vpd, id);
	shca_dma_slot_init(slot);
	shca_irq_slot_init(slot);
	err = shca_bar_get(slot, fn->card->index * SHCA_MAX_FNS + fn->num);
	if (err) {
		shca_irq_slot_exit(slot);
		shca_dma_slot_exit(slot);
		kfree(slot);
		return err;
	}
	shca_caps_function(slot);
	fn->slot = slot;
	return 0;
}

static void slot_del(struct shca_fn *fn)
{
	struct shca_slot *slot = fn->slot;

	if (!slot)
		return;
	fn->slot = NULL;
	shca_irq_slot_exit(slot);
	shca_dma_slot_exit(slot);
	shca_bar_put(slot);
	kfree(slot);
}

int shca_pci_add(struct shca_card *card, const struct shca_pci_id *id)
{
	struct shca_port_slot *port;
	phys_addr_t base;
	unsigned int i;
	int err = 0;

	if (card->index >= SHCA_MAX_CARDS)
		return -EINVAL;
	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return -ENOMEM;
	port->card = card;
	port->link_up = true;
	raw_spin_lock_init(&port->lock);

	for (i = 0; i < card->nfns && !err; i++)
		err = slot_add(card->fn[i], id);
	if (err) {
		while (i--)
			slot_del(card->fn[i]);
		kfree(port);
		return err;
	}
	base = card->fn[0]->slot->bar_phys;
	shca_caps_port(port, id, base,
		       base + (phys_addr_t)card->nfns * SHCA_BAR_SIZE - 1);
	card->port = port;
	return 0;
}

void shca_pci_del(struct shca_card *card)
{
	unsigned int i;

	for (i = 0; i < card->nfns; i++)
		slot_del(card->fn[i]);
	kfree(card->port);
	card->port = NULL;
}

void __iomem *shca_bar(struct shca_fn *fn)
{
	return fn->slot->bar;
}

const char *shca_pci_name(struct shca_fn *fn)
{
	return fn->slot->name;
}
