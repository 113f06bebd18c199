// SPDX-License-Identifier: GPL-2.0
/*
 * The life of a card, across the rooms: made within the request, so that a
 * refusal can say why; put on the bus and taken off by a work of its own,
 * because drivers are probed and removed there and that may take a minute.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/ctype.h>
#include <linux/netlink.h>
#include <linux/slab.h>

#include "ctl/card.h"
#include "ctl/ctl.h"
#include "ctl/fault.h"
#include "ctl/notify.h"
#include "ctl/say.h"
#include "engine/engine.h"
#include "pci/pci.h"

/* NVIDIA's OUI and a middle that no real card is known to have; a card takes
 * the GUIDs from its first one on.
 */
#define GUID_FIRST	0x0002c90000ca0000ULL
#define GUID_STEP	0x10

/* The list of cards, and each card of it except for what its works own. */
DEFINE_MUTEX(shca_cards_lock);
LIST_HEAD(shca_cards);

static struct workqueue_struct *bus_wq;
static u32 last_id;
static bool closing;

struct shca_ctl_card *shca_card_find(const char *name)
{
	struct shca_ctl_card *c;

	list_for_each_entry(c, &shca_cards, node)
		if (!strcmp(c->card->name, name))
			return c;
	return NULL;
}

static struct shca_ctl_card *find_index(unsigned int index)
{
	struct shca_ctl_card *c;

	list_for_each_entry(c, &shca_cards, node)
		if (c->card->index == index)
			return c;
	return NULL;
}

struct shca_fn *shca_card_port_fn(struct shca_ctl_card *c, u32 port)
{
	if (!c->alive || !port || port > c->card->nfns)
		return NULL;
	return c->card->fn[port - 1];
}

struct shca_ctl_card *shca_card_of_port(u64 guid, u32 *port)
{
	struct shca_ctl_card *c;
	unsigned int i;

	list_for_each_entry(c, &shca_cards, node)
		for (i = 0; i < c->card->nfns; i++)
			if (c->card->fn[i]->port_guid == guid) {
				*port = i + 1;
				return c;
			}
	return NULL;
}

static bool guid_taken(u64 guid, u32 ports)
{
	struct shca_ctl_card *c;

	list_for_each_entry(c, &shca_cards, node) {
		u64 theirs = c->card->fn[0]->sys_guid;

		if (guid < theirs + c->card->nfns && theirs < guid + ports)
			return true;
	}
	return false;
}

/* A name becomes part of the log, of "NAME/PORT" and of "NAME.1". */
static int check_name(const char *name, struct netlink_ext_ack *extack)
{
	const char *p;

	if (strlen(name) > SHCA_NAME_LEN - 3) {
		shca_say(extack, "the name is too long, at most %d characters",
			 SHCA_NAME_LEN - 3);
		return -EINVAL;
	}
	for (p = name; *p; p++)
		if (!isascii(*p) || !(isalnum(*p) || *p == '_' || *p == '-'))
			break;
	if (*p || !isalpha(*name)) {
		shca_say(extack,
			 "a name is made of letters, digits, '_' and '-', and starts with a letter");
		return -EINVAL;
	}
	if (shca_card_find(name)) {
		shca_say(extack, "there is a device '%s' already", name);
		return -EEXIST;
	}
	return 0;
}

static void pick_name(char *name)
{
	unsigned int i;

	for (i = 0; i <= SHCA_MAX_CARDS; i++) {
		snprintf(name, SHCA_NAME_LEN, "hca%u", i);
		if (!shca_card_find(name))
			return;
	}
}

static int check_guid(u64 guid, u32 ports, struct netlink_ext_ack *extack)
{
	if (!guid || guid > U64_MAX - GUID_STEP) {
		shca_say(extack, "0x%016llx is no GUID a device can have", guid);
		return -EINVAL;
	}
	if (guid_taken(guid, ports)) {
		shca_say(extack, "GUID 0x%016llx%s is another device's", guid,
			 ports > 1 ? ", or the next one," : "");
		return -EEXIST;
	}
	return 0;
}

static u64 pick_guid(unsigned int index, u32 ports)
{
	u64 guid = GUID_FIRST + (u64)index * GUID_STEP;

	while (guid_taken(guid, ports))
		guid += (u64)SHCA_MAX_CARDS * GUID_STEP;
	return guid;
}

static int pick_index(struct netlink_ext_ack *extack)
{
	unsigned int i;

	for (i = 0; i < SHCA_MAX_CARDS; i++)
		if (!find_index(i))
			return i;
	shca_say(extack, "there are %d devices, which is the most there can be",
		 SHCA_MAX_CARDS);
	return -ENOSPC;
}

/* Its place on the bus; says what is missing where the user can help. */
static int card_seat(struct shca_ctl_card *c, struct netlink_ext_ack *extack)
{
	const char *missing = shca_pci_missing();
	struct shca_pci_id id;
	int err;

	if (missing) {
		shca_say(extack, "%s", missing);
		return -ENODEV;
	}
	shca_profile_pci_id(c->profile, &id);
	err = shca_pci_add(c->card, &id);
	if (err == -ENOSPC)
		shca_say(extack,
			 "the memory for BARs is full: each device takes %u MiB of it",
			 (SHCA_MAX_FNS * SHCA_BAR_SIZE) >> 20);
	else if (err)
		shca_say(extack, "no place on the PCI bus: error %d", err);
	return err;
}

static void card_stop(struct shca_ctl_card *c, unsigned int nfns)
{
	while (nfns--) {
		shca_fn_kill(c->card->fn[nfns]);
		shca_fw_fn_exit(c->card->fn[nfns]);
	}
}

static int card_start(struct shca_ctl_card *c, struct netlink_ext_ack *extack)
{
	struct shca_fw_attr attr = {
		.profile = c->profile,
		.log_cmdq_sz = c->log_cmdq_sz,
	};
	unsigned int i;
	int err;

	for (i = 0; i < c->card->nfns; i++) {
		err = shca_fw_fn_init(c->card->fn[i], &attr);
		if (err) {
			shca_say(extack, "the firmware does not start: error %d",
				 err);
			card_stop(c, i);
			return err;
		}
		shca_fn_set_state(c->card->fn[i], SHCA_FN_READY);
	}
	return 0;
}

/* Cards sit in pairs, 0 and 1, 2 and 3, ...: port to port as far as both go.
 * An end that has a cable keeps it.
 */
static void card_cable(struct shca_ctl_card *c)
{
	struct shca_ctl_card *mate = find_index(c->card->index ^ 1);
	u32 port;

	if (!mate)
		return;
	for (port = 1; port <= SHCA_MAX_FNS; port++) {
		struct shca_fn *a = shca_card_port_fn(c, port);
		struct shca_fn *b = shca_card_port_fn(mate, port);
		int err;

		if (!a || !b)
			break;
		err = shca_cable_add(shca_hw_port(a, 1), shca_hw_port(b, 1));
		if (err && err != -EBUSY)
			shca_warn(a, "no cable to %s: error %d\n", b->name, err);
	}
}

/* Firmware off, seat given up, memory freed; it is off the bus. */
static void card_end(struct shca_ctl_card *c)
{
	mutex_lock(&shca_cards_lock);
	c->alive = false;
	shca_faults_forget(c->card);
	mutex_unlock(&shca_cards_lock);

	card_stop(c, c->card->nfns);
	shca_pci_del(c->card);

	mutex_lock(&shca_cards_lock);
	list_del(&c->node);
	mutex_unlock(&shca_cards_lock);
}

static void card_free(struct shca_ctl_card *c)
{
	shca_card_free(c->card);
	kfree(c);
}

static void plug_failed(struct shca_ctl_card *c, int err)
{
	pr_err("%s: cannot be put on the PCI bus: error %d\n", c->card->name,
	       err);
	shca_notify_add_failed(c, err);
	card_end(c);
	card_free(c);
}

static void plug_work(struct work_struct *work)
{
	struct shca_ctl_card *c = container_of(work, struct shca_ctl_card, plug);
	bool wanted;
	int err;

	mutex_lock(&shca_cards_lock);
	wanted = c->state == SOFTHCA_DEV_STATE_PLUGGING;
	mutex_unlock(&shca_cards_lock);
	if (!wanted)	/* its unplug work comes next */
		return;

	err = shca_pci_plug(c->card);

	mutex_lock(&shca_cards_lock);
	c->plugged = !err;
	if (c->state != SOFTHCA_DEV_STATE_PLUGGING) {
		wanted = false;
	} else if (err) {
		/* No one may send it an unplug work any more. */
		c->state = SOFTHCA_DEV_STATE_UNPLUGGING;
	} else {
		c->state = SOFTHCA_DEV_STATE_LIVE;
		shca_notify_add(c);
	}
	mutex_unlock(&shca_cards_lock);
	if (wanted && err)
		plug_failed(c, err);
}

static void unplug_work(struct work_struct *work)
{
	struct shca_ctl_card *c = container_of(work, struct shca_ctl_card,
					       unplug);

	if (c->plugged)
		shca_pci_unplug(c->card, c->surprise);
	card_end(c);
	shca_notify_del(c);
	card_free(c);
}

static struct shca_ctl_card *card_new(const struct shca_ctl_want *want,
				      unsigned int index)
{
	u32 ports = want->ports ?: 1;
	u64 guid = want->guid ?: pick_guid(index, ports);
	char name[SHCA_NAME_LEN];
	struct shca_ctl_card *c;

	c = kzalloc(sizeof(*c), GFP_KERNEL);
	if (!c)
		return NULL;
	strscpy(name, want->name, sizeof(name));
	if (!*name)
		pick_name(name);
	c->card = shca_card_alloc(name, index, ports, guid);
	if (!c->card) {
		kfree(c);
		return NULL;
	}
	c->profile = want->profile;
	c->log_cmdq_sz = want->cmd_slots ? ilog2(want->cmd_slots) : 1;
	c->state = SOFTHCA_DEV_STATE_PLUGGING;
	c->id = ++last_id;
	INIT_WORK(&c->plug, plug_work);
	INIT_WORK(&c->unplug, unplug_work);
	return c;
}

static int check_want(const struct shca_ctl_want *want,
		      struct netlink_ext_ack *extack)
{
	int err = 0;

	if (closing) {
		shca_say(extack, "the module is being unloaded");
		return -ESHUTDOWN;
	}
	if (*want->name)
		err = check_name(want->name, extack);
	if (!err && want->guid)
		err = check_guid(want->guid, want->ports ?: 1, extack);
	return err;
}

struct shca_ctl_card *shca_card_make(const struct shca_ctl_want *want,
				     struct netlink_ext_ack *extack)
{
	struct shca_ctl_card *c;
	int index, err;

	err = check_want(want, extack);
	if (err)
		return ERR_PTR(err);
	index = pick_index(extack);
	if (index < 0)
		return ERR_PTR(index);
	c = card_new(want, index);
	if (!c)
		return ERR_PTR(-ENOMEM);
	err = card_seat(c, extack);
	if (err)
		goto free;
	err = card_start(c, extack);
	if (err)
		goto unseat;
	c->alive = true;
	list_add_tail(&c->node, &shca_cards);
	card_cable(c);
	return c;

unseat:
	shca_pci_del(c->card);
free:
	card_free(c);
	return ERR_PTR(err);
}

void shca_card_plug(struct shca_ctl_card *c)
{
	queue_work(bus_wq, &c->plug);
}

int shca_card_unplug(struct shca_ctl_card *c, bool surprise,
		     struct netlink_ext_ack *extack)
{
	unsigned int i;

	if (c->state == SOFTHCA_DEV_STATE_UNPLUGGING) {
		shca_say(extack, "the device '%s' is being removed already",
			 c->card->name);
		return -EBUSY;
	}
	c->state = SOFTHCA_DEV_STATE_UNPLUGGING;
	c->surprise = surprise;
	/* At once: a probe under way must notice that the card is gone. */
	for (i = 0; surprise && i < c->card->nfns; i++)
		shca_fw_fn_gone(c->card->fn[i]);
	queue_work(bus_wq, &c->unplug);
	return 0;
}

void shca_ctl_del_all(void)
{
	struct shca_ctl_card *c;

	mutex_lock(&shca_cards_lock);
	list_for_each_entry(c, &shca_cards, node)
		if (c->state != SOFTHCA_DEV_STATE_UNPLUGGING)
			shca_card_unplug(c, false, NULL);
	mutex_unlock(&shca_cards_lock);
	if (bus_wq)
		flush_workqueue(bus_wq);
}

int shca_cards_init(void)
{
	/* One after the other: the PCI core's lock would have it so anyway, and
	 * a card's unplug follows its plug.
	 */
	bus_wq = alloc_ordered_workqueue("softhca_bus", 0);
	return bus_wq ? 0 : -ENOMEM;
}

void shca_cards_exit(void)
{
	mutex_lock(&shca_cards_lock);
	closing = true;
	mutex_unlock(&shca_cards_lock);
	shca_ctl_del_all();
	destroy_workqueue(bus_wq);
	bus_wq = NULL;
}
