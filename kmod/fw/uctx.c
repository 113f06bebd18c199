// SPDX-License-Identifier: GPL-2.0
/* User contexts, and the memory that they may name instead of addresses. */
#include <linux/errno.h>

#include "fw/internal.h"

bool shca_uctx_valid(struct shca_fw *fw, u16 uid)
{
	struct shca_obj *obj;

	/* For objects of the driver that all users share. */
	if (uid == MLX5_SHARED_RESOURCE_UID)
		return true;
	obj = shca_obj_get(&fw->uctxs, uid, 0);
	if (!obj)
		return false;
	shca_obj_put(obj);
	return true;
}

int shca_cmd_create_uctx(struct shca_cmd *cmd)
{
	u32 cap = MLX5_GET(create_uctx_in, cmd->in, uctx.cap);
	u32 uid;
	int err;

	if (cap & ~MLX5_GET(cmd_hca_cap, cmd->fw->cap_cur, uctx_cap))
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_UCTX_CAP);
	err = shca_domain_alloc(cmd, &cmd->fw->uctxs, &uid);
	if (!err)
		MLX5_SET(create_uctx_out, cmd->out, uid, uid);
	return err;
}

/* The driver destroys what it knows of first; the rest goes with the context. */
int shca_cmd_destroy_uctx(struct shca_cmd *cmd)
{
	u16 uid = MLX5_GET(destroy_uctx_in, cmd->in, uid);

	if (!uid || uid == MLX5_SHARED_RESOURCE_UID ||
	    !shca_uctx_valid(cmd->fw, uid))
		return shca_cmd_refuse(cmd, -ENOENT, SHCA_SYND_UCTX);
	shca_recs_uid_gone(cmd->fw, uid);
	shca_domains_uid_gone(cmd->fw, uid);
	return shca_domain_free(cmd, &cmd->fw->uctxs, uid, SHCA_SYND_UCTX,
				SHCA_SYND_OBJECT_BUSY);
}

int shca_cmd_create_umem(struct shca_cmd *cmd)
{
	void *umem = MLX5_ADDR_OF(create_umem_in, cmd->in, umem);
	u32 room = (cmd->inlen - MLX5_ST_SZ_BYTES(create_umem_in)) /
		   MLX5_ST_SZ_BYTES(mtt);
	u64 nmtt = MLX5_GET64(umem, umem, num_of_mtt);
	struct shca_rec *rec;
	u32 id;
	int err;

	if (!nmtt || nmtt > room)
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_UMEM_LIST);
	err = shca_rec_begin(cmd, SHCA_REC_UMEM, 0, 0, &rec);
	if (err)
		return err;
	err = shca_umem_create(cmd->fn, cmd->uid, umem,
			       MLX5_ADDR_OF(umem, umem, mtt), nmtt, &id);
	err = shca_rec_end(cmd, rec, err, id);
	if (!err)
		MLX5_SET(create_umem_out, cmd->out, umem_id, id);
	return err;
}

int shca_cmd_destroy_umem(struct shca_cmd *cmd)
{
	return shca_rec_destroy(cmd, SHCA_REC_UMEM,
				MLX5_GET(destroy_umem_in, cmd->in, umem_id));
}
