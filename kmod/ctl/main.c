// SPDX-License-Identifier: GPL-2.0
/*
 * The module: starts the rooms from the ground up and leaves in reverse.
 */
#define pr_fmt(fmt) "softhca: " fmt

#include <linux/module.h>

#include "ctl/ctl.h"
#include "fabric/fabric.h"
#include "fw/fw.h"
#include "pci/pci.h"

static int __init softhca_init(void)
{
	int err;

	err = shca_fabric_init();
	if (err)
		return err;
	err = shca_fw_init();
	if (err)
		goto no_fw;
	err = shca_pci_init(shca_ctl_del_all);
	if (err)
		goto no_pci;
	err = shca_ctl_init();
	if (err)
		goto no_ctl;
	return 0;

no_ctl:
	shca_pci_exit();
no_pci:
	shca_fw_exit();
no_fw:
	shca_fabric_exit();
	return err;
}

static void __exit softhca_exit(void)
{
	shca_ctl_exit();
	shca_pci_exit();
	shca_fw_exit();
	shca_fabric_exit();
}

module_init(softhca_init);
module_exit(softhca_exit);

MODULE_DESCRIPTION("Software ConnectX: a virtual HCA for the unmodified mlx5 drivers");
MODULE_LICENSE("GPL");
