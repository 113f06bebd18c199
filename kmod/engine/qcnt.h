/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counting for the Q counter set of a queue pair, with one of its locks held.
 */
#ifndef SHCA_QCNT_H
#define SHCA_QCNT_H

#include <linux/mlx5/device.h>
#include <linux/mlx5/mlx5_ifc.h>
#include <linux/types.h>

struct shca_hw;
struct shca_qcnt;
struct shca_qp;

/* A counter by its name in QUERY_Q_COUNTER: its dword there. */
#define SHCA_QCNT(name)		(MLX5_BYTE_OFF(query_q_counter_out, name) / 4)
#define SHCA_QCNT_FIRST		SHCA_QCNT(rx_write_requests)
/* req_rnr_retries_exceeded, which older headers do not name. */
#define SHCA_QCNT_RNR_EXCEEDED	(0x380 / 32)

/* The set that a QP of @uid names, for it to keep; NULL for number 0. */
int shca_qcnt_use(struct shca_hw *hw, u32 id, u16 uid, struct shca_qcnt **cnt);
/* One more reference, and one less; NULL is fine. */
struct shca_qcnt *shca_qcnt_hold(struct shca_qcnt *cnt);
void shca_qcnt_put(struct shca_qcnt *cnt);

void shca_qcnt_add(const struct shca_qp *qp, unsigned int dw);
#define shca_count(qp, name)	shca_qcnt_add(qp, SHCA_QCNT(name))

/* A completion with an error, of a send request or of a receive. */
void shca_qcnt_error(const struct shca_qp *qp, bool req, u8 syndrome);

#endif
