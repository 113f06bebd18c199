// SPDX-License-Identifier: GPL-2.0
/* The firmware of a function: its life, and its work. */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/workqueue.h>

#include "fw/internal.h"

#define MELLANOX_OUI		0x0002c9
#define WIDTH_1X_4X		0x3	/* IBTA encodings */
#define MTU_4096		5
#define VL_0_TO_7		4

/* PortInfo CapabilityMask, of what the port's agents serve: traps, SL mapping,
 * system image GUID, capability mask notices, client reregistration, other
 * local changes notices.
 */
#define PORT_CAP_BITS \
	(BIT(3) | BIT(6) | BIT(11) | BIT(22) | BIT(25) | BIT(26))

enum { NIC_FULL = 0, NIC_DISABLED = 1, NIC_SW_RESET = 7 };

static void ifc_written(struct shca_fw *fw)
{
	u8 state;
	u64 base = shca_iseg_cmdq(fw, &state);

	shca_cmdq_stop(fw);
	shca_hca_off(fw);
	if (state == NIC_SW_RESET)
		shca_iseg_nic_disabled(fw);
	else if (state == NIC_FULL)
		shca_cmdq_start(fw, base);
}

/* Power-on again: the bus has let go of the driver. */
static void reset(struct shca_fw *fw)
{
	shca_cmdq_stop(fw);
	shca_hca_off(fw);
	shca_iseg_init(fw);
}

static void command_work(struct work_struct *work)
{
	struct shca_fw *fw = container_of(work, struct shca_fw, work);
	unsigned long rung, events;

	/* A doorbell is rung after the address was written: take it first. */
	rung = xchg(&fw->rung, 0);
	events = xchg(&fw->events, 0);
	if (READ_ONCE(fw->gone))
		return;
	if (events & BIT(SHCA_FW_EV_RESET))
		reset(fw);
	if (events & BIT(SHCA_FW_EV_IFC))
		ifc_written(fw);
	if (rung)
		shca_cmdq_run(fw, rung);
}

static void unrung_work(struct work_struct *work)
{
	shca_cmdq_unrung(container_of(to_delayed_work(work), struct shca_fw,
				      unrung_work));
}

static bool fw_poll(struct shca_fn *fn)
{
	struct shca_fw *fw = fn->fw;
	bool found;

	if (READ_ONCE(fw->gone))
		return false;
	found = shca_iseg_poll(fw);
	if (found)
		queue_work(fw->wq, &fw->work);
	return found;
}

static const struct shca_engine_ops engine_ops = {
	.poll = fw_poll,
	.port_event = shca_fw_port_event,
};

int shca_fw_init(void)
{
	return shca_engine_init(&engine_ops);
}

void shca_fw_exit(void)
{
	shca_engine_exit();
}

static void bus_reset(struct shca_fn *fn, enum shca_reset_cause cause)
{
	struct shca_fw *fw = fn->fw;

	shca_iseg_initializing(fw, true);
	set_bit(SHCA_FW_EV_RESET, &fw->events);
	queue_work(fw->wq, &fw->work);
}

/* A doorbell may have waited for it. */
static void bus_master(struct shca_fn *fn, bool on)
{
	if (on)
		shca_hw_kick(fn);
}

static const struct shca_fn_ops fn_ops = {
	.reset = bus_reset,
	.bus_master = bus_master,
};

static void port_attr(struct shca_fw *fw, struct shca_port_attr *attr)
{
	struct shca_fn *fn = fw->fn;

	*attr = (struct shca_port_attr) {
		.node_guid = fn->node_guid,
		.sys_guid = fn->sys_guid,
		.port_guid = fn->port_guid,
		.device_id = fw->profile->device_id,
		.vendor_oui = MELLANOX_OUI,
		.num_ports = shca_hw_limits.num_ports,
		.port_num = 1,
		.pkey_table = shca_hw_limits.pkey_table,
		.gid_table = shca_hw_limits.gid_table,
		.cap_mask = PORT_CAP_BITS,
		.link_width_sup = WIDTH_1X_4X,
		.link_speed_sup = fw->profile->link_speed_sup,
		.link_speed_ext_sup = fw->profile->link_speed_ext_sup,
		.mtu_cap = MTU_4096,
		.vl_cap = VL_0_TO_7,
	};
	snprintf(attr->node_desc, sizeof(attr->node_desc), "%s %s",
		 fw->profile->product, fn->name);
}

static struct shca_fw *fw_alloc(struct shca_fn *fn,
				const struct shca_fw_attr *attr)
{
	struct shca_fw *fw = kvzalloc(sizeof(*fw), GFP_KERNEL);

	if (!fw)
		return NULL;
	fw->wq = alloc_ordered_workqueue("softhca_%s", WQ_HIGHPRI, fn->name);
	if (!fw->wq) {
		kvfree(fw);
		return NULL;
	}
	fw->fn = fn;
	fw->profile = attr->profile;
	INIT_WORK(&fw->work, command_work);
	INIT_DELAYED_WORK(&fw->unrung_work, unrung_work);
	init_waitqueue_head(&fw->gone_wait);
	xa_init(&fw->pages);
	shca_cmdq_init(fw, attr->log_cmdq_sz ?: 1);
	shca_caps_init(fw);
	shca_recs_init(fw);
	shca_domains_init(fw);
	return fw;
}

static void fw_free(struct shca_fw *fw)
{
	destroy_workqueue(fw->wq);
	shca_recs_exit(fw);
	shca_domains_exit(fw);
	xa_destroy(&fw->pages);
	kvfree(fw);
}

int shca_fw_fn_init(struct shca_fn *fn, const struct shca_fw_attr *attr)
{
	struct shca_port_attr port;
	struct shca_fw *fw;
	int err;

	if (attr->log_cmdq_sz > ilog2(SHCA_CMD_MAX_SLOTS))
		return -EINVAL;
	fw = fw_alloc(fn, attr);
	if (!fw)
		return -ENOMEM;
	fn->fw = fw;
	err = shca_mem_fn_init(fn);
	if (err)
		goto err_free;
	port_attr(fw, &port);
	err = shca_hw_fn_init(fn, &shca_hw_limits, &port);
	if (err)
		goto err_mem;
	shca_iseg_init(fw);
	fn->ops = &fn_ops;
	shca_hw_start(fn);
	return 0;
err_mem:
	shca_mem_fn_exit(fn);
err_free:
	fn->fw = NULL;
	fw_free(fw);
	return err;
}

/* Nothing is answered any more, and nothing is being answered. */
static void silence(struct shca_fw *fw)
{
	WRITE_ONCE(fw->gone, true);
	wake_up_all(&fw->gone_wait);
	cancel_work_sync(&fw->work);
	cancel_delayed_work_sync(&fw->unrung_work);
}

void shca_fw_fn_exit(struct shca_fn *fn)
{
	struct shca_fw *fw = fn->fw;

	fn->ops = NULL;
	shca_hw_stop(fn);
	silence(fw);
	shca_cmdq_stop(fw);
	shca_hca_off(fw);
	shca_hw_fn_exit(fn);
	shca_mem_fn_exit(fn);
	fn->fw = NULL;
	fw_free(fw);
}

void shca_fw_fn_gone(struct shca_fn *fn)
{
	silence(fn->fw);
	shca_iseg_dead(fn->fw);
}

const struct shca_profile *shca_fw_profile(struct shca_fn *fn)
{
	return fn->fw->profile;
}

void shca_fw_stat(struct shca_fn *fn, struct shca_fw_stat *stat)
{
	struct shca_fw *fw = fn->fw;

	*stat = (struct shca_fw_stat) {
		.commands = READ_ONCE(fw->commands),
		.bad_opcode = READ_ONCE(fw->bad_opcode),
		.failed = READ_ONCE(fw->failed),
		.pages = READ_ONCE(fw->npages),
		.qps = READ_ONCE(fw->nrecs[SHCA_REC_QP]),
		.cqs = READ_ONCE(fw->nrecs[SHCA_REC_CQ]),
		.eqs = READ_ONCE(fw->nrecs[SHCA_REC_EQ]),
		.mkeys = READ_ONCE(fw->nrecs[SHCA_REC_MKEY]),
		.srqs = READ_ONCE(fw->nrecs[SHCA_REC_SRQ]) +
			READ_ONCE(fw->nrecs[SHCA_REC_RMP]),
		.uars = READ_ONCE(fw->nrecs[SHCA_REC_UAR]),
		.uctxs = atomic_read(&fw->uctxs.count),
	};
}
