#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# The netlink family's description and its header say the same.

import re
import sys
from pathlib import Path

try:
    import yaml
except ImportError:
    print("1..0 # SKIP needs python3-yaml")
    sys.exit(0)

ROOT = Path(__file__).resolve().parents[2]
SPEC = yaml.safe_load((ROOT / "Documentation/netlink/specs/softhca.yaml").read_text())
HEADER = (ROOT / "kmod/ctl/softhca.h").read_text()


def c_name(*words):
    return "_".join(words).upper().replace("-", "_")


def numbers_of_header():
    """Every enumerator with its value."""
    numbers = {}
    for body in re.findall(r"enum [\w ]*\{(.*?)\}", HEADER, re.DOTALL):
        value = -1
        for entry in filter(None, (e.strip() for e in body.split(","))):
            name, _, given = (part.strip() for part in entry.partition("="))
            value = int(given) if given.isdigit() else value + 1
            numbers[name] = value
    return numbers


def numbers_of_spec():
    numbers = {}
    for enum in SPEC["definitions"]:
        for i, entry in enumerate(enum["entries"], enum.get("value-start", 0)):
            numbers[c_name("softhca", enum["name"], entry["name"])] = i
    for attrs in SPEC["attribute-sets"]:
        for i, attr in enumerate(attrs["attributes"], 1):
            numbers[c_name("softhca_a", attrs["name"], attr["name"])] = i
    for i, op in enumerate(SPEC["operations"]["list"], 1):
        numbers[c_name("softhca_cmd", op["name"])] = i
    return numbers


def undefined_names():
    """Attributes that an operation names and its set does not have."""
    sets = {s["name"]: {a["name"] for a in s["attributes"]} for s in SPEC["attribute-sets"]}
    bad = []
    for op in SPEC["operations"]["list"]:
        for kind in ("do", "dump"):
            for way in ("request", "reply"):
                named = op.get(kind, {}).get(way, {}).get("attributes", [])
                bad += [f"{op['name']}: {a}" for a in named if a not in sets[op["attribute-set"]]]
        named = op.get("event", {}).get("attributes", [])
        bad += [f"{op['name']}: {a}" for a in named if a not in sets[op["attribute-set"]]]
    return bad


def result(number, good, what, why):
    print(f"{'ok' if good else 'not ok'} {number} - {what}")
    if not good:
        print(f"# {why}")


header = {k: v for k, v in numbers_of_header().items() if not k.startswith("__") and not k.endswith("_MAX")}
spec = numbers_of_spec()
differ = sorted(k for k in header.keys() | spec.keys() if header.get(k) != spec.get(k))
bad_names = undefined_names()
print("1..3")
result(1, not differ, "names and numbers are equal", f"these differ: {', '.join(differ)}")
result(2, f'"{SPEC["name"]}"' in HEADER and len(spec) > 50, "it is the same family", SPEC["name"])
result(3, not bad_names, "operations name attributes that exist", ", ".join(bad_names))
sys.exit(bool(differ or bad_names))
