// SPDX-License-Identifier: GPL-2.0
/* The HCA as a whole: enabled, initialised, torn down, identified. */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/string.h>

#include "fw/internal.h"

#define ISSI_MAX		1
#define IEEE_VENDOR_ID		0x0002c9
#define VSD_VENDOR_ID		0x15b3

/* Every object goes, quietly; what the driver gave is its own again. */
static void drop_objects(struct shca_fw *fw)
{
	shca_hw_reset(fw->fn);
	shca_recs_forget(fw);
	shca_mem_fn_reset(fw->fn);
	shca_domains_forget(fw);
}

static void leave_up(struct shca_fw *fw)
{
	if (fw->hca != SHCA_HCA_UP)
		return;
	shca_hw_port_enable(fw->fn, false);
	drop_objects(fw);
	fw->hca = SHCA_HCA_ENABLED;
	shca_fn_set_state(fw->fn, SHCA_FN_READY);
}

/* As after power-on. */
void shca_hca_off(struct shca_fw *fw)
{
	leave_up(fw);
	shca_pages_forget(fw);
	shca_caps_reset(fw);
	fw->issi = 0;
	fw->hca = SHCA_HCA_OFF;
}

/* A driver that died without a word may have left the HCA enabled or up: the
 * next one starts from the beginning all the same.
 */
int shca_cmd_enable_hca(struct shca_cmd *cmd)
{
	shca_hca_off(cmd->fw);
	cmd->fw->hca = SHCA_HCA_ENABLED;
	return 0;
}

int shca_cmd_disable_hca(struct shca_cmd *cmd)
{
	shca_hca_off(cmd->fw);
	cmd->fw->cmdq.last = true;
	return 0;
}

int shca_cmd_init_hca(struct shca_cmd *cmd)
{
	int err = shca_fn_set_state(cmd->fn, SHCA_FN_UP);

	if (err)
		return err;
	cmd->fw->hca = SHCA_HCA_UP;
	shca_hw_port_enable(cmd->fn, true);
	return 0;
}

/* Closing drops what is left at once, so it cannot fail. The fast way has two
 * steps: this command only prepares, and its answer still goes through the event
 * queue; everything ends when the driver sets the NIC state to DISABLED.
 */
int shca_cmd_teardown_hca(struct shca_cmd *cmd)
{
	switch (MLX5_GET(teardown_hca_in, cmd->in, profile)) {
	case MLX5_TEARDOWN_HCA_IN_PROFILE_GRACEFUL_CLOSE:
	case MLX5_TEARDOWN_HCA_IN_PROFILE_FORCE_CLOSE:
		leave_up(cmd->fw);
		break;
	case MLX5_TEARDOWN_HCA_IN_PROFILE_PREPARE_FAST_TEARDOWN:
		break;
	default:
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_TEARDOWN);
	}
	MLX5_SET(teardown_hca_out, cmd->out, state,
		 MLX5_TEARDOWN_HCA_OUT_FORCE_STATE_SUCCESS);
	return 0;
}

int shca_cmd_query_issi(struct shca_cmd *cmd)
{
	MLX5_SET(query_issi_out, cmd->out, current_issi, cmd->fw->issi);
	MLX5_SET(query_issi_out, cmd->out, supported_issi_dw0,
		 GENMASK(ISSI_MAX, 0));
	return 0;
}

int shca_cmd_set_issi(struct shca_cmd *cmd)
{
	u16 issi = MLX5_GET(set_issi_in, cmd->in, current_issi);

	if (issi > ISSI_MAX)
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_ISSI);
	cmd->fw->issi = issi;
	return 0;
}

int shca_cmd_query_adapter(struct shca_cmd *cmd)
{
	char *psid = MLX5_ADDR_OF(query_adapter_out, cmd->out,
				  query_adapter_struct.vsd_contd_psid);

	MLX5_SET(query_adapter_out, cmd->out,
		 query_adapter_struct.ieee_vendor_id, IEEE_VENDOR_ID);
	MLX5_SET(query_adapter_out, cmd->out,
		 query_adapter_struct.vsd_vendor_id, VSD_VENDOR_ID);
	/* A field of 16 bytes, zero at its end when it is not full. */
	memcpy(psid, cmd->fw->profile->psid, strlen(cmd->fw->profile->psid));
	return 0;
}

/* Its effect is its completion. */
int shca_cmd_nop(struct shca_cmd *cmd)
{
	return 0;
}
