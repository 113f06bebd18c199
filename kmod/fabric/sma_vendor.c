// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/sma_vendor: the vendor attribute 0xff90, ExtendedPortInfo, which
 * opensm and ibportstate ask every Mellanox node for. It is about FDR10, a
 * speed of that vendor's that no softhca port has, so there is nothing to see
 * in it and nothing to switch on. (Layout: from what the tools read and write.)
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/build_bug.h>
#include <linux/string.h>

#include "fabric/node.h"

struct shca_ext_port_info {
	u8 reserved0[3];
	u8 change_enable;	/* which of the speeds a set is about */
	u8 reserved1[3];
	u8 speed_supported;
	u8 reserved2[3];
	u8 speed_enabled;
	u8 reserved3[3];
	u8 speed_active;
	u8 reserved4[48];
};

u16 shca_sma_ext_port_get(struct shca_port *port, u32 mod, void *data)
{
	BUILD_BUG_ON(sizeof(struct shca_ext_port_info) != IB_SMP_DATA_SIZE);
	if (!shca_node_port(port, mod))
		return SHCA_MAD_BAD_VALUE;
	memset(data, 0, IB_SMP_DATA_SIZE);
	return SHCA_MAD_OK;
}

u16 shca_sma_ext_port_set(struct shca_port *port, u32 mod, void *data)
{
	const struct shca_ext_port_info *info = data;

	if (info->change_enable & info->speed_enabled)
		return SHCA_MAD_BAD_VALUE;
	return shca_sma_ext_port_get(port, mod, data);
}
