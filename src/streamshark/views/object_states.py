"""The states of a protocol's objects as a page of Markdown."""

from streamshark.conversations.units import counted
from streamshark.protocols.protocol import Protocol
from streamshark.views.requirements import rule_links
from streamshark.views.schema_text import table


def page(protocol: Protocol) -> str:
    """Return the page of a protocol."""
    cells = [cell for each in protocol.states for cell in each.cells]
    ruled = sum(bool(each.rules) for each in cells)
    lines = [
        "<!-- Written by python -m streamshark.views.manual.write -->",
        "",
        f"# States of objects: {protocol.title}",
        "",
        (
            f"What a client may do wrong in each state of an object: {counted(len(cells), 'row')}, "
            f"of which [rules]({protocol.wire.id}.md) name {ruled}."
        ),
        "Of the others the table says why frames cannot show the mistake.",
        "",
    ]
    for each in protocol.states:
        rows = [
            [cell.state, cell.mistake, rule_links(protocol, cell.rules) or cell.why]
            for cell in each.cells
        ]
        header = ["state", "what a client does", "rule, or why not"]
        lines += [f"## {each.object}", "", *table(header, rows), ""]
    return "\n".join(lines).rstrip() + "\n"
