// SPDX-License-Identifier: GPL-2.0
/*
 * softhca_raw: a driver that leaves a function to a test program.
 *
 * It takes a function by driver_override alone. Its device node,
 * /dev/softhca-raw-<PCI address>, is mapped by a program that plays the
 * driver: the BAR at offset 0, and behind it RAW_MEMORY bytes that are mapped
 * for the function's DMA. Reading the node gives the bus address of the
 * latter, as one 64-bit number of the host's byte order, and their length as
 * another one. For tests in VMs: a program that can open the node makes the
 * function do whatever the function can do.
 */
#define pr_fmt(fmt) "softhca_raw: " fmt

#include <linux/dma-mapping.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>

#define RAW_ORDER	5
#define RAW_MEMORY	(PAGE_SIZE << RAW_ORDER)

/* Lives as long as the driver is bound or a program has the node open; what a
 * program has mapped keeps it open.
 */
struct raw {
	struct kref ref;
	struct miscdevice misc;
	struct pci_dev *pdev;	/* while bound */
	phys_addr_t bar;
	resource_size_t bar_len;
	struct page *memory;
	dma_addr_t addr;
};

static void raw_free(struct kref *ref)
{
	struct raw *raw = container_of(ref, struct raw, ref);

	if (raw->memory)
		__free_pages(raw->memory, RAW_ORDER);
	kfree(raw->misc.name);
	kfree(raw);
}

static struct raw *raw_of(struct file *file)
{
	return container_of(file->private_data, struct raw, misc);
}

static int raw_open(struct inode *inode, struct file *file)
{
	kref_get(&raw_of(file)->ref);
	return 0;
}

static int raw_release(struct inode *inode, struct file *file)
{
	kref_put(&raw_of(file)->ref, raw_free);
	return 0;
}

static ssize_t raw_read(struct file *file, char __user *to, size_t len,
			loff_t *pos)
{
	u64 where[2] = { raw_of(file)->addr, RAW_MEMORY };

	return simple_read_from_buffer(to, len, pos, where, sizeof(where));
}

static int raw_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct raw *raw = raw_of(file);
	unsigned long len = vma->vm_end - vma->vm_start;
	unsigned long off = vma->vm_pgoff << PAGE_SHIFT;

	if (vma->vm_pgoff > (raw->bar_len + RAW_MEMORY) >> PAGE_SHIFT)
		return -EINVAL;
	if (off < raw->bar_len) {
		if (len > raw->bar_len - off)
			return -EINVAL;
		vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
		return io_remap_pfn_range(vma, vma->vm_start,
					  PHYS_PFN(raw->bar + off), len,
					  vma->vm_page_prot);
	}
	off -= raw->bar_len;
	if (len > RAW_MEMORY - off)
		return -EINVAL;
	return remap_pfn_range(vma, vma->vm_start,
			       page_to_pfn(raw->memory) + (off >> PAGE_SHIFT),
			       len, vma->vm_page_prot);
}

static const struct file_operations raw_fops = {
	.owner = THIS_MODULE,
	.open = raw_open,
	.release = raw_release,
	.read = raw_read,
	.mmap = raw_mmap,
	.llseek = default_llseek,
};

static int raw_memory_get(struct raw *raw)
{
	struct device *dev = &raw->pdev->dev;
	int err;

	err = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(64));
	if (err)
		return err;
	raw->memory = alloc_pages(GFP_KERNEL | __GFP_ZERO | __GFP_COMP,
				  RAW_ORDER);
	if (!raw->memory)
		return -ENOMEM;
	raw->addr = dma_map_page(dev, raw->memory, 0, RAW_MEMORY,
				 DMA_BIDIRECTIONAL);
	return dma_mapping_error(dev, raw->addr);
}

static void raw_memory_unmap(struct raw *raw)
{
	dma_unmap_page(&raw->pdev->dev, raw->addr, RAW_MEMORY,
		       DMA_BIDIRECTIONAL);
}

static int raw_register(struct raw *raw)
{
	raw->misc.minor = MISC_DYNAMIC_MINOR;
	raw->misc.fops = &raw_fops;
	raw->misc.mode = 0600;
	raw->misc.parent = &raw->pdev->dev;
	raw->misc.name = kasprintf(GFP_KERNEL, "softhca-raw-%s",
				   pci_name(raw->pdev));
	return raw->misc.name ? misc_register(&raw->misc) : -ENOMEM;
}

static int raw_start(struct raw *raw)
{
	int err;

	err = raw_memory_get(raw);
	if (err)
		return err;
	pci_set_master(raw->pdev);
	err = raw_register(raw);
	if (err) {
		pci_clear_master(raw->pdev);
		raw_memory_unmap(raw);
	}
	return err;
}

static int raw_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct raw *raw;
	int err;

	if (!(pci_resource_flags(pdev, 0) & IORESOURCE_MEM))
		return -ENODEV;
	raw = kzalloc(sizeof(*raw), GFP_KERNEL);
	if (!raw)
		return -ENOMEM;
	kref_init(&raw->ref);
	raw->pdev = pdev;
	raw->bar = pci_resource_start(pdev, 0);
	raw->bar_len = pci_resource_len(pdev, 0);
	err = pci_enable_device_mem(pdev);
	if (!err) {
		err = raw_start(raw);
		if (err)
			pci_disable_device(pdev);
	}
	if (err) {
		kref_put(&raw->ref, raw_free);
		return err;
	}
	pci_set_drvdata(pdev, raw);
	return 0;
}

static void raw_remove(struct pci_dev *pdev)
{
	struct raw *raw = pci_get_drvdata(pdev);

	misc_deregister(&raw->misc);
	pci_clear_master(pdev);
	raw_memory_unmap(raw);
	pci_disable_device(pdev);
	kref_put(&raw->ref, raw_free);
}

static const struct pci_device_id raw_ids[] = { { } };

static struct pci_driver raw_driver = {
	.name = "softhca_raw",
	.id_table = raw_ids,
	.probe = raw_probe,
	.remove = raw_remove,
};
module_pci_driver(raw_driver);

MODULE_DESCRIPTION("Leaves a softhca function to a test program");
MODULE_LICENSE("GPL");
