// SPDX-License-Identifier: GPL-2.0
/*
 * What the configuration spaces of a ConnectX function and of the root port in
 * front of it hold at power-on. Rests on the PCI Express base specification and
 * on what lspci prints of ConnectX cards.
 */
#include <linux/pci.h>
#include <linux/string.h>

#include "pci/internal.h"

#define SHCA_VENDOR		0x15b3
#define VPD_TAG_SIZE		3
#define SHCA_PORT_DEVICE	0x1974	/* a ConnectX's own PCIe bridge */

/* Link capabilities and status that both ends of the link agree on. */
static u32 link_cap(const struct shca_pci_id *id, bool port)
{
	u32 cap = id->link_speed | id->link_width << 4;

	/* The port number of the only link is 0. */
	return port ? cap | PCI_EXP_LNKCAP_DLLLARC : cap;
}

static void cap_exp(struct shca_cfg *cfg, const struct shca_pci_id *id,
		    unsigned int type, bool port)
{
	const unsigned int at = SHCA_CAP_EXP;

	shca_cfg_cap(cfg, at, PCI_CAP_ID_EXP);
	shca_cfg_set(cfg, at + PCI_EXP_FLAGS, 2, 2 | type << 4);
	/* 512 byte payload, extended tags, role-based errors */
	shca_cfg_set(cfg, at + PCI_EXP_DEVCAP, 4,
		     2 | PCI_EXP_DEVCAP_EXT_TAG | PCI_EXP_DEVCAP_RBER |
		     (port ? 0 : PCI_EXP_DEVCAP_FLR));
	shca_cfg_reg(cfg, at + PCI_EXP_DEVCTL, 2,
		     PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_EXT_TAG |
		     PCI_EXP_DEVCTL_NOSNOOP_EN | 2 << 12, 0x7fff);
	cfg->w1c[at + PCI_EXP_DEVSTA] = 0x0f;
	shca_cfg_set(cfg, at + PCI_EXP_LNKCAP, 4, link_cap(id, port));
	shca_cfg_reg(cfg, at + PCI_EXP_LNKCTL, 2, PCI_EXP_LNKCTL_CCC,
		     PCI_EXP_LNKCTL_ASPMC | PCI_EXP_LNKCTL_CCC |
		     PCI_EXP_LNKCTL_ES | (port ? PCI_EXP_LNKCTL_LD : 0));
	shca_cfg_set(cfg, at + PCI_EXP_LNKSTA, 2,
		     id->link_speed | id->link_width << 4 | PCI_EXP_LNKSTA_SLC |
		     (port ? PCI_EXP_LNKSTA_DLLLA : 0));
	/* Completion time-out ranges A to D, disable */
	shca_cfg_set(cfg, at + PCI_EXP_DEVCAP2, 4, 0x1f);
	shca_cfg_reg(cfg, at + PCI_EXP_DEVCTL2, 2, 0, 0x001f);
	/* Supported link speeds vector: every speed up to the highest */
	shca_cfg_set(cfg, at + PCI_EXP_LNKCAP2, 4,
		     ((1U << id->link_speed) - 1) << 1);
	shca_cfg_reg(cfg, at + PCI_EXP_LNKCTL2, 2, id->link_speed, 0xffff);
	if (id->link_speed >= PCI_EXP_LNKCAP_SLS_8_0GB)
		/* equalisation complete, all phases */
		shca_cfg_set(cfg, at + PCI_EXP_LNKSTA2, 2, 0x1e);
}

static void cap_pm(struct shca_cfg *cfg)
{
	shca_cfg_cap(cfg, SHCA_CAP_PM, PCI_CAP_ID_PM);
	shca_cfg_set(cfg, SHCA_CAP_PM + PCI_PM_PMC, 2, 3);
	/* Going to D3hot and back keeps the function's state. */
	shca_cfg_reg(cfg, SHCA_CAP_PM + PCI_PM_CTRL, 2,
		     PCI_PM_CTRL_NO_SOFT_RESET, PCI_PM_CTRL_STATE_MASK);
}

static void cap_msix(struct shca_cfg *cfg)
{
	shca_cfg_cap(cfg, SHCA_CAP_MSIX, PCI_CAP_ID_MSIX);
	shca_cfg_reg(cfg, SHCA_CAP_MSIX + PCI_MSIX_FLAGS, 2,
		     SHCA_MSIX_VECTORS - 1,
		     PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
	shca_cfg_set(cfg, SHCA_CAP_MSIX + PCI_MSIX_TABLE, 4,
		     SHCA_BAR_MSIX_TABLE);
	shca_cfg_set(cfg, SHCA_CAP_MSIX + PCI_MSIX_PBA, 4, SHCA_BAR_MSIX_PBA);
}

/* The vendor's gateway to internal address spaces. Lock and ticket work; no
 * space is offered, which is what status 0 in the control word means.
 */
static void cap_vsc(struct shca_cfg *cfg)
{
	shca_cfg_cap(cfg, SHCA_CAP_VSC, PCI_CAP_ID_VNDR);
	cfg->val[SHCA_CAP_VSC + 2] = SHCA_CAP_VSC_LEN;
	shca_cfg_reg(cfg, SHCA_CAP_VSC + 0x04, 4, 0, 0x0000ffff);
}

static void ecap_aer(struct shca_cfg *cfg)
{
	const unsigned int at = SHCA_ECAP_AER;
	const u32 uncor = PCI_ERR_UNC_POISON_TLP | PCI_ERR_UNC_FCP |
			  PCI_ERR_UNC_COMP_TIME | PCI_ERR_UNC_COMP_ABORT |
			  PCI_ERR_UNC_UNX_COMP | PCI_ERR_UNC_RX_OVER |
			  PCI_ERR_UNC_MALF_TLP | PCI_ERR_UNC_ECRC |
			  PCI_ERR_UNC_UNSUP | PCI_ERR_UNC_DLP;

	shca_cfg_ecap(cfg, at, PCI_EXT_CAP_ID_ERR, 2, SHCA_ECAP_DSN);
	shca_cfg_reg(cfg, at + PCI_ERR_UNCOR_MASK, 4, 0, uncor);
	shca_cfg_reg(cfg, at + PCI_ERR_UNCOR_SEVER, 4,
		     PCI_ERR_UNC_FCP | PCI_ERR_UNC_RX_OVER |
		     PCI_ERR_UNC_MALF_TLP | PCI_ERR_UNC_DLP, uncor);
	shca_cfg_reg(cfg, at + PCI_ERR_COR_MASK, 4, PCI_ERR_COR_ADV_NFAT,
		     0x31c1);
	shca_cfg_reg(cfg, at + PCI_ERR_CAP, 4, 0, 0x140);
}

static void ecap_dsn(struct shca_cfg *cfg, u64 guid)
{
	shca_cfg_ecap(cfg, SHCA_ECAP_DSN, PCI_EXT_CAP_ID_DSN, 1, 0);
	shca_cfg_set(cfg, SHCA_ECAP_DSN + 4, 4, lower_32_bits(guid));
	shca_cfg_set(cfg, SHCA_ECAP_DSN + 8, 4, upper_32_bits(guid));
}

/* The 64-bit prefetchable BAR 0 of @size bytes, programmed to @base. */
static void cfg_bar(struct shca_cfg *cfg, phys_addr_t base, u32 size)
{
	shca_cfg_reg(cfg, PCI_BASE_ADDRESS_0, 4, 0, ~(size - 1));
	shca_cfg_reg(cfg, PCI_BASE_ADDRESS_1, 4, 0, ~0U);
	cfg->val[PCI_BASE_ADDRESS_0] = PCI_BASE_ADDRESS_MEM_TYPE_64 |
				       PCI_BASE_ADDRESS_MEM_PREFETCH;
	/* A reset forgets the address; the firmware of the machine set it. */
	shca_cfg_seal(cfg);
	shca_cfg_write(cfg, PCI_BASE_ADDRESS_0, 4, lower_32_bits(base));
	shca_cfg_write(cfg, PCI_BASE_ADDRESS_1, 4, upper_32_bits(base));
}

void shca_caps_function(struct shca_slot *slot)
{
	struct shca_cfg *cfg = &slot->cfg;
	struct shca_fn *fn = slot->fn;

	memset(cfg, 0, sizeof(*cfg));
	shca_cfg_set(cfg, PCI_VENDOR_ID, 2, SHCA_VENDOR);
	shca_cfg_set(cfg, PCI_DEVICE_ID, 2, slot->id.device);
	shca_cfg_set(cfg, PCI_SUBSYSTEM_VENDOR_ID, 2, SHCA_VENDOR);
	shca_cfg_set(cfg, PCI_SUBSYSTEM_ID, 2, slot->id.subsystem);
	/* "Infiniband controller" */
	shca_cfg_set(cfg, PCI_CLASS_REVISION, 4, 0x02070000 | slot->id.revision);
	shca_cfg_reg(cfg, PCI_COMMAND, 2, 0,
		     PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER |
		     PCI_COMMAND_PARITY | PCI_COMMAND_SERR |
		     PCI_COMMAND_INTX_DISABLE);
	shca_cfg_reg(cfg, PCI_CACHE_LINE_SIZE, 1, 0, 0xff);
	shca_cfg_reg(cfg, PCI_INTERRUPT_LINE, 1, 0xff, 0xff);
	cfg->val[PCI_HEADER_TYPE] = fn->card->nfns > 1 ? 0x80 : 0;

	cap_pm(cfg);
	cap_vsc(cfg);
	cap_msix(cfg);
	shca_cfg_cap(cfg, SHCA_CAP_VPD, PCI_CAP_ID_VPD);
	cap_exp(cfg, &slot->id, PCI_EXP_TYPE_ENDPOINT, false);
	ecap_aer(cfg);
	ecap_dsn(cfg, fn->node_guid);
	cfg_bar(cfg, slot->bar_phys, SHCA_BAR_SIZE);
}

void shca_caps_port(struct shca_port_slot *port, const struct shca_pci_id *id,
		    phys_addr_t base, phys_addr_t limit)
{
	struct shca_cfg *cfg = &port->cfg;
	u8 bus = port->card->index + 1;

	memset(cfg, 0, sizeof(*cfg));
	shca_cfg_set(cfg, PCI_VENDOR_ID, 2, SHCA_VENDOR);
	shca_cfg_set(cfg, PCI_DEVICE_ID, 2, SHCA_PORT_DEVICE);
	shca_cfg_set(cfg, PCI_CLASS_REVISION, 4, PCI_CLASS_BRIDGE_PCI << 16);
	cfg->val[PCI_HEADER_TYPE] = PCI_HEADER_TYPE_BRIDGE;
	shca_cfg_reg(cfg, PCI_COMMAND, 2, 0,
		     PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER |
		     PCI_COMMAND_PARITY | PCI_COMMAND_SERR |
		     PCI_COMMAND_INTX_DISABLE);
	shca_cfg_reg(cfg, PCI_CACHE_LINE_SIZE, 1, 0, 0xff);
	shca_cfg_reg(cfg, PCI_INTERRUPT_LINE, 1, 0xff, 0xff);
	shca_cfg_reg(cfg, PCI_PRIMARY_BUS, 4, bus << 8 | bus << 16, 0x00ffffff);
	shca_cfg_reg(cfg, PCI_BRIDGE_CONTROL, 2, 0,
		     PCI_BRIDGE_CTL_PARITY | PCI_BRIDGE_CTL_SERR |
		     PCI_BRIDGE_CTL_BUS_RESET);
	/* No I/O window and no plain memory window: base above limit. Base and
	 * limit of 0 would mean the first 4 KiB of I/O space.
	 */
	shca_cfg_reg(cfg, PCI_IO_BASE, 1, 0xf0, 0xf0);
	shca_cfg_reg(cfg, PCI_IO_LIMIT, 1, 0, 0xf0);
	shca_cfg_reg(cfg, PCI_MEMORY_BASE, 2, 0xfff0, 0xfff0);
	shca_cfg_reg(cfg, PCI_MEMORY_LIMIT, 2, 0, 0xfff0);
	shca_cfg_reg(cfg, PCI_PREF_MEMORY_BASE, 2,
		     (lower_32_bits(base) >> 16 & 0xfff0) |
		     PCI_PREF_RANGE_TYPE_64, 0xfff0);
	shca_cfg_reg(cfg, PCI_PREF_MEMORY_LIMIT, 2,
		     (lower_32_bits(limit) >> 16 & 0xfff0) |
		     PCI_PREF_RANGE_TYPE_64, 0xfff0);
	shca_cfg_reg(cfg, PCI_PREF_BASE_UPPER32, 4, upper_32_bits(base), ~0U);
	shca_cfg_reg(cfg, PCI_PREF_LIMIT_UPPER32, 4, upper_32_bits(limit), ~0U);
	cap_exp(cfg, id, PCI_EXP_TYPE_ROOT_PORT, true);
	shca_cfg_seal(cfg);
}

/* A large resource's tag and length. */
static void vpd_tag(u8 *vpd, unsigned int at, u8 tag, size_t len)
{
	vpd[at] = tag;
	vpd[at + 1] = len;
	vpd[at + 2] = len >> 8;
}

/* One VPD-R keyword with its text; returns the place behind it. */
static unsigned int vpd_field(u8 *vpd, unsigned int at, const char *key,
			      const char *text)
{
	size_t len = strlen(text);

	vpd[at] = key[0];
	vpd[at + 1] = key[1];
	vpd[at + 2] = len;
	memcpy(vpd + at + 3, text, len);
	return at + 3 + len;
}

/* Identifier string, read-only part with checksum, end tag: PCI specification
 * appendix on vital product data. The texts are the profile's, short enough.
 */
void shca_vpd_build(u8 vpd[SHCA_VPD_SIZE], const struct shca_pci_id *id)
{
	size_t len = strlen(id->vpd_name);
	unsigned int at, start, i;
	u8 sum = 0;

	memset(vpd, 0, SHCA_VPD_SIZE);
	vpd_tag(vpd, 0, PCI_VPD_LRDT_ID_STRING, len);
	memcpy(vpd + VPD_TAG_SIZE, id->vpd_name, len);
	start = VPD_TAG_SIZE + len;
	at = start + VPD_TAG_SIZE;
	at = vpd_field(vpd, at, "PN", id->vpd_part);
	at = vpd_field(vpd, at, "SN", id->serial);
	at = vpd_field(vpd, at, "V0", "softhca");
	vpd[at] = 'R';
	vpd[at + 1] = 'V';
	vpd[at + 2] = 1;
	vpd_tag(vpd, start, PCI_VPD_LRDT_RO_DATA,
		at + 4 - start - VPD_TAG_SIZE);
	for (i = 0; i < at + 3; i++)
		sum += vpd[i];
	vpd[at + 3] = -sum;
	vpd[at + 4] = 0x78;	/* end tag */
}
