// SPDX-License-Identifier: GPL-2.0
/* Object tables: numbers, ownership, references, and destroys that wait. */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>

#include "base/obj.h"

static void obj_numbers_and_limits(struct kunit *test)
{
	struct shca_tbl tbl;
	struct shca_obj a, b, c;

	shca_tbl_init(&tbl, 4, 5);
	KUNIT_EXPECT_EQ(test, shca_obj_add(&tbl, &a, 0), 0);
	KUNIT_EXPECT_EQ(test, a.id, 4U);
	KUNIT_EXPECT_EQ(test, shca_obj_add(&tbl, &b, 0), 0);
	KUNIT_EXPECT_EQ(test, b.id, 5U);
	KUNIT_EXPECT_EQ(test, shca_obj_add(&tbl, &c, 0), -ENOSPC);
	KUNIT_EXPECT_PTR_EQ(test, shca_obj_del(&tbl, 4, 0), &a);
	KUNIT_EXPECT_EQ(test, shca_obj_add(&tbl, &c, 0), 0);
	KUNIT_EXPECT_EQ(test, c.id, 4U);
	KUNIT_EXPECT_EQ(test, shca_obj_add_at(&tbl, &a, 0, 5), -EBUSY);
	KUNIT_EXPECT_EQ(test, shca_obj_add_at(&tbl, &a, 0, 6), -EINVAL);
	KUNIT_EXPECT_EQ(test, atomic_read(&tbl.count), 2);
	shca_obj_del(&tbl, 4, 0);
	shca_obj_del(&tbl, 5, 0);
	shca_tbl_exit(&tbl);
}

static void obj_belongs_to_its_uid(struct kunit *test)
{
	struct shca_tbl tbl;
	struct shca_obj a, *got;

	shca_tbl_init(&tbl, 0, 9);
	KUNIT_ASSERT_EQ(test, shca_obj_add(&tbl, &a, 7), 0);
	KUNIT_EXPECT_NULL(test, shca_obj_get(&tbl, a.id, 8));
	KUNIT_EXPECT_TRUE(test, IS_ERR(shca_obj_del(&tbl, a.id, 8)));
	got = shca_obj_get(&tbl, a.id, 7);
	KUNIT_EXPECT_PTR_EQ(test, got, &a);
	shca_obj_put(got);
	/* the kernel driver may */
	KUNIT_EXPECT_PTR_EQ(test, shca_obj_del(&tbl, a.id, 0), &a);
	KUNIT_EXPECT_NULL(test, shca_obj_get(&tbl, a.id, 7));
	shca_tbl_exit(&tbl);
}

static void obj_in_use_is_busy(struct kunit *test)
{
	struct shca_tbl tbl;
	struct shca_obj a;

	shca_tbl_init(&tbl, 0, 9);
	KUNIT_ASSERT_EQ(test, shca_obj_add(&tbl, &a, 0), 0);
	shca_obj_hold(&a);
	KUNIT_EXPECT_PTR_EQ(test, shca_obj_del(&tbl, a.id, 0),
			    ERR_PTR(-EBUSY));
	shca_obj_unhold(&a);
	KUNIT_EXPECT_PTR_EQ(test, shca_obj_del(&tbl, a.id, 0), &a);
	shca_tbl_exit(&tbl);
}

struct pinner {
	struct shca_obj *obj;
	bool let_go;
};

static int pin_for_a_while(void *data)
{
	struct pinner *p = data;

	msleep(50);
	WRITE_ONCE(p->let_go, true);
	shca_obj_put(p->obj);
	return 0;
}

static void obj_destroy_waits_for_users(struct kunit *test)
{
	struct shca_tbl tbl;
	struct shca_obj a;
	struct pinner p = { };
	struct task_struct *task;

	shca_tbl_init(&tbl, 0, 9);
	KUNIT_ASSERT_EQ(test, shca_obj_add(&tbl, &a, 0), 0);
	p.obj = shca_obj_get(&tbl, a.id, 0);
	KUNIT_ASSERT_PTR_EQ(test, p.obj, &a);
	task = kthread_run(pin_for_a_while, &p, "shca-kunit");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	KUNIT_EXPECT_PTR_EQ(test, shca_obj_del(&tbl, a.id, 0), &a);
	KUNIT_EXPECT_TRUE(test, READ_ONCE(p.let_go));
	shca_tbl_exit(&tbl);
}

static struct kunit_case obj_cases[] = {
	KUNIT_CASE(obj_numbers_and_limits),
	KUNIT_CASE(obj_belongs_to_its_uid),
	KUNIT_CASE(obj_in_use_is_busy),
	KUNIT_CASE(obj_destroy_waits_for_users),
	{ }
};

static struct kunit_suite obj_suite = {
	.name = "softhca_base_obj",
	.test_cases = obj_cases,
};

kunit_test_suite(obj_suite);
