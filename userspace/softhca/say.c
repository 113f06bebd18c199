/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Errors, on standard error, one line each.
 */
#include <stdio.h>

#include "tool.h"

void say_error(const char *fmt, ...)
{
	va_list args;

	fflush(stdout);
	fputs("softhca: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
}
