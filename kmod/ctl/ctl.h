/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ctl: what a user may ask of the module. The generic netlink family, the life
 * of cards, and the fault rules.
 */
#ifndef SHCA_CTL_H
#define SHCA_CTL_H

int shca_ctl_init(void);
/* Takes all cards away; the rooms below must still work. */
void shca_ctl_exit(void);
/* Takes every card off and waits; does no harm where there is none. */
void shca_ctl_del_all(void);

#endif
