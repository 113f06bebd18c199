// SPDX-License-Identifier: GPL-2.0
/*
 * The MSI-X interrupt domain: two forms of the same callbacks. Older kernels let
 * a host bridge have a PCI/MSI domain without a parent; newer ones make a domain
 * per device below the bridge's.
 */
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/msi.h>
#include <linux/pci.h>

#include "base/compat.h"
#include "pci/internal.h"

static struct shca_slot *slot_of_desc(const struct msi_desc *desc)
{
	return shca_slot_of(to_pci_dev(desc->dev));
}

static void msi_unmask(struct irq_data *data)
{
	const struct msi_desc *desc = irq_data_get_msi_desc(data);
	struct shca_slot *slot = slot_of_desc(desc);

	pci_msi_unmask_irq(data);
	if (slot)
		shca_irq_vec_unmasked(slot, desc->msi_index);
}

/* Nothing latches the edge, so there is nothing to acknowledge. */
static void msi_ack(struct irq_data *data)
{
}

static int msi_set_affinity(struct irq_data *data, const struct cpumask *mask,
			    bool force)
{
	unsigned int cpu = cpumask_any_and(mask, cpu_online_mask);

	if (cpu >= nr_cpu_ids)
		return -EINVAL;
	irq_data_update_effective_affinity(data, cpumask_of(cpu));
	return IRQ_SET_MASK_OK;
}

static int msi_retrigger(struct irq_data *data)
{
	const struct msi_desc *desc = irq_data_get_msi_desc(data);
	struct shca_slot *slot = slot_of_desc(desc);

	if (!slot)
		return 0;
	shca_irq_retrigger(slot, desc->msi_index);
	return 1;
}

/* The device never sends this message; the table shows which vector it is. */
static void msi_compose(struct irq_data *data, struct msi_msg *msg)
{
	const struct msi_desc *desc = irq_data_get_msi_desc(data);

	msg->address_hi = 0;
	msg->address_lo = 0;
	msg->data = desc->msi_index;
}

static void msi_set_up(struct irq_domain *domain, unsigned int virq,
		       irq_hw_number_t hwirq, struct irq_chip *chip)
{
	unsigned int cpu = cpumask_first(cpu_online_mask);

	irq_domain_set_info(domain, virq, hwirq, chip, NULL, handle_edge_irq,
			    NULL, NULL);
	irq_data_update_effective_affinity(irq_domain_get_irq_data(domain, virq),
					   cpumask_of(cpu));
}

static struct fwnode_handle *msi_fwnode;

#ifdef SHCA_MSI_PARENT_DOMAINS

static struct irq_chip msi_chip = {
	.name = "softhca-msix",
	.irq_ack = msi_ack,
	.irq_set_affinity = msi_set_affinity,
	.irq_retrigger = msi_retrigger,
	.irq_compose_msi_msg = msi_compose,
};

static void msi_domain_free(struct irq_domain *domain, unsigned int virq,
			    unsigned int nr_irqs)
{
	unsigned int i;

	for (i = 0; i < nr_irqs; i++) {
		const struct msi_desc *desc = irq_get_msi_desc(virq + i);
		struct shca_slot *slot = desc ? slot_of_desc(desc) : NULL;

		if (slot)
			shca_irq_unbind(slot, desc->msi_index);
	}
}

static int msi_domain_alloc(struct irq_domain *domain, unsigned int virq,
			    unsigned int nr_irqs, void *arg)
{
	const struct msi_desc *desc = ((msi_alloc_info_t *)arg)->desc;
	struct shca_slot *slot = slot_of_desc(desc);

	/* MSI-X vectors are asked for one by one. */
	if (!slot || nr_irqs != 1 || desc->msi_index >= SHCA_MSIX_VECTORS)
		return -EINVAL;
	msi_set_up(domain, virq, virq, &msi_chip);
	shca_irq_bind(slot, desc->msi_index, virq);
	return 0;
}

static const struct irq_domain_ops msi_domain_ops = {
	.alloc = msi_domain_alloc,
	.free = msi_domain_free,
};

static bool msi_init_device(struct device *dev, struct irq_domain *domain,
			    struct irq_domain *real_parent,
			    struct msi_domain_info *info)
{
	if (info->bus_token != DOMAIN_BUS_PCI_DEVICE_MSIX)
		return false;
	info->flags &= real_parent->msi_parent_ops->supported_flags;
	info->flags |= real_parent->msi_parent_ops->required_flags;
	info->chip->irq_unmask = msi_unmask;
	info->chip->irq_ack = irq_chip_ack_parent;
	info->chip->irq_set_affinity = irq_chip_set_affinity_parent;
	info->chip->irq_retrigger = irq_chip_retrigger_hierarchy;
	return true;
}

static const struct msi_parent_ops msi_parent_ops = {
	.supported_flags = MSI_GENERIC_FLAGS_MASK | MSI_FLAG_PCI_MSIX,
	.required_flags = MSI_FLAG_USE_DEF_DOM_OPS | MSI_FLAG_USE_DEF_CHIP_OPS,
	.bus_select_token = DOMAIN_BUS_PCI_MSI,
	.prefix = "softhca-",
	.init_dev_msi_info = msi_init_device,
};

static struct irq_domain *msi_domain_make(void)
{
	struct irq_domain_info info = {
		.fwnode = msi_fwnode,
		.ops = &msi_domain_ops,
		.size = SHCA_MAX_CARDS * SHCA_MAX_FNS * SHCA_MSIX_VECTORS,
	};

	return msi_create_parent_irq_domain(&info, &msi_parent_ops);
}

#else

static struct irq_chip msi_chip = {
	.name = "softhca-msix",
	.irq_mask = pci_msi_mask_irq,
	.irq_unmask = msi_unmask,
	.irq_ack = msi_ack,
	.irq_set_affinity = msi_set_affinity,
	.irq_retrigger = msi_retrigger,
	.irq_compose_msi_msg = msi_compose,
};

static int msi_init(struct irq_domain *domain, struct msi_domain_info *info,
		    unsigned int virq, irq_hw_number_t hwirq,
		    msi_alloc_info_t *arg)
{
	struct shca_slot *slot = slot_of_desc(arg->desc);

	if (!slot || arg->desc->msi_index >= SHCA_MSIX_VECTORS)
		return -EINVAL;
	msi_set_up(domain, virq, hwirq, info->chip);
	shca_irq_bind(slot, arg->desc->msi_index, virq);
	return 0;
}

static void msi_free(struct irq_domain *domain, struct msi_domain_info *info,
		     unsigned int virq)
{
	const struct msi_desc *desc = irq_get_msi_desc(virq);
	struct shca_slot *slot = desc ? slot_of_desc(desc) : NULL;

	if (slot)
		shca_irq_unbind(slot, desc->msi_index);
}

static struct msi_domain_ops msi_ops = {
	.msi_init = msi_init,
	.msi_free = msi_free,
};

static struct msi_domain_info msi_info = {
	.flags = MSI_FLAG_USE_DEF_DOM_OPS | MSI_FLAG_USE_DEF_CHIP_OPS |
		 MSI_FLAG_PCI_MSIX,
	.ops = &msi_ops,
	.chip = &msi_chip,
};

static struct irq_domain *msi_domain_make(void)
{
	return pci_msi_create_irq_domain(msi_fwnode, &msi_info, NULL);
}

#endif

struct irq_domain *shca_msi_domain_add(void)
{
	struct irq_domain *domain;

	msi_fwnode = irq_domain_alloc_named_fwnode("softhca-msix");
	if (!msi_fwnode)
		return NULL;
	domain = msi_domain_make();
	if (!domain)
		irq_domain_free_fwnode(msi_fwnode);
	return domain;
}

void shca_msi_domain_del(struct irq_domain *domain)
{
	irq_domain_remove(domain);
	irq_domain_free_fwnode(msi_fwnode);
}
