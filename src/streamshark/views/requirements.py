"""The requirements of a protocol's documents as a page of Markdown."""

from streamshark.conversations.units import counted
from streamshark.findings.requirement import Document, Requirement
from streamshark.findings.rule import selected
from streamshark.protocols.protocol import Protocol
from streamshark.views.schema_text import table


def page(protocol: Protocol) -> str:
    """Return the page of a protocol."""
    rows = [each for document in protocol.requirements for each in document.requirements]
    ruled = sum(bool(each.rules) for each in rows)
    lines = [
        "<!-- Written by python -m streamshark.views.manual.write -->",
        "",
        f"# Requirements: {protocol.title}",
        "",
        (
            f"What the documents require of peers: {counted(len(rows), 'sentence')}, of which "
            f"[rules]({protocol.wire.id}.md) hold {ruled}."
        ),
        "Of the others the table says why frames cannot show a breach.",
        "Words that are left out are marked with `...`.",
        "",
    ]
    for document in protocol.requirements:
        lines += [*_document(protocol, document), ""]
    return "\n".join(lines).rstrip() + "\n"


def _document(protocol: Protocol, document: Document) -> list[str]:
    """Return the lines of one document."""
    rows = [
        [each.section, f"`{each.text}`", _holder(protocol, each)] for each in document.requirements
    ]
    return [
        f"## {document.title}",
        "",
        f"Text: {document.revision}.",
        "",
        *table(["section", "requirement", "rule, or why not"], rows),
    ]


def _holder(protocol: Protocol, requirement: Requirement) -> str:
    """Return links to the rules that hold a requirement, or the reason why none does."""
    known = dict.fromkeys(each.id for each in protocol.rules)
    links = []
    for name in requirement.rules:
        first, *_ = selected(name, known)
        links.append(f"[{name}]({protocol.wire.id}.md#{first.lower()})")
    return ", ".join(links) or requirement.why
