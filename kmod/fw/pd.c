// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers that other objects refer to and that are nothing in themselves:
 * protection, transport and XRC domains, user contexts. And UARs, which the
 * engine has.
 */
#include <linux/err.h>
#include <linux/slab.h>

#include "fw/internal.h"

/* 0 is no domain, and no user context: that is the kernel's own. */
#define FIRST	1

void shca_domains_init(struct shca_fw *fw)
{
#define LAST(field)	((1U << MLX5_GET(cmd_hca_cap, fw->cap_max, field)) - 1)
	shca_tbl_init(&fw->pds, FIRST, LAST(log_max_pd));
	shca_tbl_init(&fw->tds, FIRST, LAST(log_max_transport_domain));
	shca_tbl_init(&fw->xrcds, FIRST, LAST(log_max_xrcd));
	shca_tbl_init(&fw->uctxs, FIRST, LAST(log_max_uctx));
#undef LAST
}

/* @uid 0: everyone's. What is still held stays, and is told by the caller's
 * next look at the table.
 */
static void free_all(struct shca_tbl *tbl, u16 uid)
{
	struct shca_obj *obj;
	unsigned long id;

	shca_tbl_for_each(tbl, id, obj) {
		if (uid && obj->uid != uid)
			continue;
		obj = shca_obj_del(tbl, id, 0);
		if (!IS_ERR(obj))
			kfree_rcu(obj, rcu);
	}
}

void shca_domains_uid_gone(struct shca_fw *fw, u16 uid)
{
	free_all(&fw->xrcds, uid);
	free_all(&fw->tds, uid);
	free_all(&fw->pds, uid);
}

void shca_domains_forget(struct shca_fw *fw)
{
	shca_domains_uid_gone(fw, 0);
	free_all(&fw->uctxs, 0);
}

void shca_domains_exit(struct shca_fw *fw)
{
	shca_domains_forget(fw);
	shca_tbl_exit(&fw->pds);
	shca_tbl_exit(&fw->tds);
	shca_tbl_exit(&fw->xrcds);
	shca_tbl_exit(&fw->uctxs);
}

int shca_domain_alloc(struct shca_cmd *cmd, struct shca_tbl *tbl, u32 *id)
{
	struct shca_obj *obj = kzalloc(sizeof(*obj), GFP_KERNEL);
	int err;

	if (!obj)
		return -ENOMEM;
	err = shca_obj_add(tbl, obj, cmd->uid);
	if (err) {
		kfree(obj);
		return err == -ENOSPC ?
		       shca_cmd_refuse(cmd, err, SHCA_SYND_TABLE_FULL) : err;
	}
	*id = obj->id;
	return 0;
}

int shca_domain_free(struct shca_cmd *cmd, struct shca_tbl *tbl, u32 id,
		     enum shca_syndrome none, enum shca_syndrome busy)
{
	struct shca_obj *obj = shca_obj_del(tbl, id, cmd->uid);

	if (IS_ERR(obj))
		return shca_cmd_refuse(cmd, PTR_ERR(obj),
				       PTR_ERR(obj) == -EBUSY ? busy : none);
	kfree_rcu(obj, rcu);
	return 0;
}

int shca_cmd_alloc_pd(struct shca_cmd *cmd)
{
	u32 id;
	int err;

	err = shca_domain_alloc(cmd, &cmd->fw->pds, &id);
	if (!err)
		MLX5_SET(alloc_pd_out, cmd->out, pd, id);
	return err;
}

int shca_cmd_dealloc_pd(struct shca_cmd *cmd)
{
	return shca_domain_free(cmd, &cmd->fw->pds,
				MLX5_GET(dealloc_pd_in, cmd->in, pd),
				SHCA_SYND_PD, SHCA_SYND_PD_BUSY);
}

int shca_cmd_alloc_td(struct shca_cmd *cmd)
{
	u32 id;
	int err;

	err = shca_domain_alloc(cmd, &cmd->fw->tds, &id);
	if (!err)
		MLX5_SET(alloc_transport_domain_out, cmd->out,
			 transport_domain, id);
	return err;
}

int shca_cmd_dealloc_td(struct shca_cmd *cmd)
{
	return shca_domain_free(cmd, &cmd->fw->tds,
				MLX5_GET(dealloc_transport_domain_in, cmd->in,
					 transport_domain),
				SHCA_SYND_TD, SHCA_SYND_OBJECT_BUSY);
}

int shca_cmd_alloc_xrcd(struct shca_cmd *cmd)
{
	u32 id;
	int err;

	err = shca_domain_alloc(cmd, &cmd->fw->xrcds, &id);
	if (!err)
		MLX5_SET(alloc_xrcd_out, cmd->out, xrcd, id);
	return err;
}

int shca_cmd_dealloc_xrcd(struct shca_cmd *cmd)
{
	return shca_domain_free(cmd, &cmd->fw->xrcds,
				MLX5_GET(dealloc_xrcd_in, cmd->in, xrcd),
				SHCA_SYND_XRCD, SHCA_SYND_XRCD_BUSY);
}

int shca_cmd_alloc_uar(struct shca_cmd *cmd)
{
	struct shca_rec *rec;
	u32 index;
	int err;

	err = shca_rec_begin(cmd, SHCA_REC_UAR, 0, 0, &rec);
	if (err)
		return err;
	err = shca_uar_alloc(cmd->fn, cmd->uid, &index);
	err = shca_rec_end(cmd, rec, err, index);
	if (!err)
		MLX5_SET(alloc_uar_out, cmd->out, uar, index);
	return err;
}

int shca_cmd_dealloc_uar(struct shca_cmd *cmd)
{
	return shca_rec_destroy(cmd, SHCA_REC_UAR,
				MLX5_GET(dealloc_uar_in, cmd->in, uar));
}
