/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fabric: the InfiniBand subnet. Nodes, ports, links, and the management
 * agents (SMA, PMA) that every node has. Knows nothing of mlx5 and of PCI.
 *
 * An HCA port hands packets in and gets packets out; what lies between is the
 * fabric's: today a cable to another port, later switches.
 */
#ifndef SHCA_FABRIC_H
#define SHCA_FABRIC_H

#include <linux/types.h>
#include "base/base.h"

#define SHCA_MAD_SIZE		256
#define SHCA_UD_MTU_MAX		4096

enum shca_port_event {
	SHCA_PORT_DOWN,
	SHCA_PORT_INIT,		/* physically up, waiting for the SM */
	SHCA_PORT_ACTIVE,
	SHCA_PORT_LID,
	SHCA_PORT_PKEY,
	SHCA_PORT_GUID,
	SHCA_PORT_REREG,	/* client reregister */
};

/* IBTA 14.2.5.6 */
enum shca_port_state { SHCA_STATE_DOWN = 1, SHCA_STATE_INIT, SHCA_STATE_ARMED,
		       SHCA_STATE_ACTIVE };
enum shca_phys_state { SHCA_PHYS_SLEEP = 1, SHCA_PHYS_POLLING,
		       SHCA_PHYS_DISABLED, SHCA_PHYS_TRAINING,
		       SHCA_PHYS_LINKUP, SHCA_PHYS_RECOVERY };

struct shca_port;

/* Data of a packet that still lies with its sender; only hosts look into it. */
struct shca_payload;

/* What packets of connected queue pairs carry besides (IBTA vol. 1, chapter 9);
 * which of the fields count follows from the opcode.
 */
struct shca_conn_hdr {
	u8 opcode;		/* IBTA: transport and operation */
	bool ackreq;
	u32 psn;
	u32 xrcsrq;
	u64 va;			/* RETH, AtomicETH */
	u32 rkey, dmalen;
	u64 swap_add, compare;	/* AtomicETH; the AtomicAckETH is in the first */
	u8 syndrome;		/* AETH */
	u32 msn;
};

/* One packet. The routing header as fields, the payload behind the transport
 * headers. Addresses and keys in host byte order, GIDs in wire order.
 */
struct shca_pkt {
	u16 slid, dlid;
	u8 sl, vl15;		/* vl15: subnet management */
	u32 sqpn, dqpn;
	u32 qkey;
	u16 pkey;
	bool grh, solicited, has_imm;
	u8 grh_hdr[40];		/* valid with grh */
	__be32 imm;		/* or the key to invalidate */
	u32 len;
	u8 *data;		/* the sender's, good during the call only */
	struct shca_payload *payload;	/* instead of data, as long */
	bool connected;		/* no DETH; @conn holds */
	struct shca_conn_hdr conn;
};

struct shca_port_ops {
	/* A packet arrived. True: taken (or rightly dropped). False: nobody is
	 * there (QP0/QP1 not up): the node's own agents answer. Process context,
	 * may not sleep; called under RCU, by several senders at once (pollers,
	 * the fabric's own agents). A multicast packet comes back to the sending
	 * port too: the owner knows which of its QPs are in the group and which
	 * of them asked not to hear itself.
	 */
	bool (*rx)(struct shca_port *port, const struct shca_pkt *pkt);
	/* Copies the data of a packet that was sent from @port. 0 or -errno,
	 * which the sender learns too. In the sender's call.
	 */
	int (*copy)(struct shca_port *port, const struct shca_pkt *pkt,
		    void *dst);
	/* May be called under the fabric's mutex; must only note and queue. */
	void (*event)(struct shca_port *port, enum shca_port_event ev);
};

struct shca_port_attr {
	u64 node_guid, sys_guid, port_guid;
	u16 device_id;
	u32 revision;
	u32 vendor_oui;
	u8 num_ports, port_num;
	u16 pkey_table;		/* entries */
	u8 gid_table;		/* entries */
	u32 cap_mask;		/* PortInfo CapabilityMask, host order */
	u8 link_width_sup;	/* IBTA encoding: 1x 1, 4x 2, 8x 4, 12x 8, 2x 16 */
	u8 link_speed_sup;	/* SDR 1, DDR 2, QDR 4 */
	u8 link_speed_ext_sup;	/* FDR 1, EDR 2, HDR 4, NDR 8 */
	u8 mtu_cap;		/* IB_MTU encoding, 5 = 4096 */
	u8 vl_cap;		/* encoding, 4 = VL0-7 */
	char node_desc[64];
};

enum shca_bad_key { SHCA_BAD_PKEY, SHCA_BAD_QKEY };

/* What the port has seen on the wire; data in units of four bytes. */
struct shca_port_stat {
	u64 xmit_data, rcv_data, xmit_pkts, rcv_pkts;
	u64 xmit_mcast_pkts, rcv_mcast_pkts;
	u64 xmit_mcast_data, rcv_mcast_data;
	u64 xmit_discards, rcv_errors, vl15_dropped, link_downed;
};

/* What firmware and drivers ask about a port; a consistent copy. */
struct shca_port_info {
	u8 state, phys_state;
	u16 lid, sm_lid;
	u8 lmc, sm_sl;
	u32 cap_mask;
	u8 link_width_active, link_speed_active, link_speed_ext_active;
	u8 link_width_enabled, link_speed_enabled, link_speed_ext_enabled;
	u8 link_width_sup, link_speed_sup, link_speed_ext_sup;
	u8 mtu_cap, mtu_active, vl_cap, vl_oper;
	u8 subnet_timeout, init_type_reply;
	u16 mkey_violations, pkey_violations, qkey_violations;
	u64 subnet_prefix;
	u64 port_guid, node_guid, sys_guid;
	char node_desc[64];
};

int shca_fabric_init(void);
void shca_fabric_exit(void);

/* Ports with one node GUID are ports of one node. An ERR_PTR() on failure:
 * -EINVAL for attributes that make no port, -EEXIST when the node has that port.
 */
struct shca_port *shca_port_add(const struct shca_port_attr *attr,
				const struct shca_port_ops *ops, void *priv);
/* The owner sends no more. No callback runs any more when it returns, and the
 * cable is gone. May sleep.
 */
void shca_port_del(struct shca_port *port);
void *shca_port_priv(struct shca_port *port);

/* The transceiver (firmware) and the cable (user). They sleep. Pulling the
 * cable at one end is pulling it at the other; -ENOTCONN where there is none.
 */
void shca_port_enable(struct shca_port *port, bool on);
int shca_port_set_cable(struct shca_port *port, bool up);
bool shca_port_cable_up(struct shca_port *port);
/* Joins two ports with a cable that is plugged in. -EBUSY when one has a cable
 * already, -EINVAL for a port with itself.
 */
int shca_cable_add(struct shca_port *a, struct shca_port *b);

/* What a link does to packets, in both directions. Chances in millionths. */
#define SHCA_PPM		1000000
#define SHCA_DELAY_MAX_US	10000000
struct shca_impairment {
	u32 delay_us;
	u32 loss;
	u32 duplicate;
	u32 reorder;		/* later ones come first */
};

/* All that is not said is off. -ENOTCONN without a cable, -EINVAL beyond the
 * limits. A lost packet counts as one received with errors. They sleep.
 */
int shca_port_impair(struct shca_port *port, const struct shca_impairment *set);
void shca_port_impairment(struct shca_port *port, struct shca_impairment *set);
/* The port at the other end, NULL without; for show. */
u64 shca_port_peer_guid(struct shca_port *port);

/* May sleep. */
void shca_port_query(struct shca_port *port, struct shca_port_info *info);
void shca_port_stat(struct shca_port *port, struct shca_port_stat *stat);
/* GUID table entry (host order; 0 unset) and PKey table entry. -EINVAL index.
 * Any context.
 */
int shca_port_guid(struct shca_port *port, unsigned int index, u64 *guid);
int shca_port_pkey(struct shca_port *port, unsigned int index, u16 *pkey);
/* LID, LMC and subnet prefix for the headers of packets. Any context. */
void shca_port_addr(struct shca_port *port, u16 *lid, u8 *lmc, u64 *prefix);
/* A QP refused @pkt for its key: counts, and tells the SM. Any context. */
void shca_port_bad_key(struct shca_port *port, enum shca_bad_key which,
		       const struct shca_pkt *pkt);
/* Host sets capability bits (IsSM ...) and the node description. May sleep. */
void shca_port_cap_set(struct shca_port *port, u32 mask, u32 bits);
void shca_port_node_desc_set(struct shca_port *port, const char desc[64]);

/* Sends a packet out of the port: to the port itself when the DLID is its own,
 * to both when it is a multicast LID, else over the cable. VL15 wants a link
 * that is physically up, all else one that is Active.
 *
 * A directed-route SMP of the host goes out as it is. The host's SMI has made
 * the sender's step (hop pointer 0 -> 1, initial path checked) before it posted
 * the SMP, and the SMI at the other end makes the receiver's; were the port to
 * step too, each hop would count twice.
 *
 * 0, -ENETDOWN while the link is down or not Active, -EMSGSIZE when longer than
 * the link's MTU (UD: the packet is dropped, the sender still completes).
 * Process context, does not sleep.
 */
int shca_port_send(struct shca_port *port, const struct shca_pkt *pkt);

/*
 * The agents' answer to a MAD handed in by the local host (MAD_IFC) or from
 * the wire: @in and @out are SHCA_MAD_SIZE bytes. Returns true when @out holds
 * an answer, false when the MAD gets none (a response, a TrapRepress, a wrong
 * M_Key ...). The route of a directed-route SMP is not looked at: whoever hands
 * it in has walked it to this port. May sleep.
 * @slid: where it came from; @ignore_mkey as MAD_IFC's op_mod bit.
 */
bool shca_mad_process(struct shca_port *port, const void *in, void *out,
		      u16 slid, bool ignore_mkey);

#endif
