// SPDX-License-Identifier: GPL-2.0
/* What happens at the port, told to the driver. */
#include <linux/rwsem.h>

#include "fw/internal.h"

static DECLARE_RWSEM(watch_lock);
static shca_link_watch link_watch;

void shca_fw_watch(shca_link_watch watch)
{
	down_write(&watch_lock);
	link_watch = watch;
	up_write(&watch_lock);
}

static u8 port_sub_type(enum shca_port_event ev)
{
	switch (ev) {
	case SHCA_PORT_DOWN:
		return MLX5_PORT_CHANGE_SUBTYPE_DOWN;
	case SHCA_PORT_INIT:
		return MLX5_PORT_CHANGE_SUBTYPE_INITIALIZED;
	case SHCA_PORT_ACTIVE:
		return MLX5_PORT_CHANGE_SUBTYPE_ACTIVE;
	case SHCA_PORT_LID:
		return MLX5_PORT_CHANGE_SUBTYPE_LID;
	case SHCA_PORT_PKEY:
		return MLX5_PORT_CHANGE_SUBTYPE_PKEY;
	case SHCA_PORT_GUID:
		return MLX5_PORT_CHANGE_SUBTYPE_GUID;
	case SHCA_PORT_REREG:
		return MLX5_PORT_CHANGE_SUBTYPE_CLIENT_REREG;
	}
	return 0;
}

void shca_fw_port_event(struct shca_fn *fn, u8 port, enum shca_port_event ev)
{
	union ev_data data = {};

	/* The number stands in the upper half of its byte. */
	data.port.port = port << 4;
	shca_eq_event(fn, MLX5_EVENT_TYPE_PORT_CHANGE, port_sub_type(ev),
		      &data);

	down_read(&watch_lock);
	if (link_watch)
		link_watch(fn, port, ev);
	up_read(&watch_lock);
}
