// SPDX-License-Identifier: GPL-2.0
/* Memory keys. */
#include <linux/errno.h>

#include "fw/internal.h"

/* Fields of CREATE_MKEY that the kernel's header keeps in a reserved range:
 * the id and the offset of the UMEM that the translation list lies in.
 */
#define UMEM_ID_OFF		0x64
#define UMEM_OFFSET_OFF		0x68
#define OCTWORD			16

static bool mode_is_pa(const void *mkc)
{
	u8 mode = MLX5_GET(mkc, mkc, access_mode_4_2) << 2 |
		  MLX5_GET(mkc, mkc, access_mode_1_0);

	return mode == MLX5_MKC_ACCESS_MODE_PA;
}

int shca_cmd_create_mkey(struct shca_cmd *cmd)
{
	void *mkc = MLX5_ADDR_OF(create_mkey_in, cmd->in,
				 memory_key_mkey_entry);
	u64 xlt = (u64)MLX5_GET(create_mkey_in, cmd->in,
				translations_octword_actual_size) * OCTWORD;
	bool by_umem = MLX5_GET(create_mkey_in, cmd->in, mkey_umem_valid);
	u32 room = cmd->inlen - MLX5_ST_SZ_BYTES(create_mkey_in);
	struct shca_buf_src src = {};
	struct shca_rec *rec;
	u32 index;
	int err;

	/* Such a key opens all memory; with it a user reads any of it. */
	if (cmd->uid && mode_is_pa(mkc))
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_MKEY_PA);
	if (!by_umem && xlt > room)
		return shca_cmd_refuse(cmd, -E2BIG, SHCA_SYND_MKEY_LIST);
	shca_src_umem(cmd, &src, by_umem, cmd->in + UMEM_ID_OFF,
		      cmd->in + UMEM_OFFSET_OFF);

	err = shca_rec_begin(cmd, SHCA_REC_MKEY, MLX5_GET(mkc, mkc, pd), 0,
			     &rec);
	if (err)
		return err;
	/* The driver moves such keys from domain to domain by UMR, and frees
	 * the one that they were made in.
	 */
	if (!cmd->uid && !mode_is_pa(mkc) && MLX5_GET(mkc, mkc, umr_en))
		shca_rec_leave_pd(rec);
	err = shca_mkey_create(cmd->fn, cmd->uid, mkc,
			       MLX5_ADDR_OF(create_mkey_in, cmd->in,
					    klm_pas_mtt),
			       by_umem ? 0 : xlt, by_umem ? &src : NULL,
			       &index);
	err = shca_rec_end(cmd, rec, err, index);
	if (!err)
		MLX5_SET(create_mkey_out, cmd->out, mkey_index, index);
	return err;
}

int shca_cmd_query_mkey(struct shca_cmd *cmd)
{
	return shca_mkey_query(cmd->fn, cmd->uid,
			       MLX5_GET(query_mkey_in, cmd->in, mkey_index),
			       MLX5_ADDR_OF(query_mkey_out, cmd->out,
					    memory_key_mkey_entry));
}

int shca_cmd_destroy_mkey(struct shca_cmd *cmd)
{
	return shca_rec_destroy(cmd, SHCA_REC_MKEY,
				MLX5_GET(destroy_mkey_in, cmd->in, mkey_index));
}

int shca_cmd_query_special_contexts(struct shca_cmd *cmd)
{
	MLX5_SET(query_special_contexts_out, cmd->out, resd_lkey,
		 shca_mkey_reserved(cmd->fn));
	return 0;
}
