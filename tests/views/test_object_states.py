"""The pages of states and of parts: which rule names what."""

from dataclasses import replace

from tests.madeup import parrot_traffic
from tests.views.findings import MUMBLE, SQUAWK

from streamshark.findings.object_states import states
from streamshark.views.object_states import parts_page, states_page

ROWS = states("Cage", "open | flies | PARROT-1\nshut | sleeps | - It is dark.")
PROTOCOL = replace(parrot_traffic.PROTOCOL, rules=(SQUAWK, MUMBLE), states=(ROWS,), parts=(ROWS,))


def test_a_page() -> None:
    """A row with links to its rules, one with a reason."""
    name = PROTOCOL.wire.id

    for text in (states_page(PROTOCOL), parts_page(PROTOCOL)):
        assert f"2 rows, of which [rules]({name}.md) name 1." in text
        assert "## Cage" in text
        assert f"| open | flies | [PARROT-1]({name}.md#parrot-1) |" in text
        assert "| shut | sleeps | It is dark. |" in text


def test_titles() -> None:
    """The pages say what they are about."""
    assert "# States of objects: " in states_page(PROTOCOL)
    assert "# Parts of programs: " in parts_page(PROTOCOL)
