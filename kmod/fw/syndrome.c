// SPDX-License-Identifier: GPL-2.0
/* Syndromes in words, for the log. */
#include <linux/kernel.h>

#include "fw/syndrome.h"

static const struct {
	enum shca_syndrome syndrome;
	const char *text;
} texts[] = {
	{ SHCA_SYND_OPCODE, "the opcode is not implemented" },
	{ SHCA_SYND_INLEN, "the inbox is shorter than the command" },
	{ SHCA_SYND_OUTLEN, "the outbox is shorter than the answer" },
	{ SHCA_SYND_STATE, "not allowed in this state of the HCA" },
	{ SHCA_SYND_UID_KERNEL, "the command takes no uid" },
	{ SHCA_SYND_UID_NONE, "there is no UCTX with this uid" },
	{ SHCA_SYND_OP_MOD, "unknown op_mod" },
	{ SHCA_SYND_FAULT, "a fault rule said so" },
	{ SHCA_SYND_MEMORY, "the emulator is out of memory" },
	{ SHCA_SYND_ENGINE, "a queue, key or memory check refused it" },
	{ SHCA_SYND_ISSI, "unsupported ISSI" },
	{ SHCA_SYND_TEARDOWN, "unknown teardown profile" },
	{ SHCA_SYND_CAP_TYPE, "unknown capability type" },
	{ SHCA_SYND_CAP_READONLY,
	  "a capability that cannot be changed differs" },
	{ SHCA_SYND_CAP_RANGE, "a capability is set beyond its maximum" },
	{ SHCA_SYND_CAP_OTHER, "there is no other function" },
	{ SHCA_SYND_PAGES_COUNT, "the page count does not fit the mailbox" },
	{ SHCA_SYND_PAGES_LIMIT, "more pages than the device can use" },
	{ SHCA_SYND_PAGES_ADDR, "a page is not aligned or not mapped" },
	{ SHCA_SYND_PAGES_FN, "pages for a function that does not exist" },
	{ SHCA_SYND_REG_ID, "unknown register" },
	{ SHCA_SYND_REG_LEN, "register data too short" },
	{ SHCA_SYND_REG_READONLY, "the register cannot be written" },
	{ SHCA_SYND_REG_VALUE, "a register field has an invalid value" },
	{ SHCA_SYND_REG_PORT, "the register names a port that does not exist" },
	{ SHCA_SYND_PORT, "there is no such port" },
	{ SHCA_SYND_VPORT, "there is no such vport" },
	{ SHCA_SYND_GID_INDEX, "GID index beyond the table" },
	{ SHCA_SYND_PKEY_INDEX, "PKey index beyond the table" },
	{ SHCA_SYND_VPORT_FIELD, "a field of the vport context is read-only" },
	{ SHCA_SYND_MAD_DROPPED, "the port's agents dropped the MAD" },
	{ SHCA_SYND_PD, "there is no such protection domain" },
	{ SHCA_SYND_PD_BUSY, "the protection domain is in use" },
	{ SHCA_SYND_XRCD, "there is no such XRC domain" },
	{ SHCA_SYND_XRCD_BUSY, "the XRC domain is in use" },
	{ SHCA_SYND_TD, "there is no such transport domain" },
	{ SHCA_SYND_UCTX, "there is no such UCTX" },
	{ SHCA_SYND_UCTX_CAP,
	  "the UCTX asks for a capability that is not offered" },
	{ SHCA_SYND_UMEM, "there is no such UMEM" },
	{ SHCA_SYND_UMEM_BUSY, "the UMEM is in use" },
	{ SHCA_SYND_UMEM_LIST,
	  "the UMEM's page list does not fit the mailbox" },
	{ SHCA_SYND_OBJECT, "there is no such object for this uid" },
	{ SHCA_SYND_OBJECT_BUSY, "other objects depend on this one" },
	{ SHCA_SYND_TABLE_FULL, "no number is left for another object" },
	{ SHCA_SYND_MKEY_PA, "a user context asks for a physical-address key" },
	{ SHCA_SYND_MKEY_LIST,
	  "the key's translation list does not fit the mailbox" },
	{ SHCA_SYND_CQ_FULL, "what is outstanding does not fit the ring" },
};

const char *shca_syndrome_text(u32 syndrome)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (texts[i].syndrome == syndrome)
			return texts[i].text;
	return "";
}
