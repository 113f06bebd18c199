// SPDX-License-Identifier: GPL-2.0
/*
 * Which commands a fault rule acts on, and the names of statuses.
 */
#include <kunit/test.h>
#include <linux/mlx5/device.h>

#include "ctl/fault.h"

static const struct shca_card mine;
static const struct shca_card other;

static void rule_is_for_one_card_and_opcode(struct kunit *test)
{
	struct shca_fault_rule rule = { .card = &mine, .opcode = 0x800 };

	KUNIT_EXPECT_FALSE(test, shca_fault_rule_hit(&rule, &other, 0x800));
	KUNIT_EXPECT_FALSE(test, shca_fault_rule_hit(&rule, &mine, 0x801));
	KUNIT_EXPECT_EQ(test, rule.seen, 0ULL);
	KUNIT_EXPECT_TRUE(test, shca_fault_rule_hit(&rule, &mine, 0x800));
	KUNIT_EXPECT_EQ(test, rule.seen, 1ULL);
	KUNIT_EXPECT_EQ(test, rule.hits, 1ULL);
}

static void rule_may_be_for_every_opcode(struct kunit *test)
{
	struct shca_fault_rule rule = { .card = &mine, .any_opcode = true };

	KUNIT_EXPECT_TRUE(test, shca_fault_rule_hit(&rule, &mine, 0x800));
	KUNIT_EXPECT_TRUE(test, shca_fault_rule_hit(&rule, &mine, 0x104));
	KUNIT_EXPECT_FALSE(test, shca_fault_rule_hit(&rule, &other, 0x104));
}

static void rule_starts_late_and_wears_out(struct kunit *test)
{
	struct shca_fault_rule rule = {
		.card = &mine, .opcode = 0x800, .after = 2, .count = 3,
	};
	unsigned int i;

	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_EQ(test, shca_fault_rule_hit(&rule, &mine, 0x800),
				i >= 2 && i < 5);
	KUNIT_EXPECT_EQ(test, rule.seen, 10ULL);
	KUNIT_EXPECT_EQ(test, rule.hits, 3ULL);
}

static void rule_without_a_count_goes_on(struct kunit *test)
{
	struct shca_fault_rule rule = { .card = &mine, .opcode = 0x800 };
	unsigned int i;

	for (i = 0; i < 1000; i++)
		shca_fault_rule_hit(&rule, &mine, 0x800);
	KUNIT_EXPECT_EQ(test, rule.hits, 1000ULL);
}

static void status_names_go_both_ways(struct kunit *test)
{
	unsigned int status, names = 0;

	for (status = 0; status <= U8_MAX; status++) {
		const char *name = shca_status_name(status);

		if (!name)
			continue;
		names++;
		KUNIT_EXPECT_EQ(test, shca_status_find(name), (int)status);
	}
	KUNIT_EXPECT_EQ(test, names, 15U);
	KUNIT_EXPECT_EQ(test, shca_status_find("bad_param"),
			(int)MLX5_CMD_STAT_BAD_PARAM_ERR);
	KUNIT_EXPECT_EQ(test, shca_status_find("BAD_PARAMS"), -ENOENT);
	KUNIT_EXPECT_EQ(test, shca_status_find(""), -ENOENT);
	/* An answer of OK to a command that was not run would be a lie. */
	KUNIT_EXPECT_NULL(test, shca_status_name(MLX5_CMD_STAT_OK));
}

static struct kunit_case fault_cases[] = {
	KUNIT_CASE(rule_is_for_one_card_and_opcode),
	KUNIT_CASE(rule_may_be_for_every_opcode),
	KUNIT_CASE(rule_starts_late_and_wears_out),
	KUNIT_CASE(rule_without_a_count_goes_on),
	KUNIT_CASE(status_names_go_both_ways),
	{ }
};

static struct kunit_suite fault_suite = {
	.name = "softhca_ctl_fault",
	.test_cases = fault_cases,
};

kunit_test_suite(fault_suite);
