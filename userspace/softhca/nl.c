/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * Generic netlink: requests with the kernel's words when it refuses, and the
 * notifications of the group "events".
 */
#include <errno.h>
#include <linux/netlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "tool.h"

static struct nl_sock *sock;
static int family;

struct call {
	on_message fn;
	void *arg;
	int err;		/* positive errno */
	bool done;
	char words[256];
};

static void socket_option(struct nl_sock *sk, int option)
{
	int on = 1;

	/* An old kernel without it still answers with an error number. */
	setsockopt(nl_socket_get_fd(sk), SOL_NETLINK, option, &on, sizeof(on));
}

static struct nl_sock *socket_open(void)
{
	struct nl_sock *sk = nl_socket_alloc();
	int err;

	if (!sk) {
		say_error("out of memory");
		return NULL;
	}
	err = genl_connect(sk);
	if (err) {
		say_error("no netlink socket: %s", nl_geterror(err));
		nl_socket_free(sk);
		return NULL;
	}
	return sk;
}

int nl_start(void)
{
	sock = socket_open();
	if (!sock)
		return REFUSED;
	family = genl_ctrl_resolve(sock, SOFTHCA_FAMILY_NAME);
	if (family < 0) {
		say_error("the module softhca is not loaded (modprobe softhca)");
		return REFUSED;
	}
	socket_option(sock, NETLINK_EXT_ACK);
	socket_option(sock, NETLINK_CAP_ACK);
	return DONE;
}

struct nl_msg *nl_new(uint8_t cmd, int flags)
{
	struct nl_msg *msg = nlmsg_alloc();

	if (msg && !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, family, 0,
				flags, cmd, SOFTHCA_FAMILY_VERSION)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	if (!msg)
		say_error("out of memory");
	return msg;
}

static int on_valid(struct nl_msg *msg, void *arg)
{
	struct call *call = arg;

	if (call->fn)
		call->fn(nlmsg_hdr(msg), call->arg);
	return NL_OK;
}

/* Notifications carry no number of ours. */
static int on_any_number(struct nl_msg *msg, void *arg)
{
	(void)msg;
	(void)arg;
	return NL_OK;
}

static int on_end(struct nl_msg *msg, void *arg)
{
	struct call *call = arg;

	(void)msg;
	call->done = true;
	return NL_STOP;
}

/* The kernel's words lie behind the error, as attributes. */
static void read_words(struct nlmsghdr *nlh, struct call *call)
{
	struct nlattr *attr;
	size_t skip = sizeof(struct nlmsgerr);
	int left;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED)) {
		struct nlmsgerr *err = nlmsg_data(nlh);

		if (err->msg.nlmsg_len < NLMSG_HDRLEN)
			return;
		skip += NLMSG_ALIGN(err->msg.nlmsg_len) - NLMSG_HDRLEN;
	}
	if ((size_t)nlmsg_datalen(nlh) < skip)
		return;
	attr = (struct nlattr *)((char *)nlmsg_data(nlh) + skip);
	left = nlmsg_datalen(nlh) - (int)skip;
	attr = nla_find(attr, left, NLMSGERR_ATTR_MSG);
	if (attr)
		nla_strlcpy(call->words, attr, sizeof(call->words));
}

static int on_refusal(struct sockaddr_nl *who, struct nlmsgerr *err, void *arg)
{
	struct call *call = arg;

	(void)who;
	call->err = -err->error;
	call->done = true;
	/* libnl hands out the body; its header is in front of it. */
	read_words((struct nlmsghdr *)((char *)err - NLMSG_HDRLEN), call);
	return NL_STOP;
}

static int call_finish(const struct call *call)
{
	if (!call->err)
		return DONE;
	if (*call->words)
		say_error("%s", call->words);
	else if (call->err == EPERM)
		say_error("this needs root (CAP_NET_ADMIN)");
	else
		say_error("the kernel refuses: %s", strerror(call->err));
	return REFUSED;
}

int nl_call(struct nl_msg *msg, on_message fn, void *arg)
{
	struct call call = { .fn = fn, .arg = arg };
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
	int err;

	if (!cb) {
		nlmsg_free(msg);
		say_error("out of memory");
		return REFUSED;
	}
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_valid, &call);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, on_end, &call);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, on_end, &call);
	nl_cb_err(cb, NL_CB_CUSTOM, on_refusal, &call);

	err = nl_send_auto(sock, msg);
	nlmsg_free(msg);
	while (err >= 0 && !call.done)
		err = nl_recvmsgs(sock, cb);
	nl_cb_put(cb);
	if (err < 0 && !call.done) {
		say_error("netlink: %s", nl_geterror(err));
		return REFUSED;
	}
	return call_finish(&call);
}

struct nl_sock *nl_listen(void)
{
	struct nl_sock *sk = socket_open();
	int group, err;

	if (!sk)
		return NULL;
	group = genl_ctrl_resolve_grp(sk, SOFTHCA_FAMILY_NAME,
				      SOFTHCA_MCGRP_EVENTS);
	err = group < 0 ? group : nl_socket_add_membership(sk, group);
	if (err) {
		say_error("cannot listen for events: %s", nl_geterror(err));
		nl_socket_free(sk);
		return NULL;
	}
	nl_socket_set_nonblocking(sk);
	return sk;
}

int64_t nl_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int wait_readable(struct nl_sock *sk, int64_t deadline_ms)
{
	struct pollfd pfd = { .fd = nl_socket_get_fd(sk), .events = POLLIN };
	int64_t left = -1;
	int n;

	do {
		if (deadline_ms >= 0) {
			left = deadline_ms - nl_now_ms();
			if (left < 0)
				left = 0;
		}
		n = poll(&pfd, 1, (int)left);
	} while (n < 0 && errno == EINTR);
	return n;
}

int nl_hear(struct nl_sock *sk, int64_t deadline_ms, on_message fn, void *arg)
{
	struct call call = { .fn = fn, .arg = arg };
	struct nl_cb *cb;
	int err;

	err = wait_readable(sk, deadline_ms);
	if (!err)
		return 0;
	cb = err < 0 ? NULL : nl_cb_alloc(NL_CB_DEFAULT);
	if (!cb) {
		say_error("cannot wait for events: %s", strerror(errno));
		return -2;
	}
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_valid, &call);
	nl_cb_set(cb, NL_CB_SEQ_CHECK, NL_CB_CUSTOM, on_any_number, NULL);
	err = nl_recvmsgs(sk, cb);
	nl_cb_put(cb);
	if (err >= 0 || err == -NLE_AGAIN)
		return 1;
	/* libnl has no number of its own for a full socket buffer. */
	if (err == -NLE_NOMEM || errno == ENOBUFS)
		return -1;
	say_error("cannot hear events: %s", nl_geterror(err));
	return -2;
}
