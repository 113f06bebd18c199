// SPDX-License-Identifier: GPL-2.0
/*
 * The module that holds all KUnit suites. It has copies of the objects under
 * test, so that a suite never meets a live device.
 */
#include <linux/module.h>

MODULE_DESCRIPTION("KUnit suites of softhca");
MODULE_LICENSE("GPL");
