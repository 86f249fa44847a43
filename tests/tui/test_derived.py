"""Derived values are those that `read -V` shows."""

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


def test_a_long_connection_has_none() -> None:
    """A connection with more rows than asked is left alone."""
    assert DerivedValues(browser().index).of(16, 0, most=5) == ()
