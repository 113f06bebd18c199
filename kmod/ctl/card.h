/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ctl, private: the cards there are.
 */
#ifndef SHCA_CTL_CARD_H
#define SHCA_CTL_CARD_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "base/base.h"
#include "ctl/softhca.h"
#include "fabric/fabric.h"
#include "fw/fw.h"

struct netlink_ext_ack;

struct shca_ctl_card {
	struct list_head node;
	u32 id;
	const struct shca_profile *profile;
	struct shca_card *card;
	u8 log_cmdq_sz;
	enum softhca_dev_state state;
	bool surprise;
	bool plugged;		/* the works' */
	/* Firmware, hardware and ports of its functions may be asked. */
	bool alive;
	struct work_struct plug;
	struct work_struct unplug;
};

/* What a user wants; zero or an empty name where he left it open. */
struct shca_ctl_want {
	char name[SHCA_NAME_LEN];
	const struct shca_profile *profile;
	u32 ports;
	u64 guid;
	u32 cmd_slots;
};

int shca_cards_init(void);
void shca_cards_exit(void);

/* Held by whoever looks at the list, or at a card of it. */
extern struct mutex shca_cards_lock;
extern struct list_head shca_cards;

/* All with the lock held. */
struct shca_ctl_card *shca_card_find(const char *name);
struct shca_ctl_card *shca_card_of_port(u64 guid, u32 *port);
/* The function behind a port, NULL when there is none or it is going away. */
struct shca_fn *shca_card_port_fn(struct shca_ctl_card *c, u32 port);
/* Makes a card that no driver sees yet. */
struct shca_ctl_card *shca_card_make(const struct shca_ctl_want *want,
				     struct netlink_ext_ack *extack);
/* Sends it on its way to the bus. */
void shca_card_plug(struct shca_ctl_card *c);
int shca_card_unplug(struct shca_ctl_card *c, bool surprise,
		     struct netlink_ext_ack *extack);

#endif
