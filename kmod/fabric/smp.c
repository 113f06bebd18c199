// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/smp: directed-route SMPs as the subnet management interface of a CA
 * port treats them (IBTA 14.2.2). A CA is only ever an end of the directed
 * part of a route, so there is nothing to forward.
 *
 * This is for the node's own agents. When the host has QP0, its SMI does the
 * same steps, and SMPs pass here untouched.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include "fabric/node.h"

static bool shca_smp_last_hop(struct ib_smp *smp, u8 port_num)
{
	/* Only a switch could carry on by LID after the directed part. */
	if (smp->dr_dlid != IB_LID_PERMISSIVE)
		return false;
	if (smp->hop_cnt)
		smp->return_path[smp->hop_ptr] = port_num;
	smp->hop_ptr++;
	return true;
}

static bool shca_smp_arrive_request(struct ib_smp *smp, u8 port_num)
{
	if (smp->hop_ptr == smp->hop_cnt)
		return shca_smp_last_hop(smp, port_num);
	/* The directed part ended at a switch, a LID brought it here. */
	return smp->hop_ptr == smp->hop_cnt + 1;
}

static bool shca_smp_arrive_response(struct ib_smp *smp)
{
	if (smp->hop_ptr == 1 && smp->dr_slid == IB_LID_PERMISSIVE) {
		smp->hop_ptr = 0;
		return true;
	}
	return smp->hop_ptr == 0;
}

/* True: the SMP has come to its end, this node; its hop pointer is updated. */
bool shca_smp_arrive(struct ib_smp *smp, u8 port_num)
{
	if (smp->hop_cnt >= IB_SMP_MAX_PATH_HOPS)
		return false;
	if (ib_get_smp_direction(smp))
		return shca_smp_arrive_response(smp);
	return shca_smp_arrive_request(smp, port_num);
}

/* The first step of an answer; the direction bit is set. True: send it out of
 * @port_num.
 */
bool shca_smp_depart(struct ib_smp *smp, u8 port_num)
{
	if (smp->hop_cnt >= IB_SMP_MAX_PATH_HOPS)
		return false;
	/* Back by LID to the switch at which the directed part ended. */
	if (smp->dr_dlid != IB_LID_PERMISSIVE)
		return true;
	if (smp->hop_ptr != smp->hop_cnt + 1)
		return false;
	smp->hop_ptr--;
	/* No hops: the request came from next door, by the permissive LID. */
	if (!smp->hop_cnt)
		return true;
	return smp->return_path[smp->hop_ptr] == port_num;
}
