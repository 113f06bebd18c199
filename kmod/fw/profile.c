// SPDX-License-Identifier: GPL-2.0
/*
 * The cards softhca can be. Identity only: what a function can do is the same
 * for all of them and stands in caps.c.
 */
#include <linux/kernel.h>
#include <linux/pci_regs.h>
#include <linux/string.h>

#include "fw/internal.h"

/* IBTA encodings of the link speeds up to QDR, and up to each later one. */
#define SPEED_UP_TO_QDR		0x7
#define SPEED_UP_TO_EDR		0x3
#define SPEED_UP_TO_HDR		0x7
#define SPEED_UP_TO_NDR		0xf

static const struct shca_profile profiles[] = {
	{
		.name = "connectx-5",
		.product = "ConnectX-5 EDR (softhca)",
		.part = "MCX555A-ECAT",
		.psid = "MT_0000000010",
		.device_id = 0x1017,
		.subsystem = 0x0008,
		.pci_speed = PCI_EXP_LNKCAP_SLS_8_0GB,
		.pci_width = 16,
		.fw_major = 16, .fw_minor = 35, .fw_sub = 4030,
		.link_speed_sup = SPEED_UP_TO_QDR,
		.link_speed_ext_sup = SPEED_UP_TO_EDR,
	}, {
		.name = "connectx-6",
		.product = "ConnectX-6 HDR (softhca)",
		.part = "MCX653105A-HDAT",
		.psid = "MT_0000000223",
		.device_id = 0x101b,
		.subsystem = 0x0007,
		.pci_speed = PCI_EXP_LNKCAP_SLS_16_0GB,
		.pci_width = 16,
		.fw_major = 20, .fw_minor = 43, .fw_sub = 2566,
		.link_speed_sup = SPEED_UP_TO_QDR,
		.link_speed_ext_sup = SPEED_UP_TO_HDR,
	}, {
		.name = "connectx-7",
		.product = "ConnectX-7 NDR (softhca)",
		.part = "MCX75310AAS-NEAT",
		.psid = "MT_0000000838",
		.device_id = 0x1021,
		.subsystem = 0x0041,
		.pci_speed = PCI_EXP_LNKCAP_SLS_32_0GB,
		.pci_width = 16,
		.fw_major = 28, .fw_minor = 43, .fw_sub = 2566,
		.link_speed_sup = SPEED_UP_TO_QDR,
		.link_speed_ext_sup = SPEED_UP_TO_NDR,
	},
};

const struct shca_profile *shca_profile_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(profiles); i++)
		if (!strcmp(profiles[i].name, name))
			return &profiles[i];
	return NULL;
}

const struct shca_profile *shca_profile_next(const struct shca_profile *prev)
{
	const struct shca_profile *next = prev ? prev + 1 : profiles;

	return next < profiles + ARRAY_SIZE(profiles) ? next : NULL;
}

const char *shca_profile_name(const struct shca_profile *profile)
{
	return profile->name;
}

void shca_profile_pci_id(const struct shca_profile *profile,
			 struct shca_pci_id *id)
{
	*id = (struct shca_pci_id) {
		.device = profile->device_id,
		.subsystem = profile->subsystem,
		.link_speed = profile->pci_speed,
		.link_width = profile->pci_width,
		.vpd_name = profile->product,
		.vpd_part = profile->part,
		.serial = "SOFTHCA",
	};
}
