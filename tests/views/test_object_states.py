"""The page of states: which rule names what."""

from dataclasses import replace

from tests.madeup import parrot_traffic
from tests.views.findings import MUMBLE, SQUAWK

from streamshark.findings.object_states import states
from streamshark.views.object_states import page


def test_a_page() -> None:
    """A row with links to its rules, one with a reason."""
    rows = states("Cage", "open | flies | PARROT-1\nshut | sleeps | - It is dark.")
    protocol = replace(parrot_traffic.PROTOCOL, rules=(SQUAWK, MUMBLE), states=(rows,))
    name = protocol.wire.id

    text = page(protocol)

    assert f"2 rows, of which [rules]({name}.md) name 1." in text
    assert "## Cage" in text
    assert f"| open | flies | [PARROT-1]({name}.md#parrot-1) |" in text
    assert "| shut | sleeps | It is dark. |" in text
