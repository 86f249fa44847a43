"""The registry of fields beside the fields that Wireshark lists of the plugins: names and types."""

import subprocess
from collections import defaultdict
from functools import cache

from tests.failures import every
from tests.fields.known import all_fields
from tests.judge.judging import PROGRAM
from tests.judge.test_captures import PLUGINS, PROTOCOLS

from streamshark.fields.field import DERIVED

ONLY_OURS = {"offset", "headers", "other", "key", "version", "correlation_id"}
"""Last parts of names that plugins need not have: computed numbers, lists without an item of their
own, and header fields of protocols without such numbers."""


@cache
def shown() -> dict[str, set[str]]:
    """Return the fields that Wireshark lists with all plugins, and their types."""
    scripts = [f"-Xlua_script:{path}" for path in sorted(PLUGINS.glob("*.lua"))]
    done = subprocess.run(
        [PROGRAM, "-G", "fields", *scripts], capture_output=True, text=True, check=True
    )
    kinds: dict[str, set[str]] = defaultdict(set)
    for line in done.stdout.splitlines():
        sort, *rest = line.split("\t")
        if sort == "F":
            kinds[rest[1]].add(rest[2])
    return kinds


@every("name", PROTOCOLS)
def test_types_are_those_of_the_plugin(name: str) -> None:
    """Of every field."""
    kinds = shown()
    own = list(all_fields().protocols[PROTOCOLS[name].wire.short].all())

    missing = [each.name for each in own if each.name not in kinds and DERIVED not in each.needs]
    assert {each.rpartition(".")[2] for each in missing} <= ONLY_OURS
    different = {
        each.name: (each.type.ft, kinds[each.name])
        for each in own
        if each.name in kinds and each.type.ft not in kinds[each.name]
    }
    assert different == {}
