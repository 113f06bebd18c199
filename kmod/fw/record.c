// SPDX-License-Identifier: GPL-2.0
/*
 * What commands have made, for whom, and which domains it depends on. A domain
 * in use cannot be freed, else its number would come to mean another user's;
 * and what a user context leaves behind is destroyed with it.
 *
 * Only the command work changes this; the counts are read by others.
 */
#include <linux/errno.h>
#include <linux/slab.h>

#include "fw/internal.h"

static int destroy_eq(struct shca_fn *fn, u16 uid, u32 id)
{
	return shca_eq_destroy(fn, uid, id);
}

static int (*const destroy[SHCA_REC_TYPES])(struct shca_fn *fn, u16 uid,
					    u32 id) = {
	[SHCA_REC_QP]	= shca_qp_destroy,
	[SHCA_REC_SRQ]	= shca_srq_destroy,
	[SHCA_REC_RMP]	= shca_rmp_destroy,
	[SHCA_REC_CQ]	= shca_cq_destroy,
	[SHCA_REC_EQ]	= destroy_eq,
	[SHCA_REC_UAR]	= shca_uar_free,
	[SHCA_REC_MKEY]	= shca_mkey_destroy,
	[SHCA_REC_UMEM]	= shca_umem_destroy,
	[SHCA_REC_QCNT]	= shca_qcnt_free,
};

void shca_recs_init(struct shca_fw *fw)
{
	unsigned int type;

	for (type = 0; type < SHCA_REC_TYPES; type++)
		xa_init(&fw->recs[type]);
}

void shca_recs_exit(struct shca_fw *fw)
{
	unsigned int type;

	shca_recs_forget(fw);
	for (type = 0; type < SHCA_REC_TYPES; type++)
		xa_destroy(&fw->recs[type]);
}

static void rec_free(struct shca_rec *rec)
{
	if (rec->pd)
		shca_obj_unhold(rec->pd);
	if (rec->xrcd)
		shca_obj_unhold(rec->xrcd);
	kfree(rec);
}

static void count(struct shca_fw *fw, enum shca_rec_type type, int change)
{
	WRITE_ONCE(fw->nrecs[type], fw->nrecs[type] + change);
}

static void rec_drop(struct shca_fw *fw, struct shca_rec *rec)
{
	xa_erase(&fw->recs[rec->type], rec->id);
	count(fw, rec->type, -1);
	rec_free(rec);
}

void shca_recs_forget(struct shca_fw *fw)
{
	struct shca_rec *rec;
	unsigned int type;
	unsigned long id;

	for (type = 0; type < SHCA_REC_TYPES; type++)
		xa_for_each(&fw->recs[type], id, rec)
			rec_drop(fw, rec);
}

void shca_recs_uid_gone(struct shca_fw *fw, u16 uid)
{
	struct shca_rec *rec;
	unsigned int type;
	unsigned long id;

	shca_hw_uid_gone(fw->fn, uid);
	shca_mem_uid_gone(fw->fn, uid);
	for (type = 0; type < SHCA_REC_TYPES; type++)
		xa_for_each(&fw->recs[type], id, rec)
			if (rec->uid == uid)
				rec_drop(fw, rec);
}

/* Holds without pinning: the command work, which alone destroys, goes by it. */
static struct shca_obj *hold(struct shca_tbl *tbl, u32 id, u16 uid)
{
	struct shca_obj *obj = shca_obj_get(tbl, id, uid);

	if (!obj)
		return NULL;
	shca_obj_hold(obj);
	shca_obj_put(obj);
	return obj;
}

/* The drivers serve users' plain XRC queues with an XRC domain of their own,
 * so any user may name one of theirs.
 */
static struct shca_obj *hold_xrcd(struct shca_fw *fw, u32 id, u16 uid)
{
	struct shca_obj *obj = hold(&fw->xrcds, id, 0);

	if (obj && uid && obj->uid && obj->uid != uid) {
		shca_obj_unhold(obj);
		return NULL;
	}
	return obj;
}

static int rec_hold(struct shca_cmd *cmd, struct shca_rec *rec, u32 pd,
		    u32 xrcd)
{
	if (pd) {
		rec->pd = hold(&cmd->fw->pds, pd, cmd->uid);
		if (!rec->pd)
			return shca_cmd_refuse(cmd, -ENOENT, SHCA_SYND_PD);
	}
	if (xrcd) {
		rec->xrcd = hold_xrcd(cmd->fw, xrcd, cmd->uid);
		if (!rec->xrcd)
			return shca_cmd_refuse(cmd, -ENOENT, SHCA_SYND_XRCD);
	}
	return 0;
}

int shca_rec_begin(struct shca_cmd *cmd, enum shca_rec_type type, u32 pd,
		   u32 xrcd, struct shca_rec **rec)
{
	int err;

	*rec = kzalloc(sizeof(**rec), GFP_KERNEL);
	if (!*rec)
		return -ENOMEM;
	(*rec)->type = type;
	(*rec)->uid = cmd->uid;
	err = rec_hold(cmd, *rec, pd, xrcd);
	if (err)
		rec_free(*rec);
	return err;
}

void shca_rec_leave_pd(struct shca_rec *rec)
{
	if (rec->pd)
		shca_obj_unhold(rec->pd);
	rec->pd = NULL;
}

int shca_rec_end(struct shca_cmd *cmd, struct shca_rec *rec, int err, u32 id)
{
	struct shca_fw *fw = cmd->fw;

	if (err)
		goto free;
	rec->id = id;
	err = xa_insert(&fw->recs[rec->type], id, rec, GFP_KERNEL);
	if (err) {
		destroy[rec->type](cmd->fn, rec->uid, id);
		goto free;
	}
	count(fw, rec->type, 1);
	return 0;
free:
	rec_free(rec);
	return err;
}

int shca_rec_destroy(struct shca_cmd *cmd, enum shca_rec_type type, u32 id)
{
	struct shca_rec *rec = xa_load(&cmd->fw->recs[type], id);
	int err;

	if (!rec || (cmd->uid && rec->uid != cmd->uid))
		return shca_cmd_refuse(cmd, -ENOENT, SHCA_SYND_OBJECT);
	err = destroy[type](cmd->fn, cmd->uid, id);
	if (err == -EBUSY)
		return shca_cmd_refuse(cmd, err, SHCA_SYND_OBJECT_BUSY);
	if (err)
		return err;
	rec_drop(cmd->fw, rec);
	return 0;
}
