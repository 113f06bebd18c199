// SPDX-License-Identifier: GPL-2.0
/* MAD_IFC: the host hands a MAD to its own port's agents. */
#include <linux/errno.h>
#include <rdma/ib_mad.h>

#include "fw/internal.h"

#define IGNORE_MKEY	BIT(0)	/* op_mod */

int shca_cmd_mad_ifc(struct shca_cmd *cmd)
{
	void *mad = MLX5_ADDR_OF(mad_ifc_in, cmd->in, mad);
	void *response = MLX5_ADDR_OF(mad_ifc_out, cmd->out,
				      response_mad_packet);
	u8 num = MLX5_GET(mad_ifc_in, cmd->in, port);
	const struct ib_mad_hdr *hdr = mad;
	bool answered;

	if (num != 1)
		return shca_cmd_refuse(cmd, -EINVAL, SHCA_SYND_PORT);
	answered = shca_mad_process(shca_hw_port(cmd->fn, num), mad, response,
				    MLX5_GET(mad_ifc_in, cmd->in, remote_lid),
				    cmd->op_mod & IGNORE_MKEY);
	/* A request that the agents drop, for a wrong M_Key say, is an error to
	 * who handed it in; a message that wants no answer is not.
	 */
	if (!answered && (hdr->method == IB_MGMT_METHOD_GET ||
			  hdr->method == IB_MGMT_METHOD_SET))
		return shca_cmd_refuse(cmd, -EBADMSG, SHCA_SYND_MAD_DROPPED);
	return 0;
}
