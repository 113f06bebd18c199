// SPDX-License-Identifier: GPL-2.0
/*
 * The function's DMA operations and the one gate to the driver's memory.
 *
 * A bus address is a physical address plus an offset, so that mixing the two
 * up shows at once. What is mapped is counted per page and direction; the gate
 * looks each page up under the lock that unmapping takes for writing, so an
 * unmap returns only when no access is under way, and a later one is refused.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/dma-map-ops.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <linux/scatterlist.h>

#include "base/compat.h"
#include "pci/internal.h"

#define SHCA_BUS_OFFSET	BIT_ULL(44)

/* Use counts of one page, packed into an xarray value: reads by the device in
 * the low half, writes in the high half.
 */
#define USE_BITS	31
#define USE_READ	1UL
#define USE_WRITE	BIT(USE_BITS)
#define USE_MASK	(USE_WRITE - 1)

static unsigned long use_of(enum dma_data_direction dir)
{
	switch (dir) {
	case DMA_TO_DEVICE:
		return USE_READ;
	case DMA_FROM_DEVICE:
		return USE_WRITE;
	default:
		return USE_READ | USE_WRITE;
	}
}

static struct shca_slot *slot_of_dev(struct device *dev)
{
	return shca_slot_of(to_pci_dev(dev));
}

static int page_use(struct shca_slot *slot, unsigned long pfn,
		    unsigned long use, bool add)
{
	unsigned long flags, val;
	void *old, *ret;

	write_lock_irqsave(&slot->map_lock, flags);
	old = xa_load(&slot->maps, pfn);
	val = old ? xa_to_value(old) : 0;
	val = add ? val + use : val - use;
	if (val)
		ret = xa_store(&slot->maps, pfn, xa_mk_value(val),
			       GFP_ATOMIC | __GFP_NOWARN);
	else
		ret = xa_erase(&slot->maps, pfn);
	write_unlock_irqrestore(&slot->map_lock, flags);
	if (xa_is_err(ret))
		return xa_err(ret);
	if (add)
		atomic64_inc(&slot->mapped);
	else
		atomic64_dec(&slot->mapped);
	return 0;
}

static void range_unuse(struct shca_slot *slot, phys_addr_t phys, size_t size,
			unsigned long use)
{
	unsigned long pfn = PHYS_PFN(phys);
	unsigned long last = PHYS_PFN(phys + size - 1);

	for (; pfn <= last; pfn++)
		page_use(slot, pfn, use, false);
}

static int range_use(struct shca_slot *slot, phys_addr_t phys, size_t size,
		     unsigned long use)
{
	unsigned long first = PHYS_PFN(phys);
	unsigned long last = PHYS_PFN(phys + size - 1);
	unsigned long pfn;
	int err;

	for (pfn = first; pfn <= last; pfn++) {
		err = page_use(slot, pfn, use, true);
		if (!err)
			continue;
		while (pfn-- > first)
			page_use(slot, pfn, use, false);
		return err;
	}
	return 0;
}

static dma_addr_t range_map(struct device *dev, phys_addr_t phys, size_t size,
			    enum dma_data_direction dir)
{
	struct shca_slot *slot = slot_of_dev(dev);

	/* Device memory of others cannot be reached through the linear map. */
	if (!slot || !size || !pfn_valid(PHYS_PFN(phys)) ||
	    range_use(slot, phys, size, use_of(dir)))
		return DMA_MAPPING_ERROR;
	return phys + SHCA_BUS_OFFSET;
}

static void range_unmap(struct device *dev, dma_addr_t addr, size_t size,
			enum dma_data_direction dir)
{
	struct shca_slot *slot = slot_of_dev(dev);

	if (slot && size)
		range_unuse(slot, addr - SHCA_BUS_OFFSET, size, use_of(dir));
}

static void *dma_alloc(struct device *dev, size_t size, dma_addr_t *addr,
		       gfp_t gfp, unsigned long attrs)
{
	unsigned int order = get_order(size);
	struct page *page;

	page = alloc_pages_node(dev_to_node(dev), gfp | __GFP_ZERO, order);
	if (!page)
		return NULL;
	*addr = range_map(dev, page_to_phys(page), size, DMA_BIDIRECTIONAL);
	if (*addr == DMA_MAPPING_ERROR) {
		__free_pages(page, order);
		return NULL;
	}
	return page_address(page);
}

static void dma_free(struct device *dev, size_t size, void *vaddr,
		     dma_addr_t addr, unsigned long attrs)
{
	range_unmap(dev, addr, size, DMA_BIDIRECTIONAL);
	free_pages((unsigned long)vaddr, get_order(size));
}

static int dma_map_sg_list(struct device *dev, struct scatterlist *list,
			   int nents, enum dma_data_direction dir,
			   unsigned long attrs)
{
	struct scatterlist *sg, *done;
	int i, j;

	for_each_sg(list, sg, nents, i) {
		sg->dma_address = range_map(dev, sg_phys(sg), sg->length, dir);
		if (sg->dma_address == DMA_MAPPING_ERROR)
			goto undo;
		sg_dma_len(sg) = sg->length;
	}
	return nents;
undo:
	for_each_sg(list, done, i, j)
		range_unmap(dev, done->dma_address, sg_dma_len(done), dir);
	return -ENOMEM;
}

static void dma_unmap_sg_list(struct device *dev, struct scatterlist *list,
			      int nents, enum dma_data_direction dir,
			      unsigned long attrs)
{
	struct scatterlist *sg;
	int i;

	for_each_sg(list, sg, nents, i)
		range_unmap(dev, sg->dma_address, sg_dma_len(sg), dir);
}

#ifdef SHCA_DMA_MAP_PHYS
static dma_addr_t dma_map_one(struct device *dev, phys_addr_t phys, size_t size,
			      enum dma_data_direction dir, unsigned long attrs)
{
	if (attrs & DMA_ATTR_MMIO)
		return DMA_MAPPING_ERROR;
	return range_map(dev, phys, size, dir);
}
#else
static dma_addr_t dma_map_one(struct device *dev, struct page *page,
			      unsigned long offset, size_t size,
			      enum dma_data_direction dir, unsigned long attrs)
{
	return range_map(dev, page_to_phys(page) + offset, size, dir);
}
#endif

static void dma_unmap_one(struct device *dev, dma_addr_t addr, size_t size,
			  enum dma_data_direction dir, unsigned long attrs)
{
	range_unmap(dev, addr, size, dir);
}

static int dma_supported_mask(struct device *dev, u64 mask)
{
	/* The highest physical address, moved up by the offset. */
	return mask >= DMA_BIT_MASK(MAX_PHYSMEM_BITS + 1);
}

static u64 dma_required_mask(struct device *dev)
{
	return DMA_BIT_MASK(64);
}

static const struct dma_map_ops shca_dma_ops = {
	.alloc = dma_alloc,
	.free = dma_free,
	.map_sg = dma_map_sg_list,
	.unmap_sg = dma_unmap_sg_list,
#ifdef SHCA_DMA_MAP_PHYS
	.map_phys = dma_map_one,
	.unmap_phys = dma_unmap_one,
#else
	.map_page = dma_map_one,
	.unmap_page = dma_unmap_one,
#endif
	.dma_supported = dma_supported_mask,
	.get_required_mask = dma_required_mask,
};

void shca_dma_attach(struct shca_slot *slot, struct pci_dev *pdev)
{
	if (!SHCA_HAS_DMA_OPS) {
		pr_warn_once("this kernel lets no module set DMA operations (CONFIG_GART_IOMMU or XEN would): whether memory is mapped is not checked, only that it is RAM\n");
		return;
	}
	set_dma_ops(&pdev->dev, &shca_dma_ops);
}

void shca_dma_detach(struct shca_slot *slot)
{
	s64 left = atomic64_read(&slot->mapped);

	if (left)
		pr_warn("%s: the driver left %lld pages mapped\n",
			slot->fn->name, left);
}

void shca_dma_slot_init(struct shca_slot *slot)
{
	rwlock_init(&slot->map_lock);
	xa_init_flags(&slot->maps, XA_FLAGS_LOCK_IRQ);
	slot->allowed = true;
}

void shca_dma_slot_exit(struct shca_slot *slot)
{
	xa_destroy(&slot->maps);
}

/* Where bus address @addr is in the linear map, for an access of @use that
 * stays inside its page; NULL when it is not to be touched. Lock held.
 */
static void *gate_page(struct shca_slot *slot, u64 addr, unsigned long use)
{
	u64 phys = addr - SHCA_BUS_OFFSET;
	unsigned long val;
	void *entry;

	if (!SHCA_HAS_DMA_OPS) {
		if (!pfn_valid(PHYS_PFN(addr)) || !page_is_ram(PHYS_PFN(addr)))
			return NULL;
		return phys_to_virt(addr);
	}
	if (addr < SHCA_BUS_OFFSET || phys >> MAX_PHYSMEM_BITS)
		return NULL;
	entry = xa_load(&slot->maps, PHYS_PFN(phys));
	val = entry ? xa_to_value(entry) : 0;
	if (!(use == USE_READ ? val & USE_MASK : val >> USE_BITS))
		return NULL;
	return phys_to_virt(phys);
}

static bool gate_open(struct shca_slot *slot)
{
	return READ_ONCE(slot->present) && READ_ONCE(slot->master) &&
	       READ_ONCE(slot->allowed);
}

static int gate_refuse(struct shca_slot *slot, u64 addr, size_t len,
		       unsigned long use)
{
	atomic64_inc(&slot->faults);
	pr_warn_ratelimited("%s: %s of %zu bytes at bus address 0x%llx refused: not mapped for the device\n",
			    slot->fn->name, use == USE_READ ? "read" : "write",
			    len, addr);
	return -EFAULT;
}

enum gate_how {
	GATE_READ,
	GATE_WRITE,
	GATE_WRITE_OWNED,
	GATE_READ32,
	GATE_READ64,
	GATE_WRITE32,
};

static void gate_copy(enum gate_how how, void *mem, void *buf, size_t len)
{
	u8 *last;

	switch (how) {
	case GATE_READ:
		memcpy(buf, mem, len);
		break;
	case GATE_WRITE:
		memcpy(mem, buf, len);
		break;
	case GATE_WRITE_OWNED:
		last = mem + len - 1;
		memcpy(mem, buf, len - 1);
		/* Who sees the ownership sees all before it. */
		smp_store_release(last, *((u8 *)buf + len - 1));
		break;
	case GATE_READ32:
		*(u32 *)buf = READ_ONCE(*(u32 *)mem);
		break;
	case GATE_READ64:
		*(u64 *)buf = READ_ONCE(*(u64 *)mem);
		break;
	case GATE_WRITE32:
		WRITE_ONCE(*(u32 *)mem, *(u32 *)buf);
		break;
	}
}

static bool gate_reads(enum gate_how how)
{
	return how == GATE_READ || how == GATE_READ32 || how == GATE_READ64;
}

/* Page by page, each under the lock: the time with interrupts off is that of
 * one page's copy.
 */
static int gate(struct shca_fn *fn, u64 addr, void *buf, size_t len,
		enum gate_how how)
{
	unsigned long use = gate_reads(how) ? USE_READ : USE_WRITE;
	struct shca_slot *slot = fn->slot;
	unsigned long flags;
	size_t part;
	void *mem;

	if (addr + len < addr)
		return gate_refuse(slot, addr, len, use);
	while (len) {
		part = min_t(size_t, len, PAGE_SIZE - offset_in_page(addr));
		read_lock_irqsave(&slot->map_lock, flags);
		if (!gate_open(slot)) {
			read_unlock_irqrestore(&slot->map_lock, flags);
			return -EACCES;
		}
		mem = gate_page(slot, addr, use);
		if (mem)
			gate_copy(how, mem, buf, part);
		read_unlock_irqrestore(&slot->map_lock, flags);
		if (!mem)
			return gate_refuse(slot, addr, part, use);
		addr += part;
		buf += part;
		len -= part;
	}
	return 0;
}

/* The maps of both stay as they are. In the order of addresses, and the second
 * one by trying: see shca_xlate_begin().
 */
static unsigned long gate_lock(struct shca_slot *a, struct shca_slot *b)
	__acquires(&a->map_lock)
{
	struct shca_slot *first = a < b ? a : b, *second = a < b ? b : a;
	unsigned long flags;

	read_lock_irqsave(&first->map_lock, flags);
	if (first == second)
		return flags;
	while (!read_trylock(&second->map_lock))
		cpu_relax();
	__release(&second->map_lock);	/* sparse: both count as one */
	return flags;
}

static void gate_unlock(struct shca_slot *a, struct shca_slot *b,
			unsigned long flags)
	__releases(&a->map_lock)
{
	struct shca_slot *first = a < b ? a : b, *second = a < b ? b : a;

	if (first != second) {
		__acquire(&second->map_lock);
		read_unlock(&second->map_lock);
	}
	read_unlock_irqrestore(&first->map_lock, flags);
}

/* Inside one page at each side; both locks held. */
static int gate_pass(struct shca_slot *from, u64 src, struct shca_slot *to,
		     u64 dst, size_t len, bool *src_failed)
{
	void *in, *out;

	*src_failed = true;
	if (!gate_open(from))
		return -EACCES;
	in = gate_page(from, src, USE_READ);
	if (!in)
		return -EFAULT;
	*src_failed = false;
	if (!gate_open(to))
		return -EACCES;
	out = gate_page(to, dst, USE_WRITE);
	if (!out)
		return -EFAULT;
	memmove(out, in, len);
	return 0;
}

static int copy_refuse(struct shca_slot *from, u64 src, struct shca_slot *to,
		       u64 dst, size_t len, bool src_failed)
{
	return src_failed ? gate_refuse(from, src, len, USE_READ) :
			    gate_refuse(to, dst, len, USE_WRITE);
}

int shca_dma_copy(struct shca_fn *src_fn, u64 src, struct shca_fn *dst_fn,
		  u64 dst, size_t len, bool *src_failed)
{
	struct shca_slot *from = src_fn->slot, *to = dst_fn->slot;
	unsigned long flags;
	size_t part;
	int err;

	*src_failed = src + len < src;
	if (*src_failed || dst + len < dst)
		return copy_refuse(from, src, to, dst, len, *src_failed);
	for (; len; len -= part, src += part, dst += part) {
		part = PAGE_SIZE - max(offset_in_page(src),
				       offset_in_page(dst));
		part = min(part, len);
		flags = gate_lock(from, to);
		err = gate_pass(from, src, to, dst, part, src_failed);
		gate_unlock(from, to, flags);
		if (err == -EFAULT)
			return copy_refuse(from, src, to, dst, part,
					   *src_failed);
		if (err)
			return err;
	}
	return 0;
}

static bool within_page(u64 addr, size_t len)
{
	return len && offset_in_page(addr) + len <= PAGE_SIZE;
}

int shca_dma_read(struct shca_fn *fn, u64 addr, void *dst, size_t len)
{
	int err = gate(fn, addr, dst, len, GATE_READ);

	if (err)
		memset(dst, 0, len);
	return err;
}

int shca_dma_write(struct shca_fn *fn, u64 addr, const void *src, size_t len)
{
	return gate(fn, addr, (void *)src, len, GATE_WRITE);
}

int shca_dma_write_owned(struct shca_fn *fn, u64 addr, const void *src,
			 size_t len)
{
	if (!within_page(addr, len))
		return -EINVAL;
	return gate(fn, addr, (void *)src, len, GATE_WRITE_OWNED);
}

int shca_dma_read32(struct shca_fn *fn, u64 addr, __be32 *val)
{
	*val = 0;
	if (addr & 3)
		return -EINVAL;
	return gate(fn, addr, val, sizeof(*val), GATE_READ32);
}

int shca_dma_read64(struct shca_fn *fn, u64 addr, __be64 *val)
{
	*val = 0;
	if (addr & 7)
		return -EINVAL;
	return gate(fn, addr, val, sizeof(*val), GATE_READ64);
}

int shca_dma_write32(struct shca_fn *fn, u64 addr, __be32 val)
{
	if (addr & 3)
		return -EINVAL;
	return gate(fn, addr, &val, sizeof(val), GATE_WRITE32);
}

bool shca_dma_mapped(struct shca_fn *fn, u64 addr, u64 len)
{
	struct shca_slot *slot = fn->slot;
	unsigned long flags;
	bool ok = true;
	u64 end;

	if (!len || addr + len < addr)
		return false;
	end = addr + len;
	for (addr = ALIGN_DOWN(addr, PAGE_SIZE); ok && addr < end;
	     addr += PAGE_SIZE) {
		read_lock_irqsave(&slot->map_lock, flags);
		ok = gate_page(slot, addr, USE_READ) ||
		     gate_page(slot, addr, USE_WRITE);
		read_unlock_irqrestore(&slot->map_lock, flags);
	}
	return ok;
}

void shca_dma_allow(struct shca_fn *fn, bool allow)
{
	struct shca_slot *slot = fn->slot;
	unsigned long flags;

	/* The lock: when it returns with DMA off, no access is under way. */
	write_lock_irqsave(&slot->map_lock, flags);
	WRITE_ONCE(slot->allowed, allow);
	write_unlock_irqrestore(&slot->map_lock, flags);
}

u64 shca_dma_faults(struct shca_fn *fn)
{
	return atomic64_read(&fn->slot->faults);
}
