// SPDX-License-Identifier: GPL-2.0
/*
 * fabric/link: when a link is up, and what its ends make of it.
 *
 * Training takes no time here: a link that can be up is up. It can be when the
 * cable is plugged in, both transceivers are on, neither end is disabled, at
 * least one end polls (which wakes a sleeping one), and the ends have a width
 * and a speed in common.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "fabric/node.h"

/* Best width first; the encoding's order is not that of the widths (2x is 16). */
static const u8 shca_widths[] = { 8, 4, 2, 16, 1 };

static u8 shca_best_width(u8 common)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(shca_widths); i++)
		if (common & shca_widths[i])
			return shca_widths[i];
	return 0;
}

static u8 shca_best_speed(u8 common)
{
	return common ? BIT(fls(common) - 1) : 0;
}

static struct shca_port *shca_link_far(const struct shca_port *port)
{
	struct shca_link *link = port->link;

	return link ? link->end[link->end[0] == port] : NULL;
}

static bool shca_link_compatible(const struct shca_port *a,
				 const struct shca_port *b)
{
	return (a->width_enabled & b->width_enabled) &&
	       ((a->speed_enabled & b->speed_enabled) ||
		(a->ext_enabled & b->ext_enabled));
}

static bool shca_port_can_train(const struct shca_port *port)
{
	return port->enabled && port->want != SHCA_PHYS_DISABLED;
}

static bool shca_link_can_be_up(const struct shca_port *a)
{
	const struct shca_port *b = shca_link_far(a);

	return b && a->link->up &&
	       shca_port_can_train(a) && shca_port_can_train(b) &&
	       (a->want == SHCA_PHYS_POLLING || b->want == SHCA_PHYS_POLLING);
}

static bool shca_port_is_up(const struct shca_port *port)
{
	return port->phys == SHCA_PHYS_LINKUP;
}

static void shca_port_up(struct shca_port *port, struct shca_port *peer)
{
	port->phys = SHCA_PHYS_LINKUP;
	port->state = SHCA_STATE_INIT;
	port->width_active = shca_best_width(port->width_enabled &
					     peer->width_enabled);
	port->ext_active = shca_best_speed(port->ext_enabled &
					   peer->ext_enabled);
	port->speed_active = shca_best_speed(port->speed_enabled &
					     peer->speed_enabled);
	/* LinkSpeedActive has no room for an extended speed: it shows QDR. */
	if (port->ext_active)
		port->speed_active = 4;
	shca_port_publish(port);
	rcu_assign_pointer(port->peer, peer);
	shca_port_notify(port, SHCA_PORT_INIT);
}

static void shca_port_down(struct shca_port *port)
{
	rcu_assign_pointer(port->peer, NULL);
	shca_impair_drop(port);
	port->state = SHCA_STATE_DOWN;
	port->phys = SHCA_PHYS_POLLING;
	port->speed_active = 1;
	port->ext_active = 0;
	shca_port_publish(port);
	shca_cnt_add(port, SHCA_CNT_LINK_DOWNED, 1);
	shca_port_notify(port, SHCA_PORT_DOWN);
}

/* What a port without a link shows. */
static void shca_port_idle(struct shca_port *port)
{
	if (!shca_port_is_up(port))
		port->phys = port->enabled ? port->want : SHCA_PHYS_DISABLED;
}

/* A port that lost its link does what LinkDownDefaultState says, unless it was
 * told otherwise.
 */
static void shca_link_lost(struct shca_port *port)
{
	shca_port_down(port);
	if (port->want == SHCA_PHYS_POLLING)
		port->want = port->down_default;
}

static void shca_link_drop(struct shca_port *port)
{
	struct shca_port *far = shca_link_far(port);

	if (!shca_port_is_up(port))
		return;
	shca_link_lost(port);
	shca_link_lost(far);
	shca_port_idle(port);
	shca_port_idle(far);
}

/* Brings both ends to what cable, transceivers and orders allow. */
void shca_link_update(struct shca_port *port)
{
	struct shca_port *far = shca_link_far(port);

	lockdep_assert_held(&shca_fabric_lock);
	if (shca_port_is_up(port)) {
		if (!shca_link_can_be_up(port))
			shca_link_drop(port);
	} else if (shca_link_can_be_up(port) && shca_link_compatible(port, far)) {
		/* waking up is polling */
		port->want = SHCA_PHYS_POLLING;
		far->want = SHCA_PHYS_POLLING;
		shca_port_up(port, far);
		shca_port_up(far, port);
	}
	shca_port_idle(port);
	if (far)
		shca_port_idle(far);
}

void shca_link_sever(struct shca_port *port)
{
	struct shca_link *link = port->link;

	lockdep_assert_held(&shca_fabric_lock);
	if (!link)
		return;
	shca_link_drop(port);
	shca_impair_reset(link->end[0]);
	shca_impair_reset(link->end[1]);
	link->end[0]->link = NULL;
	link->end[1]->link = NULL;
	kfree(link);
}

static void shca_link_set_phys(struct shca_port *port, u8 phys)
{
	shca_link_drop(port);
	port->want = phys ?: port->down_default;
	shca_link_update(port);
}

static int shca_link_logical(struct shca_port *port, u8 state, bool apply)
{
	/* Armed from Init, Active from Armed; nothing else moves that way. */
	if (port->state != state - 1)
		return -EINVAL;
	if (!apply)
		return 0;
	port->state = state;
	shca_port_publish(port);
	if (state == SHCA_STATE_ACTIVE)
		shca_port_notify(port, SHCA_PORT_ACTIVE);
	return 0;
}

/* PortState and PortPhysicalState of a SubnSet(PortInfo); 0 = no change. A
 * physical state may be asked for only with PortState Down or no change.
 */
int shca_link_set_state(struct shca_port *port, u8 state, u8 phys, bool apply)
{
	lockdep_assert_held(&shca_fabric_lock);
	if (phys > SHCA_PHYS_DISABLED)
		return -EINVAL;
	switch (state) {
	case 0:
		if (!phys)
			return 0;
		break;
	case SHCA_STATE_DOWN:
		break;
	case SHCA_STATE_ARMED:
	case SHCA_STATE_ACTIVE:
		return phys ? -EINVAL : shca_link_logical(port, state, apply);
	default:
		return -EINVAL;
	}
	if (apply)
		shca_link_set_phys(port, phys);
	return 0;
}

/* A data packet that reaches an Armed port makes it Active. */
void shca_link_active_work(struct work_struct *work)
{
	struct shca_port *port = container_of(work, struct shca_port,
					      active_work);

	mutex_lock(&shca_fabric_lock);
	if (port->state == SHCA_STATE_ARMED)
		shca_link_logical(port, SHCA_STATE_ACTIVE, true);
	mutex_unlock(&shca_fabric_lock);
}

void shca_port_enable(struct shca_port *port, bool on)
{
	mutex_lock(&shca_fabric_lock);
	port->enabled = on;
	shca_link_update(port);
	mutex_unlock(&shca_fabric_lock);
}

int shca_port_set_cable(struct shca_port *port, bool up)
{
	int err = 0;

	mutex_lock(&shca_fabric_lock);
	if (port->link) {
		port->link->up = up;
		shca_link_update(port);
	} else {
		err = -ENOTCONN;
	}
	mutex_unlock(&shca_fabric_lock);
	return err;
}

bool shca_port_cable_up(struct shca_port *port)
{
	bool up;

	mutex_lock(&shca_fabric_lock);
	up = port->link && port->link->up;
	mutex_unlock(&shca_fabric_lock);
	return up;
}

int shca_cable_add(struct shca_port *a, struct shca_port *b)
{
	struct shca_link *link;

	if (a == b)
		return -EINVAL;
	link = kzalloc(sizeof(*link), GFP_KERNEL);
	if (!link)
		return -ENOMEM;
	link->end[0] = a;
	link->end[1] = b;
	link->up = true;

	mutex_lock(&shca_fabric_lock);
	if (a->link || b->link) {
		mutex_unlock(&shca_fabric_lock);
		kfree(link);
		return -EBUSY;
	}
	a->link = link;
	b->link = link;
	shca_link_update(a);
	mutex_unlock(&shca_fabric_lock);
	return 0;
}

u64 shca_port_peer_guid(struct shca_port *port)
{
	struct shca_port *far;
	u64 guid;

	mutex_lock(&shca_fabric_lock);
	far = shca_link_far(port);
	guid = far ? far->guid : 0;
	mutex_unlock(&shca_fabric_lock);
	return guid;
}
