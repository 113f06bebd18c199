// SPDX-License-Identifier: GPL-2.0
/*
 * MSI-X: from "raise vector 3" to the driver's handler, in hard interrupt
 * context on the CPU that the vector's affinity names.
 *
 * A message is counted, not flagged: a handler takes a bounded number of
 * entries per run and relies on further messages for the rest, so no two may
 * become one. Only masked ones do, as PCI says of the pending bit.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/cpumask.h>
#include <linux/irq.h>
#include <linux/jiffies.h>

#include "pci/internal.h"

static void __iomem *vec_entry(const struct shca_vec *vec)
{
	return vec->slot->bar + SHCA_BAR_MSIX_TABLE +
	       vec->index * PCI_MSIX_ENTRY_SIZE;
}

static u16 msix_control(struct shca_slot *slot)
{
	return slot->cfg.val[SHCA_CAP_MSIX + PCI_MSIX_FLAGS + 1] << 8;
}

static bool vec_masked(const struct shca_vec *vec)
{
	return msix_control(vec->slot) & PCI_MSIX_FLAGS_MASKALL ||
	       readl(vec_entry(vec) + PCI_MSIX_ENTRY_VECTOR_CTRL) &
	       PCI_MSIX_ENTRY_CTRL_MASKBIT;
}

/* The pending bits, for the device and for who reads them in the BAR. */
static void pba_set(struct shca_vec *vec)
{
	struct shca_slot *slot = vec->slot;
	unsigned long flags;

	raw_spin_lock_irqsave(&slot->pba_lock, flags);
	__set_bit(vec->index, slot->pending);
	writeq(slot->pending[0], slot->bar + SHCA_BAR_MSIX_PBA);
	raw_spin_unlock_irqrestore(&slot->pba_lock, flags);
}

static bool pba_test_and_clear(struct shca_vec *vec)
{
	struct shca_slot *slot = vec->slot;
	unsigned long flags;
	bool was;

	raw_spin_lock_irqsave(&slot->pba_lock, flags);
	was = __test_and_clear_bit(vec->index, slot->pending);
	if (was)
		writeq(slot->pending[0], slot->bar + SHCA_BAR_MSIX_PBA);
	raw_spin_unlock_irqrestore(&slot->pba_lock, flags);
	return was;
}

/* Hard interrupt context, on the right CPU. */
static void vec_fire(struct shca_vec *vec)
{
	unsigned int virq = READ_ONCE(vec->virq);
	int n;

	atomic_set(&vec->queued, 0);
	/* A raise from here on queues anew; one before is in the count. */
	smp_mb__after_atomic();
	n = atomic_xchg(&vec->raises, 0);
	for (; n > 0; n--) {
		if (virq)
			generic_handle_irq(virq);
		atomic64_inc(&vec->handled);
	}
	wake_up(&vec->wait);
}

static void vec_fire_remote(void *data)
{
	vec_fire(data);
}

static unsigned int vec_cpu(const struct shca_vec *vec)
{
	unsigned int virq = READ_ONCE(vec->virq);
	const struct cpumask *mask;
	struct irq_data *data;

	data = virq ? irq_get_irq_data(virq) : NULL;
	if (!data)
		return smp_processor_id();
	mask = irq_data_get_effective_affinity_mask(data);
	return cpumask_any_and(mask, cpu_online_mask);
}

static void vec_work(struct irq_work *work)
{
	struct shca_vec *vec = container_of(work, struct shca_vec, work);
	unsigned int cpu = vec_cpu(vec);

	/* The CPU may have gone offline since; then here is as good. */
	if (cpu == smp_processor_id() || cpu >= nr_cpu_ids ||
	    smp_call_function_single_async(cpu, &vec->csd))
		vec_fire(vec);
}

static void vec_send(struct shca_vec *vec)
{
	atomic_inc(&vec->raises);
	atomic64_inc(&vec->raised);
	if (!atomic_xchg(&vec->queued, 1))
		irq_work_queue(&vec->work);
}

static void vec_deliver_pending(struct shca_vec *vec)
{
	if (vec->virq && !vec_masked(vec) && pba_test_and_clear(vec))
		vec_send(vec);
}

int shca_irq_raise(struct shca_fn *fn, unsigned int index)
{
	struct shca_slot *slot = fn->slot;
	struct shca_vec *vec;

	if (index >= SHCA_MSIX_VECTORS)
		return -EINVAL;
	if (!READ_ONCE(slot->present) || !READ_ONCE(slot->master) ||
	    !(msix_control(slot) & PCI_MSIX_FLAGS_ENABLE))
		return -ENODEV;
	vec = &slot->vec[index];
	if (!vec_masked(vec) && READ_ONCE(vec->virq)) {
		vec_send(vec);
		return 0;
	}
	pba_set(vec);
	/* It may have been unmasked between the look and the note. */
	smp_mb();
	vec_deliver_pending(vec);
	return 0;
}

int shca_irq_wait(struct shca_fn *fn, unsigned int index,
		  unsigned int timeout_ms)
{
	struct shca_slot *slot = fn->slot;
	struct shca_vec *vec;
	s64 until;

	if (index >= SHCA_MSIX_VECTORS)
		return -EINVAL;
	vec = &slot->vec[index];
	if (test_bit(index, slot->pending))
		return -EBUSY;
	until = atomic64_read(&vec->raised);
	if (!wait_event_timeout(vec->wait,
				atomic64_read(&vec->handled) >= until,
				msecs_to_jiffies(timeout_ms)))
		return -ETIMEDOUT;
	return 0;
}

void shca_irq_unmasked(struct shca_slot *slot)
{
	unsigned int i;

	for_each_set_bit(i, slot->pending, SHCA_MSIX_VECTORS)
		vec_deliver_pending(&slot->vec[i]);
}

void shca_irq_vec_unmasked(struct shca_slot *slot, unsigned int index)
{
	/* Pairs with the one in shca_irq_raise(): mask bit, then pending bit. */
	smp_mb();
	vec_deliver_pending(&slot->vec[index]);
}

void shca_irq_retrigger(struct shca_slot *slot, unsigned int index)
{
	vec_send(&slot->vec[index]);
}

void shca_irq_bind(struct shca_slot *slot, unsigned int index,
		   unsigned int virq)
{
	WRITE_ONCE(slot->vec[index].virq, virq);
}

/* After it the handler does not run any more. */
void shca_irq_unbind(struct shca_slot *slot, unsigned int index)
{
	struct shca_vec *vec = &slot->vec[index];
	unsigned long flags;

	WRITE_ONCE(vec->virq, 0);
	irq_work_sync(&vec->work);
	/* A call to another CPU may still be on its way there. */
	wait_event(vec->wait,
		   !atomic_read(&vec->queued) && !atomic_read(&vec->raises));
	raw_spin_lock_irqsave(&slot->pba_lock, flags);
	__clear_bit(index, slot->pending);
	raw_spin_unlock_irqrestore(&slot->pba_lock, flags);
}

void shca_irq_slot_init(struct shca_slot *slot)
{
	unsigned int i;

	raw_spin_lock_init(&slot->pba_lock);
	for (i = 0; i < SHCA_MSIX_VECTORS; i++) {
		struct shca_vec *vec = &slot->vec[i];

		vec->slot = slot;
		vec->index = i;
		init_waitqueue_head(&vec->wait);
		init_irq_work(&vec->work, vec_work);
		INIT_CSD(&vec->csd, vec_fire_remote, vec);
	}
}

void shca_irq_slot_exit(struct shca_slot *slot)
{
	unsigned int i;

	for (i = 0; i < SHCA_MSIX_VECTORS; i++)
		shca_irq_unbind(slot, i);
}
