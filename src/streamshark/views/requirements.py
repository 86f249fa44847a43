"""The requirements of a protocol's documents as a page of Markdown."""

from collections.abc import Iterable

from streamshark.conversations.units import counted
from streamshark.findings.requirement import Document
from streamshark.findings.rule import selected
from streamshark.protocols.catalog import catalog
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
        [each.section, f"`{each.text}`", rule_links(protocol, each.rules) or each.why]
        for each in document.requirements
    ]
    return [
        f"## {document.title}",
        "",
        f"Text: {document.revision}.",
        "",
        *table(["section", "requirement", "rule, or why not"], rows),
    ]


def rule_links(protocol: Protocol, names: Iterable[str]) -> str:
    """Return links to rules of a protocol, or to those of the protocols below it."""
    links = []
    for name in names:
        owner = protocol if selected(name, _ids(protocol)) else _owner(name)
        first, *_ = selected(name, _ids(owner))
        links.append(f"[{name}]({owner.wire.id}.md#{first.lower()})")
    return ", ".join(links)


def _ids(protocol: Protocol) -> list[str]:
    return list(dict.fromkeys(each.id for each in protocol.rules))


def _owner(name: str) -> Protocol:
    """Return the protocol that has a rule."""
    return next(each for each in catalog() if selected(name, _ids(each)))
