/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ctl, private: what listeners of the multicast group are told.
 */
#ifndef SHCA_CTL_NOTIFY_H
#define SHCA_CTL_NOTIFY_H

#include "ctl/card.h"

/* With the cards' lock held. */
void shca_notify_add(struct shca_ctl_card *c);

void shca_notify_add_failed(struct shca_ctl_card *c, int err);
/* It is in no list any more. */
void shca_notify_del(struct shca_ctl_card *c);
void shca_notify_link(struct shca_fn *fn, u8 port, enum shca_port_event ev);

#endif
