// SPDX-License-Identifier: GPL-2.0
/*
 * Memory behind the BARs. It must be something that the CPU can read and write
 * but that is no system RAM, because the driver's ioremap() and region request
 * refuse RAM: the shared memory of an ivshmem device in a VM, or a range kept
 * out of the memory map by memmap= on a bare machine.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pci.h>

#include "pci/internal.h"

#define IVSHMEM_VENDOR	0x1af4
#define IVSHMEM_DEVICE	0x1110
#define IVSHMEM_BAR	2

static unsigned long bar_base;
module_param(bar_base, ulong, 0444);
MODULE_PARM_DESC(bar_base, "physical address of memory reserved with memmap=SIZE$ADDRESS for BARs (default: an ivshmem device)");

static unsigned long bar_size;
module_param(bar_size, ulong, 0444);
MODULE_PARM_DESC(bar_size, "size of the memory at bar_base in bytes");

static struct resource window;
static DEFINE_MUTEX(bar_lock);		/* the window's coming and going */
static DECLARE_BITMAP(bar_used, SHCA_MAX_CARDS * SHCA_MAX_FNS);
static struct pci_dev *ivshmem;
static void (*backing_gone)(void);

struct resource *shca_bar_window(void)
{
	return window.parent ? &window : NULL;
}

const char *shca_bar_missing(void)
{
	if (shca_bar_window())
		return NULL;
	return "no memory for BARs: it takes an ivshmem-plain device, or bar_base= and bar_size=";
}

int shca_bar_get(struct shca_slot *slot, unsigned int index)
{
	resource_size_t offset = (resource_size_t)index * SHCA_BAR_SIZE;
	int err = 0;

	mutex_lock(&bar_lock);
	if (!shca_bar_window()) {
		err = -ENODEV;
	} else if (offset + SHCA_BAR_SIZE > resource_size(&window)) {
		err = -ENOSPC;
	} else if (test_and_set_bit(index, bar_used)) {
		err = -EBUSY;
	} else {
		slot->bar_phys = window.start + offset;
		slot->bar = ioremap(slot->bar_phys, SHCA_BAR_SIZE);
		if (!slot->bar) {
			clear_bit(index, bar_used);
			err = -ENOMEM;
		} else {
			memset_io(slot->bar, 0, SHCA_BAR_SIZE);
		}
	}
	mutex_unlock(&bar_lock);
	return err;
}

void shca_bar_put(struct shca_slot *slot)
{
	unsigned int index;

	if (!slot->bar)
		return;
	iounmap(slot->bar);
	slot->bar = NULL;
	mutex_lock(&bar_lock);
	index = (slot->bar_phys - window.start) / SHCA_BAR_SIZE;
	clear_bit(index, bar_used);
	mutex_unlock(&bar_lock);
}

/* Puts the window below @parent in the resource tree and a bus onto it. */
static int window_add(struct resource *parent, resource_size_t start,
		      resource_size_t size)
{
	int err;

	if (size < SHCA_BAR_SIZE || start & (SHCA_BAR_SIZE - 1)) {
		pr_err("memory for BARs at %pa: %pa bytes; it must be aligned to and hold at least %u MiB\n",
		       &start, &size, SHCA_BAR_SIZE >> 20);
		return -EINVAL;
	}
	window = (struct resource) {
		.name = "softhca",
		.start = start,
		.end = start + size - 1,
		.flags = IORESOURCE_MEM | IORESOURCE_PREFETCH |
			 IORESOURCE_MEM_64,
	};
	err = insert_resource(parent, &window);
	if (err) {
		pr_err("memory for BARs %pR is in use\n", &window);
		return err;
	}
	err = shca_bus_add(&window);
	if (err)
		remove_resource(&window);
	return err;
}

static void window_del(void)
{
	shca_bus_del();
	mutex_lock(&bar_lock);
	WARN_ON(!bitmap_empty(bar_used, SHCA_MAX_CARDS * SHCA_MAX_FNS));
	remove_resource(&window);
	window.parent = NULL;
	mutex_unlock(&bar_lock);
}

static int ivshmem_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct resource *bar = &pdev->resource[IVSHMEM_BAR];
	int err;

	if (shca_bar_window()) {
		pci_info(pdev, "softhca has its memory for BARs already; this device is left alone\n");
		return -ENODEV;
	}
	err = pcim_enable_device(pdev);
	if (err)
		return err;
	err = window_add(bar, bar->start, resource_size(bar));
	if (!err)
		ivshmem = pdev;
	return err;
}

static void ivshmem_remove(struct pci_dev *pdev)
{
	if (backing_gone)
		backing_gone();
	window_del();
	ivshmem = NULL;
}

static const struct pci_device_id ivshmem_ids[] = {
	{ PCI_DEVICE(IVSHMEM_VENDOR, IVSHMEM_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, ivshmem_ids);

static struct pci_driver ivshmem_driver = {
	.name = "softhca-bar",
	.id_table = ivshmem_ids,
	.probe = ivshmem_probe,
	.remove = ivshmem_remove,
};

static int reserved_add(void)
{
	if (region_intersects(bar_base, bar_size, IORESOURCE_SYSTEM_RAM,
			      IORES_DESC_NONE) != REGION_DISJOINT) {
		pr_err("bar_base=0x%lx bar_size=0x%lx is system RAM; reserve it with memmap=%luM$0x%lx on the kernel command line\n",
		       bar_base, bar_size, bar_size >> 20, bar_base);
		return -EINVAL;
	}
	return window_add(&iomem_resource, bar_base, bar_size);
}

int shca_bar_init(void (*gone)(void))
{
	int err;

	backing_gone = gone;
	if (bar_base)
		return reserved_add();
	err = pci_register_driver(&ivshmem_driver);
	if (!err && !shca_bar_window())
		pr_warn("%s\n", shca_bar_missing());
	return err;
}

void shca_bar_exit(void)
{
	if (bar_base)
		window_del();
	else
		pci_unregister_driver(&ivshmem_driver);
}
