// SPDX-License-Identifier: GPL-2.0
/*
 * Cards and functions as objects: made, given a state, drained, freed.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/slab.h>
#include <linux/string.h>

#include "base/base.h"

static void fn_users_gone(struct percpu_ref *ref)
{
	complete(&container_of(ref, struct shca_fn, users)->drained);
}

static struct shca_fn *fn_alloc(struct shca_card *card, unsigned int num,
				u64 guid)
{
	struct shca_fn *fn = kzalloc(sizeof(*fn), GFP_KERNEL);

	if (!fn)
		return NULL;
	if (percpu_ref_init(&fn->users, fn_users_gone, 0, GFP_KERNEL)) {
		kfree(fn);
		return NULL;
	}
	fn->card = card;
	fn->num = num;
	if (num)
		snprintf(fn->name, sizeof(fn->name), "%.*s.%u",
			 SHCA_NAME_LEN - 3, card->name, num);
	else
		strscpy(fn->name, card->name, sizeof(fn->name));
	/* As on cards: the port's GUID is the node's, the first function's is
	 * the system's.
	 */
	fn->node_guid = guid + num;
	fn->port_guid = guid + num;
	fn->sys_guid = guid;
	mutex_init(&fn->lock);
	init_completion(&fn->drained);
	return fn;
}

static void fn_free(struct shca_fn *fn)
{
	if (!fn)
		return;
	if (fn->state != SHCA_FN_DEAD)
		shca_fn_kill(fn);
	percpu_ref_exit(&fn->users);
	mutex_destroy(&fn->lock);
	kfree(fn);
}

struct shca_card *shca_card_alloc(const char *name, unsigned int index,
				  unsigned int nfns, u64 guid)
{
	struct shca_card *card;
	unsigned int i;

	if (!nfns || nfns > SHCA_MAX_FNS)
		return NULL;
	card = kzalloc(sizeof(*card), GFP_KERNEL);
	if (!card)
		return NULL;
	INIT_LIST_HEAD(&card->node);
	strscpy(card->name, name, sizeof(card->name));
	card->index = index;
	for (i = 0; i < nfns; i++) {
		card->fn[i] = fn_alloc(card, i, guid);
		if (!card->fn[i]) {
			shca_card_free(card);
			return NULL;
		}
		card->nfns++;
	}
	return card;
}

void shca_card_free(struct shca_card *card)
{
	unsigned int i;

	for (i = 0; i < card->nfns; i++)
		fn_free(card->fn[i]);
	kfree(card);
}

enum shca_fn_state shca_fn_state(struct shca_fn *fn)
{
	return READ_ONCE(fn->state);
}

int shca_fn_set_state(struct shca_fn *fn, enum shca_fn_state state)
{
	int err = 0;

	mutex_lock(&fn->lock);
	if (fn->state == SHCA_FN_DEAD)
		err = -ENODEV;
	else
		WRITE_ONCE(fn->state, state);
	mutex_unlock(&fn->lock);
	return err;
}

void shca_fn_kill(struct shca_fn *fn)
{
	bool first;

	mutex_lock(&fn->lock);
	first = fn->state != SHCA_FN_DEAD;
	WRITE_ONCE(fn->state, SHCA_FN_DEAD);
	mutex_unlock(&fn->lock);
	if (first)
		percpu_ref_kill(&fn->users);
	wait_for_completion(&fn->drained);
	/* Let a second caller through as well. */
	complete_all(&fn->drained);
}
