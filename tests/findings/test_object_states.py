"""States of objects and parts of programs: rules that exist name each row, or it has a reason."""

from tests.failures import every

from streamshark.findings.object_states import Cell, states
from streamshark.findings.rule import selected
from streamshark.protocols.catalog import catalog
from streamshark.protocols.protocol import Protocol


def cases() -> list[tuple[Protocol, Cell]]:
    """Return the rows of all protocols."""
    return [
        (protocol, cell)
        for protocol in catalog()
        for each in (*protocol.states, *protocol.parts)
        for cell in each.cells
    ]


@every(("protocol", "cell"), cases, ids=lambda case: case[1].mistake)
def test_a_row_is_named_or_explained(protocol: Protocol, cell: Cell) -> None:
    """By rules of its protocol or of one below it."""
    known = {rule.id for each in catalog() for rule in each.rules}

    assert bool(cell.rules) != bool(cell.why)
    assert [name for name in cell.rules if not selected(name, known)] == []
    assert len(set(cell.rules)) == len(cell.rules)
    assert cell.state
    assert cell.mistake
    assert protocol.rules


def test_no_row_comes_twice() -> None:
    """A state and a mistake of an object are one row."""
    for protocol in catalog():
        for each in protocol.states:
            keys = [(cell.state, cell.mistake) for cell in each.cells]
            assert len(set(keys)) == len(keys), each.object


def test_a_failure_of_a_part_is_one_row() -> None:
    """Probes of rows are found by the part and its failure."""
    for protocol in catalog():
        for each in protocol.parts:
            keys = [cell.state for cell in each.cells]
            assert len(set(keys)) == len(keys), each.object


def test_rows_from_lines() -> None:
    """Rules, or a reason."""
    made = states("Cage", "\nopen | flies | P-1 P-2\nshut | sleeps | - It is dark.\n")

    assert made.object == "Cage"
    assert made.cells == (
        Cell("open", "flies", ("P-1", "P-2")),
        Cell("shut", "sleeps", (), "It is dark."),
    )
