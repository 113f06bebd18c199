// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/sma_tables: GUIDInfo, P_KeyTable, SLtoVLMappingTable and
 * VLArbitrationTable.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/string.h>

#include "fabric/node.h"

#define SHCA_GUID_BLOCK		8
#define SHCA_PKEY_BLOCK		32

/* First entry of the block that @block names, -1 when there is no such block. */
static int shca_block_start(u32 block, unsigned int size, unsigned int entries)
{
	return block < DIV_ROUND_UP(entries, size) ? block * size : -1;
}

u16 shca_sma_guid_get(struct shca_port *port, u32 mod, void *data)
{
	int first = shca_block_start(mod, SHCA_GUID_BLOCK, port->nguids);
	__be64 *guids = data;
	unsigned int i;

	if (first < 0)
		return SHCA_MAD_BAD_VALUE;
	memset(data, 0, IB_SMP_DATA_SIZE);
	for (i = 0; i < SHCA_GUID_BLOCK && first + i < port->nguids; i++)
		guids[i] = cpu_to_be64(port->guids[first + i]);
	return SHCA_MAD_OK;
}

u16 shca_sma_guid_set(struct shca_port *port, u32 mod, void *data)
{
	int first = shca_block_start(mod, SHCA_GUID_BLOCK, port->nguids);
	const __be64 *guids = data;
	bool changed = false;
	unsigned int i;

	if (first < 0)
		return SHCA_MAD_BAD_VALUE;
	for (i = 0; i < SHCA_GUID_BLOCK && first + i < port->nguids; i++) {
		u64 guid = be64_to_cpu(guids[i]);

		/* The first one is the port's own and stays. */
		if (first + i == 0 || port->guids[first + i] == guid)
			continue;
		WRITE_ONCE(port->guids[first + i], guid);
		changed = true;
	}
	if (changed)
		shca_port_notify(port, SHCA_PORT_GUID);
	return shca_sma_guid_get(port, mod, data);
}

/* The upper half of the modifier is a switch's port: of no meaning to a CA. */
u16 shca_sma_pkey_get(struct shca_port *port, u32 mod, void *data)
{
	int first = shca_block_start(mod & 0xffff, SHCA_PKEY_BLOCK,
				     port->npkeys);
	__be16 *pkeys = data;
	unsigned int i;

	if (first < 0)
		return SHCA_MAD_BAD_VALUE;
	memset(data, 0, IB_SMP_DATA_SIZE);
	for (i = 0; i < SHCA_PKEY_BLOCK && first + i < port->npkeys; i++)
		pkeys[i] = cpu_to_be16(port->pkeys[first + i]);
	return SHCA_MAD_OK;
}

u16 shca_sma_pkey_set(struct shca_port *port, u32 mod, void *data)
{
	int first = shca_block_start(mod & 0xffff, SHCA_PKEY_BLOCK,
				     port->npkeys);
	const __be16 *pkeys = data;
	bool changed = false;
	unsigned int i;

	if (first < 0)
		return SHCA_MAD_BAD_VALUE;
	for (i = 0; i < SHCA_PKEY_BLOCK && first + i < port->npkeys; i++) {
		u16 pkey = be16_to_cpu(pkeys[i]);

		if (port->pkeys[first + i] == pkey)
			continue;
		WRITE_ONCE(port->pkeys[first + i], pkey);
		changed = true;
	}
	if (changed)
		shca_port_notify(port, SHCA_PORT_PKEY);
	return shca_sma_pkey_get(port, mod, data);
}

/* A CA has one table for all its ports: the modifier says nothing. */
u16 shca_sma_sl_vl_get(struct shca_port *port, u32 mod, void *data)
{
	memset(data, 0, IB_SMP_DATA_SIZE);
	memcpy(data, port->sl_to_vl, sizeof(port->sl_to_vl));
	return SHCA_MAD_OK;
}

u16 shca_sma_sl_vl_set(struct shca_port *port, u32 mod, void *data)
{
	memcpy(port->sl_to_vl, data, sizeof(port->sl_to_vl));
	return shca_sma_sl_vl_get(port, mod, data);
}

/* Blocks 1 and 2 are of low priority, 3 and 4 of high, 32 entries each; with
 * eight entries the second ones do not exist. A port with one data VL has
 * nothing to arbitrate.
 */
static struct ib_vl_weight_elem *shca_vl_arb(struct shca_port *port, u32 mod)
{
	if (port->vl_cap < 2)
		return NULL;
	switch (mod >> 16) {
	case 1:
		return port->vl_arb[0];
	case 3:
		return port->vl_arb[1];
	default:
		return NULL;
	}
}

u16 shca_sma_vl_arb_get(struct shca_port *port, u32 mod, void *data)
{
	const struct ib_vl_weight_elem *arb = shca_vl_arb(port, mod);

	if (!arb)
		return SHCA_MAD_BAD_VALUE;
	memset(data, 0, IB_SMP_DATA_SIZE);
	memcpy(data, arb, sizeof(port->vl_arb[0]));
	return SHCA_MAD_OK;
}

u16 shca_sma_vl_arb_set(struct shca_port *port, u32 mod, void *data)
{
	struct ib_vl_weight_elem *arb = shca_vl_arb(port, mod);
	const struct ib_vl_weight_elem *in = data;
	unsigned int i;

	if (!arb)
		return SHCA_MAD_BAD_VALUE;
	/* VL15 is not arbitrated. */
	for (i = 0; i < SHCA_VL_ARB_CAP; i++)
		if ((in[i].vl & 0xf) == 0xf)
			return SHCA_MAD_BAD_VALUE;
	for (i = 0; i < SHCA_VL_ARB_CAP; i++) {
		arb[i].vl = in[i].vl & 0xf;
		arb[i].weight = in[i].weight;
	}
	return shca_sma_vl_arb_get(port, mod, data);
}
