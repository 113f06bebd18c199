/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the firmware share among themselves. */
#ifndef SHCA_FW_INTERNAL_H
#define SHCA_FW_INTERNAL_H

#include <linux/bitmap.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/mlx5_ifc.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "base/base.h"
#include "base/obj.h"
#include "engine/engine.h"
#include "fabric/fabric.h"
#include "fw/fw.h"
#include "fw/mailbox.h"
#include "fw/syndrome.h"
#include "mem/mem.h"
#include "pci/pci.h"

#define SHCA_CMD_LOG_STRIDE	6
#define SHCA_CMD_MAX_SLOTS	32
#define SHCA_CMD_OPCODES	0x1000	/* opcodes are 12 bits wide */
#define SHCA_MAX_PAGES		0x10000	/* 256 MiB of driver memory */
#define SHCA_CAP_BYTES		MLX5_UN_SZ_BYTES(hca_cap_union)

struct shca_profile {
	const char *name;
	const char *product;
	const char *part;
	const char *psid;
	u16 device_id;
	u16 subsystem;
	u8 pci_speed;
	u8 pci_width;
	u16 fw_major, fw_minor, fw_sub;
	u8 link_speed_sup;	/* IBTA */
	u8 link_speed_ext_sup;
};

/* OFF: only ENABLE_HCA. ENABLED: the boot commands. UP: all. */
enum shca_hca_state {
	SHCA_HCA_OFF,
	SHCA_HCA_ENABLED,
	SHCA_HCA_UP,
};

/* Objects made by commands, recorded with what they hold. */
enum shca_rec_type {
	SHCA_REC_QP,
	SHCA_REC_SRQ,
	SHCA_REC_RMP,
	SHCA_REC_CQ,
	SHCA_REC_EQ,
	SHCA_REC_UAR,
	SHCA_REC_MKEY,
	SHCA_REC_UMEM,
	SHCA_REC_QCNT,
	SHCA_REC_TYPES,
};

struct shca_rec {
	u32 id;
	u16 uid;
	u8 type;
	struct shca_obj *pd;
	struct shca_obj *xrcd;
};

/* Facts noted by the poller or the bus for the command work. */
enum {
	SHCA_FW_EV_IFC,		/* command queue address or NIC state written */
	SHCA_FW_EV_RESET,	/* function or bus reset */
};

struct shca_cmdq {
	u64 base;		/* bus address */
	bool on;
	bool last;		/* stop after the answer under way */
	u8 log_sz;
	u32 taken;		/* slots whose command is not answered yet */
	struct {
		bool set;
		u8 token;
		unsigned long since;
	} unrung[SHCA_CMD_MAX_SLOTS];
};

struct shca_fw {
	struct shca_fn *fn;
	const struct shca_profile *profile;

	/* Poller to command work. */
	unsigned long events;
	unsigned long rung;
	unsigned long next_beat;
	u32 beat;
	bool gone;

	struct workqueue_struct *wq;
	struct work_struct work;
	struct delayed_work unrung_work;
	wait_queue_head_t gone_wait;

	/* All below belongs to the command work. */
	struct shca_cmdq cmdq;
	struct shca_mbox mbox;
	enum shca_hca_state hca;
	u16 issi;
	u8 cap_max[SHCA_CAP_BYTES];
	u8 cap_cur[SHCA_CAP_BYTES];
	struct xarray pages;
	u32 npages;
	struct shca_tbl pds, tds, xrcds, uctxs;
	struct xarray recs[SHCA_REC_TYPES];
	u32 nrecs[SHCA_REC_TYPES];
	u64 commands, bad_opcode, failed;
	DECLARE_BITMAP(named, SHCA_CMD_OPCODES);	/* unknown, already logged */
};

struct shca_cmd {
	struct shca_fw *fw;
	struct shca_fn *fn;
	u16 opcode;
	u16 op_mod;
	u16 uid;
	void *in;
	u32 inlen;
	void *out;		/* zeroed */
	u32 outlen;
	u8 status;
	u32 syndrome;
};

typedef int (*shca_cmd_handler)(struct shca_cmd *cmd);

/* opcodes.c */
#define SHCA_OP_OFF	BIT(0)	/* allowed before ENABLE_HCA */
#define SHCA_OP_BOOT	BIT(1)	/* allowed between ENABLE_HCA and INIT_HCA */
#define SHCA_OP_UP	BIT(2)	/* allowed after INIT_HCA */
#define SHCA_OP_UID	BIT(3)	/* may act for a user context */

struct shca_opcode {
	u16 opcode;
	u16 flags;
	u16 inlen;
	u16 outlen;
	const char *name;
	shca_cmd_handler handler;
};

const struct shca_opcode *shca_opcode_row(u16 opcode);
const struct shca_opcode *shca_opcode_table(unsigned int *rows);
/* Checks and runs; leaves status and syndrome in the command and in its outbox. */
void shca_cmd_execute(struct shca_cmd *cmd);
/* errno to PRM status. */
u8 shca_cmd_status(int err);
/* Remembers why; returns @err. */
int shca_cmd_refuse(struct shca_cmd *cmd, int err, enum shca_syndrome why);

/* iseg.c */
void shca_iseg_init(struct shca_fw *fw);
void shca_iseg_initializing(struct shca_fw *fw, bool on);
void shca_iseg_dead(struct shca_fw *fw);
bool shca_iseg_poll(struct shca_fw *fw);
u64 shca_iseg_cmdq(struct shca_fw *fw, u8 *nic_state);
void shca_iseg_nic_disabled(struct shca_fw *fw);

/* cmdq.c */
void shca_cmdq_init(struct shca_fw *fw, u8 log_sz);
void shca_cmdq_start(struct shca_fw *fw, u64 base);
void shca_cmdq_stop(struct shca_fw *fw);
void shca_cmdq_run(struct shca_fw *fw, unsigned long rung);
void shca_cmdq_unrung(struct shca_fw *fw);

/* hca.c */
void shca_hca_off(struct shca_fw *fw);
int shca_cmd_enable_hca(struct shca_cmd *cmd);
int shca_cmd_disable_hca(struct shca_cmd *cmd);
int shca_cmd_init_hca(struct shca_cmd *cmd);
int shca_cmd_teardown_hca(struct shca_cmd *cmd);
int shca_cmd_query_issi(struct shca_cmd *cmd);
int shca_cmd_set_issi(struct shca_cmd *cmd);
int shca_cmd_query_adapter(struct shca_cmd *cmd);
int shca_cmd_nop(struct shca_cmd *cmd);

/* caps.c */
void shca_caps_init(struct shca_fw *fw);
void shca_caps_reset(struct shca_fw *fw);
bool shca_caps_checksum(struct shca_fw *fw);
extern const struct shca_hw_limits shca_hw_limits;
int shca_cmd_query_hca_cap(struct shca_cmd *cmd);
int shca_cmd_set_hca_cap(struct shca_cmd *cmd);

/* pages.c */
void shca_pages_forget(struct shca_fw *fw);
int shca_cmd_query_pages(struct shca_cmd *cmd);
int shca_cmd_manage_pages(struct shca_cmd *cmd);

/* regs.c */
int shca_cmd_access_reg(struct shca_cmd *cmd);

/* vport.c */
int shca_cmd_query_hca_vport_context(struct shca_cmd *cmd);
int shca_cmd_modify_hca_vport_context(struct shca_cmd *cmd);
int shca_cmd_query_hca_vport_gid(struct shca_cmd *cmd);
int shca_cmd_query_hca_vport_pkey(struct shca_cmd *cmd);
int shca_cmd_query_vport_state(struct shca_cmd *cmd);

/* mad.c */
int shca_cmd_mad_ifc(struct shca_cmd *cmd);

/* record.c */
void shca_recs_init(struct shca_fw *fw);
void shca_recs_exit(struct shca_fw *fw);
/* Forgets all; the rooms below have been reset. */
void shca_recs_forget(struct shca_fw *fw);
/* Destroys what a user context left, engine and memory objects. */
void shca_recs_uid_gone(struct shca_fw *fw, u16 uid);
/* Before an object is made: finds and holds what it will depend on. A PD or
 * XRCD of 0 is none.
 */
int shca_rec_begin(struct shca_cmd *cmd, enum shca_rec_type type, u32 pd,
		   u32 xrcd, struct shca_rec **rec);
/* It does not depend on its protection domain after all. */
void shca_rec_leave_pd(struct shca_rec *rec);
/* After: @err and @id are what making it returned. */
int shca_rec_end(struct shca_cmd *cmd, struct shca_rec *rec, int err, u32 id);
int shca_rec_destroy(struct shca_cmd *cmd, enum shca_rec_type type, u32 id);

/* pd.c */
void shca_domains_init(struct shca_fw *fw);
void shca_domains_exit(struct shca_fw *fw);
void shca_domains_forget(struct shca_fw *fw);
void shca_domains_uid_gone(struct shca_fw *fw, u16 uid);
int shca_domain_alloc(struct shca_cmd *cmd, struct shca_tbl *tbl, u32 *id);
int shca_domain_free(struct shca_cmd *cmd, struct shca_tbl *tbl, u32 id,
		     enum shca_syndrome none, enum shca_syndrome busy);
int shca_cmd_alloc_pd(struct shca_cmd *cmd);
int shca_cmd_dealloc_pd(struct shca_cmd *cmd);
int shca_cmd_alloc_td(struct shca_cmd *cmd);
int shca_cmd_dealloc_td(struct shca_cmd *cmd);
int shca_cmd_alloc_xrcd(struct shca_cmd *cmd);
int shca_cmd_dealloc_xrcd(struct shca_cmd *cmd);
int shca_cmd_alloc_uar(struct shca_cmd *cmd);
int shca_cmd_dealloc_uar(struct shca_cmd *cmd);

/* uctx.c */
bool shca_uctx_valid(struct shca_fw *fw, u16 uid);
int shca_cmd_create_uctx(struct shca_cmd *cmd);
int shca_cmd_destroy_uctx(struct shca_cmd *cmd);
int shca_cmd_create_umem(struct shca_cmd *cmd);
int shca_cmd_destroy_umem(struct shca_cmd *cmd);

/* mkey.c */
int shca_cmd_create_mkey(struct shca_cmd *cmd);
int shca_cmd_query_mkey(struct shca_cmd *cmd);
int shca_cmd_destroy_mkey(struct shca_cmd *cmd);
int shca_cmd_query_special_contexts(struct shca_cmd *cmd);

/* queue.c: where a command says a queue's memory is */
void shca_src_pas(struct shca_cmd *cmd, struct shca_buf_src *src, u32 base,
		  u8 log_page_size, u32 page_offset);
void shca_src_umem(struct shca_cmd *cmd, struct shca_buf_src *src, bool valid,
		   const void *id, const void *offset);

/* eq.c, cq.c, qp.c, srq.c */
int shca_cmd_create_eq(struct shca_cmd *cmd);
int shca_cmd_query_eq(struct shca_cmd *cmd);
int shca_cmd_destroy_eq(struct shca_cmd *cmd);
int shca_cmd_create_cq(struct shca_cmd *cmd);
int shca_cmd_query_cq(struct shca_cmd *cmd);
int shca_cmd_modify_cq(struct shca_cmd *cmd);
int shca_cmd_destroy_cq(struct shca_cmd *cmd);
int shca_cmd_create_qp(struct shca_cmd *cmd);
int shca_cmd_modify_qp(struct shca_cmd *cmd);
int shca_cmd_query_qp(struct shca_cmd *cmd);
int shca_cmd_attach_to_mcg(struct shca_cmd *cmd);
int shca_cmd_detach_from_mcg(struct shca_cmd *cmd);
int shca_cmd_destroy_qp(struct shca_cmd *cmd);
int shca_cmd_create_xrc_srq(struct shca_cmd *cmd);
int shca_cmd_query_xrc_srq(struct shca_cmd *cmd);
int shca_cmd_arm_xrc_srq(struct shca_cmd *cmd);
int shca_cmd_destroy_xrc_srq(struct shca_cmd *cmd);
int shca_cmd_create_rmp(struct shca_cmd *cmd);
int shca_cmd_query_rmp(struct shca_cmd *cmd);
int shca_cmd_modify_rmp(struct shca_cmd *cmd);
int shca_cmd_destroy_rmp(struct shca_cmd *cmd);

/* qcnt.c */
int shca_cmd_alloc_q_counter(struct shca_cmd *cmd);
int shca_cmd_query_q_counter(struct shca_cmd *cmd);
int shca_cmd_dealloc_q_counter(struct shca_cmd *cmd);

/* trace.c */
void shca_fw_trace_cmd(const struct shca_cmd *cmd, u64 ns);

/* event.c */
void shca_fw_port_event(struct shca_fn *fn, u8 port, enum shca_port_event ev);

#endif
