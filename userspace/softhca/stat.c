/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * softhca stat: counters of functions.
 */

#include "tool.h"

static const struct field stat_fields[] = {
	{ SOFTHCA_A_STAT_DEV, "dev", FIELD_STRING, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_FN, "fn", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_COMMANDS, "commands", FIELD_U64, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_BAD_OPCODE, "bad_opcode", FIELD_U64, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_FAILED, "failed", FIELD_U64, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_DMA_FAULTS, "dma_faults", FIELD_U64, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_PAGES, "pages", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_QPS, "qps", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_CQS, "cqs", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_EQS, "eqs", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_MKEYS, "mkeys", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_SRQS, "srqs", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_UARS, "uars", FIELD_U32, NULL, 0, NULL },
	{ SOFTHCA_A_STAT_UCTXS, "uctxs", FIELD_U32, NULL, 0, NULL },
	{ 0, NULL, 0, NULL, 0, NULL },
};

static const char help[] = "softhca stat show [DEV]\n";

static int stat_show(struct words *w)
{
	return show_of_device(w, SOFTHCA_CMD_STAT_GET, stat_fields, "dev",
			      true);
}

int cmd_stat(struct words *w)
{
	static const struct command commands[] = {
		{ "show", stat_show },
		{ "list", stat_show },
		{ NULL, NULL },
	};

	return run_command(commands, w, "show", help);
}
