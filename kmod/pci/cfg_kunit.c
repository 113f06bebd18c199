// SPDX-License-Identifier: GPL-2.0
/* Configuration space rules, and what the two kinds of device show at power-on. */
#include <kunit/test.h>
#include <linux/pci.h>

#include "pci/internal.h"

static struct shca_cfg *cfg_new(struct kunit *test)
{
	struct shca_cfg *cfg = kunit_kzalloc(test, sizeof(*cfg), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, cfg);
	return cfg;
}

static void cfg_write_obeys_mask(struct kunit *test)
{
	struct shca_cfg *cfg = cfg_new(test);

	shca_cfg_reg(cfg, 0x10, 4, 0x1200000c, 0xffe00000);
	shca_cfg_write(cfg, 0x10, 4, ~0U);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, 0x10, 4), 0xffe0000cU);
	shca_cfg_write(cfg, 0x12, 2, 0xabcd);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, 0x10, 4), 0xabc0000cU);
	shca_cfg_write(cfg, 0x10, 1, 0xff);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, 0x10, 1), 0x0cU);
}

static void cfg_write_one_clears(struct kunit *test)
{
	struct shca_cfg *cfg = cfg_new(test);

	shca_cfg_set(cfg, 0x6a, 2, 0x000f);
	cfg->w1c[0x6a] = 0x0f;
	shca_cfg_write(cfg, 0x6a, 2, 0x0005);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, 0x6a, 2), 0x000aU);
	shca_cfg_write(cfg, 0x6a, 2, 0);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, 0x6a, 2), 0x000aU);
}

static void cfg_bad_access_reaches_nothing(struct kunit *test)
{
	struct shca_cfg *cfg = cfg_new(test);

	shca_cfg_reg(cfg, 0, 4, 0x11223344, ~0U);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, 1, 2), ~0U);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, 0, 3), ~0U);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, SHCA_CFG_SIZE, 1), ~0U);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, SHCA_CFG_SIZE - 2, 4), ~0U);
	shca_cfg_write(cfg, 2, 4, 0);
	shca_cfg_write(cfg, ~0U, 4, 0);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, 0, 4), 0x11223344U);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, SHCA_CFG_SIZE - 4, 4), 0U);
}

static void cfg_reset_brings_back_power_on(struct kunit *test)
{
	struct shca_cfg *cfg = cfg_new(test);

	shca_cfg_reg(cfg, PCI_COMMAND, 2, 0, 0x0006);
	shca_cfg_seal(cfg);
	shca_cfg_write(cfg, PCI_COMMAND, 2, 0x0006);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, PCI_COMMAND, 2), 0x0006U);
	shca_cfg_do_reset(cfg);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, PCI_COMMAND, 2), 0U);
}

/* Where the capability list leads, with a bound against loops. */
static unsigned int cap_find(const struct shca_cfg *cfg, u8 id)
{
	unsigned int at = cfg->val[PCI_CAPABILITY_LIST], hops;

	for (hops = 0; at && hops < 48; hops++, at = cfg->val[at + 1])
		if (cfg->val[at] == id)
			return at;
	return 0;
}

static const struct shca_pci_id test_id = {
	.device = 0x1017,
	.link_speed = 3,
	.link_width = 16,
	.vpd_name = "name",
	.vpd_part = "part",
	.serial = "serial",
};

static void cfg_function_at_power_on(struct kunit *test)
{
	struct shca_slot *slot;
	struct shca_card card = { .nfns = 2 };
	struct shca_fn fn = { .card = &card, .node_guid = 0x0002c90300001234 };
	struct shca_cfg *cfg;

	slot = kunit_kzalloc(test, sizeof(*slot), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, slot);
	slot->fn = &fn;
	slot->id = test_id;
	slot->bar_phys = 0xf8200000;
	shca_caps_function(slot);
	cfg = &slot->cfg;

	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, 0, 4), 0x101715b3U);
	KUNIT_EXPECT_EQ(test, cfg->val[PCI_HEADER_TYPE], (u8)0x80);
	KUNIT_EXPECT_EQ(test, cap_find(cfg, PCI_CAP_ID_EXP), 0x60U);
	KUNIT_EXPECT_EQ(test, cap_find(cfg, PCI_CAP_ID_MSIX), 0x9cU);
	KUNIT_EXPECT_EQ(test, cap_find(cfg, PCI_CAP_ID_VNDR), 0xc0U);
	KUNIT_EXPECT_EQ(test, cap_find(cfg, PCI_CAP_ID_PM), 0x40U);
	KUNIT_EXPECT_EQ(test, cap_find(cfg, PCI_CAP_ID_VPD), 0x48U);
	KUNIT_EXPECT_EQ(test, cap_find(cfg, PCI_CAP_ID_MSI), 0U);
	/* programmed, sized, and forgotten by a reset */
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, 0x10, 4), 0xf820000cU);
	shca_cfg_write(cfg, 0x10, 4, ~0U);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, 0x10, 4),
			~(SHCA_BAR_SIZE - 1U) | 0xc);
	shca_cfg_do_reset(cfg);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, 0x10, 4), 0xcU);
	/* only the two MSI-X control bits may be written */
	shca_cfg_write(cfg, 0x9e, 2, 0xffff);
	KUNIT_EXPECT_EQ(test, shca_cfg_read(cfg, 0x9e, 2),
			0xc000U | (SHCA_MSIX_VECTORS - 1));
}

static void cfg_vpd_checksum(struct kunit *test)
{
	u8 vpd[SHCA_VPD_SIZE], sum = 0;
	unsigned int i, end;

	shca_vpd_build(vpd, &test_id);
	KUNIT_EXPECT_EQ(test, vpd[0], (u8)0x82);
	KUNIT_EXPECT_EQ(test, vpd[1], (u8)strlen(test_id.vpd_name));
	KUNIT_EXPECT_EQ(test, vpd[3 + 4], (u8)0x90);
	end = 3 + 4 + 3 + (vpd[3 + 4 + 1] | vpd[3 + 4 + 2] << 8);
	KUNIT_ASSERT_LT(test, end, (unsigned int)SHCA_VPD_SIZE);
	for (i = 0; i < end; i++)
		sum += vpd[i];
	KUNIT_EXPECT_EQ(test, sum, (u8)0);
	KUNIT_EXPECT_EQ(test, vpd[end], (u8)0x78);
}

static struct kunit_case cfg_cases[] = {
	KUNIT_CASE(cfg_write_obeys_mask),
	KUNIT_CASE(cfg_write_one_clears),
	KUNIT_CASE(cfg_bad_access_reaches_nothing),
	KUNIT_CASE(cfg_reset_brings_back_power_on),
	KUNIT_CASE(cfg_function_at_power_on),
	KUNIT_CASE(cfg_vpd_checksum),
	{ }
};

static struct kunit_suite cfg_suite = {
	.name = "softhca_pci_cfg",
	.test_cases = cfg_cases,
};

kunit_test_suite(cfg_suite);
