// SPDX-License-Identifier: GPL-2.0
/* Q counter commands. */
#include "fw/internal.h"

int shca_cmd_alloc_q_counter(struct shca_cmd *cmd)
{
	struct shca_rec *rec;
	u32 id;
	int err;

	err = shca_rec_begin(cmd, SHCA_REC_QCNT, 0, 0, &rec);
	if (err)
		return err;
	err = shca_qcnt_alloc(cmd->fn, cmd->uid, &id);
	err = shca_rec_end(cmd, rec, err, id);
	if (!err)
		MLX5_SET(alloc_q_counter_out, cmd->out, counter_set_id, id);
	return err;
}

/* Whose counters to give, and of how many sets: not offered. The kernel's
 * layout got these only later.
 */
#define OTHER_VPORT_OFF		0x08
#define AGGREGATE_OFF		0x18
#define AGGREGATE		BIT(30)

int shca_cmd_query_q_counter(struct shca_cmd *cmd)
{
	const __be32 *vport = cmd->in + OTHER_VPORT_OFF;
	const __be32 *flags = cmd->in + AGGREGATE_OFF;

	if (*vport || be32_to_cpu(*flags) & AGGREGATE)
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_VPORT);
	return shca_qcnt_query(cmd->fn, cmd->uid,
			       MLX5_GET(query_q_counter_in, cmd->in,
					counter_set_id),
			       MLX5_GET(query_q_counter_in, cmd->in, clear),
			       cmd->out);
}

int shca_cmd_dealloc_q_counter(struct shca_cmd *cmd)
{
	return shca_rec_destroy(cmd, SHCA_REC_QCNT,
				MLX5_GET(dealloc_q_counter_in, cmd->in,
					 counter_set_id));
}
