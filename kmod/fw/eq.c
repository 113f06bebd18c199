// SPDX-License-Identifier: GPL-2.0
/* Event queue commands. */
#include <linux/string.h>

#include "fw/internal.h"

int shca_cmd_create_eq(struct shca_cmd *cmd)
{
	void *eqc = MLX5_ADDR_OF(create_eq_in, cmd->in, eq_context_entry);
	void *bits = MLX5_ADDR_OF(create_eq_in, cmd->in, event_bitmask);
	struct shca_buf_src src = {};
	__be64 mask[4];
	struct shca_rec *rec;
	u8 eqn;
	int err;

	shca_src_pas(cmd, &src, MLX5_ST_SZ_BYTES(create_eq_in),
		     MLX5_GET(eqc, eqc, log_page_size),
		     MLX5_GET(eqc, eqc, page_offset));
	memcpy(mask, bits, sizeof(mask));
	err = shca_rec_begin(cmd, SHCA_REC_EQ, 0, 0, &rec);
	if (err)
		return err;
	err = shca_eq_create(cmd->fn, cmd->uid, eqc, mask, &src, &eqn);
	err = shca_rec_end(cmd, rec, err, eqn);
	if (!err)
		MLX5_SET(create_eq_out, cmd->out, eq_number, eqn);
	return err;
}

int shca_cmd_query_eq(struct shca_cmd *cmd)
{
	return shca_eq_query(cmd->fn, cmd->uid,
			     MLX5_GET(query_eq_in, cmd->in, eq_number),
			     MLX5_ADDR_OF(query_eq_out, cmd->out,
					  eq_context_entry));
}

int shca_cmd_destroy_eq(struct shca_cmd *cmd)
{
	return shca_rec_destroy(cmd, SHCA_REC_EQ,
				MLX5_GET(destroy_eq_in, cmd->in, eq_number));
}
