"""The page of requirements: what holds each sentence."""

from dataclasses import replace

from tests.madeup import parrot_traffic
from tests.views.findings import MUMBLE, SQUAWK

from streamshark.findings.requirement import Document, held, unseen
from streamshark.views.requirements import page


def test_a_page() -> None:
    """A sentence with links to its rules, one with a reason."""
    rows = (
        held("Talking", "A parrot MUST | squawk.", "PARROT-1"),
        unseen("Food", "Eat.", "Inside."),
    )
    documents = (Document("The Parrot Protocol", "1.0", rows),)
    protocol = replace(parrot_traffic.PROTOCOL, rules=(SQUAWK, MUMBLE), requirements=documents)
    name = protocol.wire.id

    text = page(protocol)

    assert "2 sentences, of which" in text
    assert f"| Talking | `A parrot MUST \\| squawk.` | [PARROT-1]({name}.md#parrot-1) |" in text
    assert "| Food | `Eat.` | Inside. |" in text
