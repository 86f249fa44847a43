"""Writes the manual: the page of the vocabulary and the pages of each protocol, from the code.

    python -m streamshark.views.manual.write [--check] [FOLDER]

With `--check` nothing is written: pages that are stale, missing or left over are listed, and the
exit code is 1. FOLDER is `docs` by default.
"""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from streamshark.framing.carrier import Carrier
from streamshark.protocols.catalog import carriers, catalog
from streamshark.protocols.protocol import Protocol
from streamshark.views.manual.carrier import carrier_page
from streamshark.views.manual.protocol import page
from streamshark.views.manual.vocabulary import vocabulary
from streamshark.views.rule_reference import TCP
from streamshark.views.rule_reference import page as rules_page

COMMAND = "python -m streamshark.views.manual.write"


def pages(
    protocols: Iterable[Protocol], borne: Iterable[Carrier] = (), below: Iterable[Protocol] = ()
) -> dict[str, str]:
    """Return the text of each page by its path in the folder; `below` have pages of rules only."""
    protocols = tuple(protocols)
    found = {"vocabulary.md": vocabulary()}
    found |= {f"protocols/{each.id}.md": carrier_page(each, protocols) for each in borne}
    for each in protocols:
        found[f"protocols/{each.wire.id}.md"] = page(each)
        if each.rules:
            found[f"findings/{each.wire.id}.md"] = rules_page(each)
    return found | {f"findings/{each.wire.id}.md": rules_page(each) for each in below}


def write(folder: Path, wanted: Mapping[str, str]) -> None:
    """Write all pages; remove those of protocols that no longer exist."""
    for name in left_over(folder, wanted):
        (folder / name).unlink()
    for name, text in wanted.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def stale(folder: Path, wanted: Mapping[str, str]) -> list[str]:
    """Return the names of pages that differ from what would be written."""
    differ = [
        name
        for name, text in wanted.items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]
    return [*differ, *left_over(folder, wanted)]


def left_over(folder: Path, wanted: Iterable[str]) -> list[str]:
    """Return the names of pages whose protocol no longer exists."""
    there = sorted(
        f"{part}/{path.name}"
        for part in ("findings", "protocols")
        for path in folder.glob(f"{part}/*.md")
    )
    return [name for name in there if name not in set(wanted)]


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` compare them; return the exit code."""
    check = "--check" in arguments
    folders = [Path(each) for each in arguments if each != "--check"]
    folder = folders[0] if folders else Path("docs")
    wanted = pages(catalog(), carriers(), (TCP,))
    if not check:
        write(folder, wanted)
        return 0
    found = stale(folder, wanted)
    for name in found:
        print(f"{folder / name} is stale; run: {COMMAND}", file=sys.stderr)  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
