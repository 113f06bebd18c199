// SPDX-License-Identifier: GPL-2.0
/*
 * The root bus, in a PCI domain of its own: device N is the root port of card
 * N, its secondary bus N + 1 holds the card's functions.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/device.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "base/compat.h"
#include "pci/internal.h"

static struct pci_sysdata sysdata = { .node = NUMA_NO_NODE };

static struct resource busn = {
	.name = "softhca bus numbers",
	.start = 0,
	.end = SHCA_MAX_CARDS,
	.flags = IORESOURCE_BUS,
};

static struct pci_bus *root;
static struct irq_domain *msi_domain;
/* Set and cleared with the rescan lock held; read by configuration accesses,
 * which may run under a raw spinlock.
 */
static struct shca_card __rcu *cards[SHCA_MAX_CARDS];

static struct shca_card *card_of(struct pci_bus *bus, unsigned int devfn)
{
	unsigned int index;

	if (pci_is_root_bus(bus)) {
		if (PCI_FUNC(devfn))
			return NULL;
		index = PCI_SLOT(devfn);
	} else {
		if (PCI_SLOT(devfn))
			return NULL;
		index = bus->number - 1;
	}
	return index < SHCA_MAX_CARDS ? rcu_dereference(cards[index]) : NULL;
}

static int bus_read(struct pci_bus *bus, unsigned int devfn, int where,
		    int size, u32 *val)
{
	struct shca_card *card;

	*val = ~0U;
	rcu_read_lock();
	card = card_of(bus, devfn);
	if (card && pci_is_root_bus(bus))
		*val = shca_port_cfg_read(card->port, where, size);
	else if (card && PCI_FUNC(devfn) < card->nfns)
		*val = shca_slot_read(card->fn[PCI_FUNC(devfn)]->slot, where,
				      size);
	rcu_read_unlock();
	return PCIBIOS_SUCCESSFUL;
}

static int bus_write(struct pci_bus *bus, unsigned int devfn, int where,
		     int size, u32 val)
{
	struct shca_card *card;

	rcu_read_lock();
	card = card_of(bus, devfn);
	if (card && pci_is_root_bus(bus))
		shca_port_cfg_write(card->port, where, size, val);
	else if (card && PCI_FUNC(devfn) < card->nfns)
		shca_slot_write(card->fn[PCI_FUNC(devfn)]->slot, where, size,
				val);
	rcu_read_unlock();
	return PCIBIOS_SUCCESSFUL;
}

static struct pci_ops bus_ops = {
	.read = bus_read,
	.write = bus_write,
};

/* Valid while the caller keeps the device from going away. */
struct shca_slot *shca_slot_of(struct pci_dev *pdev)
{
	struct shca_slot *slot = NULL;
	struct shca_card *card;

	if (pdev->sysdata != &sysdata || pci_is_root_bus(pdev->bus))
		return NULL;
	rcu_read_lock();
	card = card_of(pdev->bus, pdev->devfn);
	if (card && PCI_FUNC(pdev->devfn) < card->nfns)
		slot = card->fn[PCI_FUNC(pdev->devfn)]->slot;
	rcu_read_unlock();
	return slot;
}

static void slot_appeared(struct shca_slot *slot, struct pci_dev *pdev)
{
	struct resource *bar = &pdev->resource[0];

	slot->pdev = pdev;
	snprintf(slot->name, sizeof(slot->name), "%s", pci_name(pdev));
	shca_dma_attach(slot, pdev);
	/* On a rescan the core would place unclaimed windows and BARs as it
	 * likes, but these are tied to their memory: claim what is programmed.
	 */
	if (bar->flags && !bar->parent && bar->start == slot->bar_phys)
		pci_bus_claim_resources(pdev->bus);
}

/* Functions come and go by sysfs as well as by us: the core tells of each
 * before a driver can bind, and after it has let go.
 */
static int bus_notify(struct notifier_block *nb, unsigned long action,
		      void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);
	struct shca_slot *slot = shca_slot_of(pdev);

	if (!slot)
		return NOTIFY_DONE;
	switch (action) {
	case BUS_NOTIFY_ADD_DEVICE:
		slot_appeared(slot, pdev);
		break;
	case BUS_NOTIFY_UNBOUND_DRIVER:
		shca_dma_detach(slot);
		break;
	case BUS_NOTIFY_REMOVED_DEVICE:
		slot->pdev = NULL;
		break;
	}
	return NOTIFY_OK;
}

static struct notifier_block bus_nb = { .notifier_call = bus_notify };

static int free_domain(void)
{
	struct pci_bus *bus = NULL;
	int domain = 0xffff;

	/* Above what ACPI can number, as other virtual hosts do. */
	while ((bus = pci_find_next_bus(bus)))
		domain = max(domain, pci_domain_nr(bus));
	return domain + 1;
}

int shca_bus_add(struct resource *window)
{
	LIST_HEAD(resources);
	int err;

	msi_domain = shca_msi_domain_add();
	if (!msi_domain) {
		pr_err("cannot make an interrupt domain for MSI-X\n");
		return -ENOMEM;
	}
	err = bus_register_notifier(&pci_bus_type, &bus_nb);
	if (err) {
		shca_msi_domain_del(msi_domain);
		return err;
	}
	sysdata.domain = free_domain();
	pci_add_resource(&resources, window);
	pci_add_resource(&resources, &busn);

	pci_lock_rescan_remove();
	root = pci_create_root_bus(NULL, 0, &bus_ops, &sysdata, &resources);
	if (root) {
		dev_set_msi_domain(&root->dev, msi_domain);
		pci_bus_add_devices(root);
	}
	pci_unlock_rescan_remove();
	if (!root) {
		pr_err("cannot create PCI root bus in domain %x\n",
		       sysdata.domain);
		pci_free_resource_list(&resources);
		bus_unregister_notifier(&pci_bus_type, &bus_nb);
		shca_msi_domain_del(msi_domain);
		return -ENOMEM;
	}
	return 0;
}

void shca_bus_del(void)
{
	pci_lock_rescan_remove();
	pci_stop_root_bus(root);
	pci_remove_root_bus(root);
	root = NULL;
	pci_unlock_rescan_remove();
	bus_unregister_notifier(&pci_bus_type, &bus_nb);
	shca_msi_domain_del(msi_domain);
	msi_domain = NULL;
}

/* Bridge windows and BARs are programmed already, as after a BIOS; they only
 * have to be entered in the resource tree.
 */
static int port_scan(struct shca_card *card)
{
	struct pci_dev *bridge;

	if (!pci_scan_slot(root, PCI_DEVFN(card->index, 0)))
		return -ENODEV;
	bridge = pci_get_slot(root, PCI_DEVFN(card->index, 0));
	if (!bridge)
		return -ENODEV;
	pci_scan_bridge(root, bridge, card->index + 1, 0);
	pci_scan_bridge(root, bridge, card->index + 1, 1);
	if (!bridge->subordinate) {
		pci_stop_and_remove_bus_device(bridge);
		pci_dev_put(bridge);
		return -ENODEV;
	}
	pci_bus_claim_resources(bridge->subordinate);
	pcie_bus_configure_settings(bridge->subordinate);
	pci_dev_put(bridge);
	return 0;
}

int shca_pci_plug(struct shca_card *card)
{
	unsigned int i;
	int err;

	if (!root)
		return -ENODEV;
	for (i = 0; i < card->nfns; i++)
		WRITE_ONCE(card->fn[i]->slot->present, true);

	pci_lock_rescan_remove();
	rcu_assign_pointer(cards[card->index], card);
	err = port_scan(card);
	if (err)
		RCU_INIT_POINTER(cards[card->index], NULL);
	else
		pci_bus_add_devices(root);
	pci_unlock_rescan_remove();
	synchronize_rcu();
	if (err)
		pr_err("%s: the PCI core did not find the card (%d)\n",
		       card->name, err);
	return err;
}

/* The devices read all ones from now on, and the core knows why. */
static void card_vanish(struct shca_card *card)
{
	unsigned int i;

	for (i = 0; i < card->nfns; i++) {
		struct shca_slot *slot = card->fn[i]->slot;

		WRITE_ONCE(slot->present, false);
		if (slot->pdev)
			slot->pdev->error_state = pci_channel_io_perm_failure;
	}
}

void shca_pci_unplug(struct shca_card *card, bool surprise)
{
	struct pci_dev *bridge;

	pci_lock_rescan_remove();
	if (surprise)
		card_vanish(card);
	/* Looked up, because a user may have removed it, or had it rescanned. */
	bridge = pci_get_slot(root, PCI_DEVFN(card->index, 0));
	if (bridge)
		pci_stop_and_remove_bus_device(bridge);
	RCU_INIT_POINTER(cards[card->index], NULL);
	pci_unlock_rescan_remove();
	synchronize_rcu();
	pci_dev_put(bridge);
}

int shca_pci_init(void (*backing_gone)(void))
{
	return shca_bar_init(backing_gone);
}

void shca_pci_exit(void)
{
	shca_bar_exit();
}

const char *shca_pci_missing(void)
{
	return shca_bar_missing();
}
