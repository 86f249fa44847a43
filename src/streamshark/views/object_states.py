"""The states of a protocol's objects, and the parts of its programs, as pages of Markdown."""

from collections.abc import Iterable

from streamshark.conversations.units import counted
from streamshark.findings.object_states import ObjectStates
from streamshark.protocols.protocol import Protocol
from streamshark.views.requirements import rule_links
from streamshark.views.schema_text import table


def states_page(protocol: Protocol) -> str:
    """Return the page of the states of objects."""
    return _page(
        protocol,
        protocol.states,
        title="States of objects",
        intro="What a client may do wrong in each state of an object",
        header=("state", "what a client does", "rule, or why not"),
    )


def parts_page(protocol: Protocol) -> str:
    """Return the page of the parts of programs."""
    return _page(
        protocol,
        protocol.parts,
        title="Parts of programs",
        intro="How each part of a program fails, and what this looks like in the packets",
        header=("failure", "in the packets", "rule, or why not"),
    )


def _page(
    protocol: Protocol,
    objects: Iterable[ObjectStates],
    *,
    title: str,
    intro: str,
    header: Iterable[str],
) -> str:
    """Return a page with a table for each object."""
    objects = tuple(objects)
    cells = [cell for each in objects for cell in each.cells]
    ruled = sum(bool(each.rules) for each in cells)
    lines = [
        "<!-- Written by python -m streamshark.views.manual.write -->",
        "",
        f"# {title}: {protocol.title}",
        "",
        (
            f"{intro}: {counted(len(cells), 'row')}, "
            f"of which [rules]({protocol.wire.id}.md) name {ruled}."
        ),
        "Of the others the table says why frames cannot show the mistake.",
        "",
    ]
    for each in objects:
        rows = [
            [cell.state, cell.mistake, rule_links(protocol, cell.rules) or cell.why]
            for cell in each.cells
        ]
        lines += [f"## {each.object}", "", *table(list(header), rows), ""]
    return "\n".join(lines).rstrip() + "\n"
