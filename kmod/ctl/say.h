/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ctl, private: why a request was refused, in words.
 */
#ifndef SHCA_CTL_SAY_H
#define SHCA_CTL_SAY_H

#include <linux/compiler_attributes.h>

struct netlink_ext_ack;

__printf(2, 3)
void shca_say(struct netlink_ext_ack *extack, const char *fmt, ...);

#endif
