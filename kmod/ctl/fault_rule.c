// SPDX-License-Identifier: GPL-2.0
/*
 * One fault rule against one command, and the names of command statuses.
 */
#include <linux/kernel.h>
#include <linux/mlx5/device.h>
#include <linux/string.h>

#include "ctl/fault.h"

bool shca_fault_rule_hit(struct shca_fault_rule *rule,
			 const struct shca_card *card, u16 opcode)
{
	if (rule->card != card || (!rule->any_opcode && rule->opcode != opcode))
		return false;
	rule->seen++;
	if (rule->seen <= rule->after)
		return false;
	if (rule->count && rule->hits >= rule->count)
		return false;
	rule->hits++;
	return true;
}

static const struct {
	u8 status;
	const char *name;
} statuses[] = {
	{ MLX5_CMD_STAT_INT_ERR,		"INTERNAL_ERR" },
	{ MLX5_CMD_STAT_BAD_OP_ERR,		"BAD_OPCODE" },
	{ MLX5_CMD_STAT_BAD_PARAM_ERR,		"BAD_PARAM" },
	{ MLX5_CMD_STAT_BAD_SYS_STATE_ERR,	"BAD_SYS_STATE" },
	{ MLX5_CMD_STAT_BAD_RES_ERR,		"BAD_RESOURCE" },
	{ MLX5_CMD_STAT_RES_BUSY,		"RESOURCE_BUSY" },
	{ MLX5_CMD_STAT_LIM_ERR,		"EXCEED_LIM" },
	{ MLX5_CMD_STAT_BAD_RES_STATE_ERR,	"BAD_RES_STATE" },
	{ MLX5_CMD_STAT_IX_ERR,			"BAD_INDEX" },
	{ MLX5_CMD_STAT_NO_RES_ERR,		"NO_RESOURCES" },
	{ MLX5_CMD_STAT_BAD_QP_STATE_ERR,	"BAD_QP_STATE" },
	{ MLX5_CMD_STAT_BAD_PKT_ERR,		"BAD_PKT" },
	{ MLX5_CMD_STAT_BAD_SIZE_OUTS_CQES_ERR,	"BAD_SIZE_OUTS_CQES" },
	{ MLX5_CMD_STAT_BAD_INP_LEN_ERR,	"BAD_INPUT_LEN" },
	{ MLX5_CMD_STAT_BAD_OUTP_LEN_ERR,	"BAD_OUTPUT_LEN" },
};

int shca_status_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(statuses); i++)
		if (!strcasecmp(statuses[i].name, name))
			return statuses[i].status;
	return -ENOENT;
}

const char *shca_status_name(u8 status)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(statuses); i++)
		if (statuses[i].status == status)
			return statuses[i].name;
	return NULL;
}
