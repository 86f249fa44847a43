"""Writes the manual: the page of the vocabulary and the pages of each protocol, from the code.

    python -m streamshark.views.manual.write [--check] [FOLDER]

With `--check` nothing is written: pages that are stale, missing or left over are listed, and the
exit code is 1. FOLDER is `docs` by default.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from streamshark.framing.carrier import Carrier
from streamshark.protocols.catalog import carriers, catalog
from streamshark.protocols.protocol import Protocol
from streamshark.views.generated_files import GeneratedFiles
from streamshark.views.manual.carrier import carrier_page
from streamshark.views.manual.protocol import page
from streamshark.views.manual.vocabulary import vocabulary
from streamshark.views.object_states import parts_page, states_page
from streamshark.views.requirements import page as requirements_page
from streamshark.views.rule_reference import TCP
from streamshark.views.rule_reference import page as rules_page

MODULE = "streamshark.views.manual.write"
PATTERNS = ("findings/*.md", "protocols/*.md")


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
        if each.requirements:
            found[f"findings/{each.wire.id}_requirements.md"] = requirements_page(each)
        if each.states:
            found[f"findings/{each.wire.id}_states.md"] = states_page(each)
        if each.parts:
            found[f"findings/{each.wire.id}_parts.md"] = parts_page(each)
    return found | {f"findings/{each.wire.id}.md": rules_page(each) for each in below}


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` compare them; return the exit code."""
    texts = pages(catalog(), carriers(), (TCP,))
    return GeneratedFiles(texts, PATTERNS).main(arguments, Path("docs"), MODULE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
