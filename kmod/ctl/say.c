// SPDX-License-Identifier: GPL-2.0
/*
 * Refusals in words. The kernel's own formatted messages came after 6.1 and
 * end at 80 characters, which a list of profiles does not fit in.
 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/netlink.h>

#include "ctl/say.h"

#define SAY_LEN		200
/* The text must last until netlink has copied it into the answer, right after
 * the request's handler. Only an administrator's requests come here.
 */
#define SAY_TEXTS	32

static char say_text[SAY_TEXTS][SAY_LEN];
static atomic_t say_next = ATOMIC_INIT(0);

void shca_say(struct netlink_ext_ack *extack, const char *fmt, ...)
{
	unsigned int i = (unsigned int)atomic_inc_return(&say_next) % SAY_TEXTS;
	va_list args;

	if (!extack)
		return;
	va_start(args, fmt);
	vsnprintf(say_text[i], SAY_LEN, fmt, args);
	va_end(args);
	extack->_msg = say_text[i];
}
