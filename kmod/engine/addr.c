// SPDX-License-Identifier: GPL-2.0
/*
 * From address vectors to the routing headers of packets.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/build_bug.h>
#include <linux/string.h>
#include <linux/mlx5/qp.h>
#include <rdma/ib_verbs.h>

#include "engine/hw.h"

#define SHCA_LID_PERMISSIVE	0xffff
#define SHCA_GRH_NEXT_HDR	0x1b	/* a BTH follows */

static void build_grh(struct shca_port *port, const struct mlx5_av *av,
		      u64 prefix, u32 overhead, struct shca_pkt *pkt)
{
	u32 gid_fl = be32_to_cpu(av->grh_gid_fl);
	struct ib_grh *grh = (struct ib_grh *)pkt->grh_hdr;
	u64 guid = 0;

	BUILD_BUG_ON(sizeof(*grh) != sizeof(pkt->grh_hdr));
	/* An index that the table has not gives a GID that nobody has. */
	shca_port_guid(port, gid_fl >> 20 & 0xff, &guid);
	grh->version_tclass_flow =
		cpu_to_be32(6U << 28 | (u32)av->tclass << 20 |
			    (gid_fl & 0xfffff));
	grh->paylen = cpu_to_be16(ALIGN(pkt->len, 4) + overhead);
	grh->next_hdr = SHCA_GRH_NEXT_HDR;
	grh->hop_limit = av->hop_limit;
	grh->sgid.global.subnet_prefix = cpu_to_be64(prefix);
	grh->sgid.global.interface_id = cpu_to_be64(guid);
	memcpy(grh->dgid.raw, av->rgid, sizeof(av->rgid));
	pkt->grh = true;
}

void shca_addr_build(struct shca_port *port, const struct mlx5_av *av,
		     u32 overhead, struct shca_pkt *pkt)
{
	u64 prefix;
	u16 lid;
	u8 lmc;

	shca_port_addr(port, &lid, &lmc, &prefix);
	pkt->dlid = be16_to_cpu(av->rlid);
	pkt->sl = av->stat_rate_sl & 0xf;
	pkt->slid = lid | (av->fl_mlid & ((1U << lmc) - 1));
	/* The pure directed route has no addresses at either end. */
	if (pkt->vl15 && (pkt->dlid == SHCA_LID_PERMISSIVE || !lid))
		pkt->slid = SHCA_LID_PERMISSIVE;
	if (be32_to_cpu(av->grh_gid_fl) & SHCA_AV_GRH)
		build_grh(port, av, prefix, overhead, pkt);
}

void shca_addr_from_path(const void *ads, struct mlx5_av *av)
{
	u32 gid_fl = MLX5_GET(ads, ads, src_addr_index) << 20 |
		     MLX5_GET(ads, ads, flow_label);

	memset(av, 0, sizeof(*av));
	av->rlid = cpu_to_be16(MLX5_GET(ads, ads, rlid));
	av->stat_rate_sl = MLX5_GET(ads, ads, sl);
	av->fl_mlid = MLX5_GET(ads, ads, mlid);
	if (!MLX5_GET(ads, ads, grh))
		return;
	av->grh_gid_fl = cpu_to_be32(gid_fl | SHCA_AV_GRH);
	av->tclass = MLX5_GET(ads, ads, tclass);
	av->hop_limit = MLX5_GET(ads, ads, hop_limit);
	memcpy(av->rgid, MLX5_ADDR_OF(ads, ads, rgid_rip), sizeof(av->rgid));
}
