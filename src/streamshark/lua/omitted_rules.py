"""Writes the page of the rules that the plugins do not evaluate, with the reason of each.

    python -m streamshark.lua.omitted_rules [--check] [FOLDER]

With `--check` nothing is written: the page is compared, and the exit code is 1 if it is stale.
FOLDER is `docs` by default.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from streamshark.findings.rule import Rule
from streamshark.lua.conversations import LuaTables
from streamshark.lua.plugin import has_plugin
from streamshark.lua.steps import ValueNames
from streamshark.protocols.catalog import catalog
from streamshark.protocols.protocol import Protocol
from streamshark.views.generated_files import GeneratedFiles

MODULE: Final = "streamshark.lua.omitted_rules"
PAGE: Final = "wireshark-rules.md"
HEAD: Final = f"""<!-- Written by python -m {MODULE} -->

# Rules that the Wireshark plugins omit

[The plugins](wireshark.md) evaluate the rules of [`check`](checking.md), except those on this page.
If a rule has several rows, the plugins may omit some of them only.
"""


def omitted(protocol: Protocol) -> dict[str, list[Rule]]:
    """Return the rules that the plugin of a protocol does not evaluate, by reason."""
    tables = LuaTables(protocol, ValueNames())
    found: dict[str, list[Rule]] = {}
    for watch in tables.model.watches:
        if isinstance(watch.table, Rule):
            why = tables.obstacle(watch) or tables.silenced(watch)
            if why:
                found.setdefault(why, []).append(watch.table)
    return found


def section(protocol: Protocol) -> list[str]:
    """Return the lines about one protocol."""
    lines = ["", f"## {protocol.title}", ""]
    if not has_plugin(protocol):
        return [*lines, "Wireshark itself dissects it: no plugin evaluates its rules."]
    found, page = omitted(protocol), f"findings/{protocol.wire.id}.md"
    count, every = len({each.id for own in found.values() for each in own}), protocol.rules
    lines += [f"{count} of {len({each.id for each in every})} rules.", ""]
    lines += ["| reason | rule | |", "|---|---|---|"]
    for why, rules in sorted(found.items(), key=lambda each: len(each[1])):
        names = {each.id: each.title for each in rules}
        lines += [
            f"| {why} | [{name}]({page}#{name.lower()}) | {title} |"
            for name, title in names.items()
        ]
    return lines


def text(protocols: Iterable[Protocol]) -> str:
    """Return the page."""
    lines = [line for each in protocols if each.rules for line in section(each)]
    return HEAD + "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` compare it; return the exit code."""
    return GeneratedFiles({PAGE: text(catalog())}, ()).main(arguments, Path("docs"), MODULE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
