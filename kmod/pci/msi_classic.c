// SPDX-License-Identifier: GPL-2.0
/*
 * The MSI-X interrupt domain on kernels that let a host bridge have a PCI/MSI
 * domain without a parent.
 */
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/msi.h>
#include <linux/pci.h>

#include "base/compat.h"
#include "pci/internal.h"

#ifndef SHCA_MSI_PARENT_DOMAINS

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
	irq_domain_set_info(domain, virq, hwirq, info->chip, NULL,
			    handle_edge_irq, NULL, NULL);
	irq_data_update_effective_affinity(irq_get_irq_data(virq),
					   cpumask_of(cpumask_first(cpu_online_mask)));
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

static struct fwnode_handle *msi_fwnode;

struct irq_domain *shca_msi_domain_add(void)
{
	struct irq_domain *domain;

	msi_fwnode = irq_domain_alloc_named_fwnode("softhca-msix");
	if (!msi_fwnode)
		return NULL;
	domain = pci_msi_create_irq_domain(msi_fwnode, &msi_info, NULL);
	if (!domain)
		irq_domain_free_fwnode(msi_fwnode);
	return domain;
}

void shca_msi_domain_del(struct irq_domain *domain)
{
	irq_domain_remove(domain);
	irq_domain_free_fwnode(msi_fwnode);
}

#endif
