"""Derived values are those that `read -V` shows."""

from collections.abc import Sequence

import pytest
from tests.failures import every
from tests.tui.screens import CAPTURES, CREDIT, browser

from streamshark.session import Session
from streamshark.tui.derived import DerivedValues
from streamshark.views.annotations import sentence


@every("capture", (CREDIT, "rsocket/request_stream_java", "rabbitmq_stream/publish_confirm"))
def test_values_are_those_of_a_reading(capture: str) -> None:
    """Each row has what the engine derives when it reads the capture from its beginning."""
    path = next((CAPTURES / capture).glob("traffic.*"), None)
    if path is None:
        path = next(CAPTURES.glob("rsocket/*/traffic.*"))
    index = browser(str(path)).index
    derived = DerivedValues(index)
    with Session([str(path)]) as session:
        rows = session.analysis(derives=lambda _table: True).rows()
        for at, row in enumerate(rows):
            found = derived.of(at, row.connection.flow.number)
            expected = getattr(row, "derived", ())
            assert [*map(sentence, found)] == [*map(sentence, expected)], at


def test_rows_far_into_a_connection_have_none() -> None:
    """Rows beyond those that are asked are not read; those before them have their values."""
    derived = DerivedValues(browser().index)
    assert derived.of(16, 0, most=5) == ()
    assert derived.of(16, 0) == DerivedValues(browser().index).of(16, 0) != ()


@pytest.mark.parametrize("order", [(16, 4, 9), (4, 9, 16)])
def test_values_do_not_depend_on_the_order_in_which_rows_are_shown(order: Sequence[int]) -> None:
    """Going back, and on from there, gives what reading each row alone gives."""
    index, derived = browser().index, DerivedValues(browser().index)
    for row in order:
        assert derived.of(row, 0) == DerivedValues(index).of(row, 0), row
