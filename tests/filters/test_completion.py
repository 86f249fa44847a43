"""Completions at the cursor."""

import time

from tests.failures import every
from tests.filters.reading import PUBLISH, read

from streamshark.filters.completion import complete
from streamshark.filters.row_fields import RowFields


def texts(text: str) -> list[str]:
    """Completions at the end of a text."""
    return [each.text for each in complete(text, len(text), RowFields(read(PUBLISH).fields))]


@every(
    ("text", "expected"),
    [
        ("rmqstream.publish.pub", "rmqstream.publish.publisher_id"),
        ("tcp.port == 5 and rmqs", "rmqstream"),
        ("rmqstream.", "rmqstream.publish."),
        ("rmqstream.open ", "and"),
        ("rmqstream.open a", "and"),
        ("tcp.port n", "not in"),
        ("rmqstream.open_response.response_code == ", '"ok"'),
        ("rmqstream.open_response.response_code in {1, ", '"ok"'),
        ('rmqstream.open_response.response_code == "o', '"ok"'),
        ("rmqstream.publish && up", "upper("),
        ("not fra", "frame.number"),
        ("request.rmqstream.op", "request.rmqstream.open"),
        ("answer.", "answer.missing"),
    ],
)
def test_completions(text: str, expected: str) -> None:
    """Fields, values, operators, functions."""
    assert expected in texts(text)


def test_what_is_replaced() -> None:
    """The word before the cursor, in the middle of a filter too."""
    found = complete("tcp.po == 5", 6, RowFields(read(PUBLISH).fields))

    assert [(each.text, each.start, each.end) for each in found] == [("tcp.port", 0, 6)]


def test_every_key_of_a_filter() -> None:
    """Soon, whatever was typed so far."""
    text = 'rmqstream.open_response.response_code == "ok" && (tcp.port in {1..5} or len(tcp) > 2)'
    texts("rmqstream.")
    start = time.process_time()
    for at in range(len(text)):
        texts(text[:at])
    assert time.process_time() - start < 2
