// SPDX-License-Identifier: GPL-2.0
/*
 * Event queues.
 *
 * The consumer indexes of all EQs of a UAR page are stored to one word, so the
 * device cannot know them: EQs are always armed, and an overrun is the
 * driver's to avoid, as with the PRM's "overrun ignore".
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "engine/hw.h"
#include "pci/pci.h"

#define SHCA_EQE_SHIFT	6

static bool eq_wants(const struct shca_eq *eq, u8 type)
{
	return eq->mask[type / 64] & BIT_ULL(type % 64);
}

static void eq_encode(const struct shca_eq *eq, struct mlx5_eqe *eqe, u8 type,
		      u8 sub_type, const union ev_data *data)
{
	memset(eqe, 0, sizeof(*eqe));
	eqe->type = type;
	eqe->sub_type = sub_type;
	if (data)
		eqe->data = *data;
	eqe->owner = shca_ring_owner(eq->pi, eq->log_size);
}

int shca_eq_post(struct shca_eq *eq, u8 type, u8 sub_type,
		 const union ev_data *data)
{
	u32 mask = (1U << eq->log_size) - 1;
	struct mlx5_eqe eqe;
	unsigned long flags;
	int err = -EIO;

	spin_lock_irqsave(&eq->lock, flags);
	if (eq->status == MLX5_EQC_STATUS_OK) {
		eq_encode(eq, &eqe, type, sub_type, data);
		err = shca_buf_write_owned(eq->hw->fn, &eq->buf,
					   (u64)(eq->pi & mask) << SHCA_EQE_SHIFT,
					   &eqe, sizeof(eqe));
		if (err == -EFAULT)
			eq->status = MLX5_EQC_STATUS_EQ_WRITE_FAILURE;
		if (!err)
			eq->pi++;
	}
	spin_unlock_irqrestore(&eq->lock, flags);
	if (err)
		return err;

	shca_engine_trace_eqe(eq, type, sub_type);
	/* With interrupts off the driver polls; the entry is there. */
	shca_irq_raise(eq->hw->fn, eq->vector);
	return 0;
}

/* The next EQ behind *id, pinned. NULL at the end. */
static struct shca_eq *eq_next(struct shca_hw *hw, unsigned long *id)
{
	struct shca_obj *obj;

	rcu_read_lock();
	do {
		++*id;
		obj = xa_find(&hw->eqs.xa, id, ULONG_MAX, XA_PRESENT);
	} while (obj && !refcount_inc_not_zero(&obj->ref));
	rcu_read_unlock();
	return obj ? container_of(obj, struct shca_eq, obj) : NULL;
}

static int eq_event(struct shca_fn *fn, u8 type, u8 sub_type,
		    const union ev_data *data, u64 *vectors)
{
	unsigned long id = 0;
	struct shca_eq *eq;
	int n = 0;

	while ((eq = eq_next(fn->hw, &id))) {
		if (eq_wants(eq, type) &&
		    !shca_eq_post(eq, type, sub_type, data)) {
			*vectors |= BIT_ULL(eq->vector);
			n++;
		}
		shca_obj_put(&eq->obj);
	}
	return n;
}

int shca_eq_event(struct shca_fn *fn, u8 type, u8 sub_type,
		  const union ev_data *data)
{
	u64 vectors = 0;

	return eq_event(fn, type, sub_type, data, &vectors);
}

int shca_eq_event_sync(struct shca_fn *fn, u8 type, u8 sub_type,
		       const union ev_data *data, unsigned int timeout_ms)
{
	u64 vectors = 0;
	unsigned int vec;
	int n, err;

	n = eq_event(fn, type, sub_type, data, &vectors);
	for (vec = 0; vec < SHCA_MSIX_VECTORS; vec++) {
		if (!(vectors & BIT_ULL(vec)))
			continue;
		err = shca_irq_wait(fn, vec, timeout_ms);
		if (err)
			return err;
	}
	return n;
}

void shca_eq_queue_event(struct shca_hw *hw, u8 type, u8 queue, u32 num)
{
	union ev_data data = {
		.qp_srq.type = queue,
		.qp_srq.qp_srq_n = cpu_to_be32(num),
	};

	shca_eq_event(hw->fn, type, 0, &data);
}

int shca_eq_command_eqn(struct shca_fn *fn)
{
	unsigned long id = 0;
	struct shca_eq *eq;
	int eqn = -ENOENT;

	while (eqn < 0 && (eq = eq_next(fn->hw, &id))) {
		if (eq_wants(eq, MLX5_EVENT_TYPE_CMD))
			eqn = eq->obj.id;
		shca_obj_put(&eq->obj);
	}
	return eqn;
}

int shca_eq_command(struct shca_fn *fn, int eqn, u32 vector)
{
	union ev_data data = { .cmd.vector = cpu_to_be32(vector) };
	struct shca_obj *obj = shca_obj_get(&fn->hw->eqs, eqn, 0);
	int err;

	if (!obj)
		return -ENOENT;
	err = shca_eq_post(container_of(obj, struct shca_eq, obj),
			   MLX5_EVENT_TYPE_CMD, 0, &data);
	shca_obj_put(obj);
	return err;
}

struct shca_eq *shca_eq_hold(struct shca_hw *hw, u32 eqn, u16 uid)
{
	struct shca_obj *obj = shca_obj_get(&hw->eqs, eqn, 0);

	if (!obj)
		return NULL;
	if (uid && obj->uid != uid && obj->uid != SHCA_SHARED_UID) {
		shca_obj_put(obj);
		return NULL;
	}
	shca_obj_hold(obj);
	shca_obj_put(obj);
	return container_of(obj, struct shca_eq, obj);
}

static int eq_fill(struct shca_hw *hw, struct shca_eq *eq, const void *eqc,
		   const __be64 event_mask[4], const struct shca_buf_src *src)
{
	unsigned int i;

	eq->hw = hw;
	spin_lock_init(&eq->lock);
	memcpy(eq->eqc, eqc, sizeof(eq->eqc));
	for (i = 0; i < ARRAY_SIZE(eq->mask); i++)
		eq->mask[i] = be64_to_cpu(event_mask[i]);
	eq->log_size = MLX5_GET(eqc, eqc, log_eq_size);
	if (eq->log_size > hw->lim.log_max_eq_sz)
		return -EINVAL;
	if (MLX5_GET(eqc, eqc, intr) >= SHCA_MSIX_VECTORS)
		return -EINVAL;
	eq->vector = MLX5_GET(eqc, eqc, intr);
	return shca_buf_init(hw->fn, &eq->buf, src,
			     1ULL << (eq->log_size + SHCA_EQE_SHIFT));
}

int shca_eq_create(struct shca_fn *fn, u16 uid, const void *eqc,
		   const __be64 event_mask[4], const struct shca_buf_src *src,
		   u8 *eqn)
{
	struct shca_hw *hw = fn->hw;
	struct shca_eq *eq;
	int err;

	eq = kzalloc(sizeof(*eq), GFP_KERNEL);
	if (!eq)
		return -ENOMEM;
	mutex_lock(&hw->config);
	err = eq_fill(hw, eq, eqc, event_mask, src);
	if (!err)
		err = shca_obj_add(&hw->eqs, &eq->obj, uid);
	if (!err)
		*eqn = eq->obj.id;
	mutex_unlock(&hw->config);
	if (err) {
		shca_buf_exit(&eq->buf);
		kfree(eq);
	}
	return err;
}

int shca_eq_query(struct shca_fn *fn, u16 uid, u8 eqn, void *eqc)
{
	struct shca_obj *obj = shca_obj_get(&fn->hw->eqs, eqn, uid);
	struct shca_eq *eq;
	unsigned long flags;

	if (!obj)
		return -ENOENT;
	eq = container_of(obj, struct shca_eq, obj);
	memcpy(eqc, eq->eqc, sizeof(eq->eqc));
	spin_lock_irqsave(&eq->lock, flags);
	MLX5_SET(eqc, eqc, status, eq->status);
	MLX5_SET(eqc, eqc, st, MLX5_EQC_ST_ARMED);
	MLX5_SET(eqc, eqc, producer_counter, eq->pi);
	spin_unlock_irqrestore(&eq->lock, flags);
	shca_obj_put(obj);
	return 0;
}

int shca_eq_destroy(struct shca_fn *fn, u16 uid, u8 eqn)
{
	struct shca_hw *hw = fn->hw;
	struct shca_obj *obj;
	struct shca_eq *eq;

	mutex_lock(&hw->config);
	obj = shca_obj_del(&hw->eqs, eqn, uid);
	mutex_unlock(&hw->config);
	if (IS_ERR(obj))
		return PTR_ERR(obj);
	eq = container_of(obj, struct shca_eq, obj);
	shca_buf_exit(&eq->buf);
	kfree_rcu(eq, obj.rcu);
	return 0;
}
