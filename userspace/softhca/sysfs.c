/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * What sits on a function: its driver and its RDMA device. The module does not
 * know them; the kernel's device tree does.
 */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

static void add_driver(struct json_object *fn, const char *pci)
{
	char path[128], target[256];
	const char *name;
	ssize_t n;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/driver", pci);
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return;
	target[n] = '\0';
	name = strrchr(target, '/');
	json_object_object_add(fn, "driver",
			       json_object_new_string(name ? name + 1 : target));
}

static void add_ibdev(struct json_object *fn, const char *pci)
{
	struct dirent *entry;
	char path[128];
	DIR *dir;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/infiniband", pci);
	dir = opendir(path);
	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			json_object_object_add(fn, "ibdev",
					       json_object_new_string(entry->d_name));
	closedir(dir);
}

void sysfs_add(struct json_object *fn)
{
	const char *pci = field_string(fn, "pci");

	if (!*pci || strchr(pci, '/'))
		return;
	add_driver(fn, pci);
	add_ibdev(fn, pci);
}
