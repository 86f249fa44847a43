"""Whether rows and packets satisfy a filter: any and all, absent and repeated fields."""

import time

from tests.failures import every
from tests.filters.reading import PUBLISH, read

from streamshark.filters.filter import Filter
from streamshark.filters.predicate import EVENTS, RowKind
from streamshark.filters.row_fields import RowFields

ALL = list(range(1, 37))
PUBLISHES = [13, 15, 17, 18, 19, 20]


@every(
    ("text", "expected"),
    [
        ("tcp.port == 5552", ALL),
        ("tcp.port != 5552", []),
        ("any tcp.port != 5552", ALL),
        ("tcp.port !== 5552", ALL),
        ("tcp.port === 5552", []),
        ("all tcp.port in {5552}", []),
        ("tcp.port not in {5552}", []),
        ("all tcp.port not in {5552}", ALL),
        ("any tcp.port not in {5552}", []),
        ("udp.port != 5", []),
        ("udp.port not in {5}", []),
        ("not udp.port in {5}", ALL),
        ("udp.port == udp.port", []),
        ("tcp.port > tcp.srcport and frame.number < 7", [2, 5, 6]),
        ("all tcp.port >= tcp.srcport and frame.number < 7", [2, 5, 6]),
        ("tcp.payload[9999:2] != 00 and frame.number < 7", [4, 6]),
        ("1 < frame.number < 5", [2, 3, 4]),
        ("frame.number in {5..1}", []),
        ("frame.number in {tcp.len..10}", [1, 2, 3, 5, 7]),
        ("frame.number in {1 + 1, 2 + 2}", [2, 4]),
        ("ip.src == 127.0.0.0/8 and not ip.src > 127.0.0.0/8", ALL),
        ("ip.src in {10.0.0.0/8}", []),
        ("127.0.0.0/8 == ip.src", ALL),
        ("tcp.flags.syn == 2", [1, 2]),
        ("tcp.flags.syn", ALL),
        ("(tcp.srcport == 5552 xor tcp.port == 5552) and frame.number < 5", [1, 3, 4]),
        ("tcp#1 and not tcp#2 and ip.src#[1-2] == 127.0.0.1", ALL),
        ("rmqstream.publish && rmqstream.publish_confirm", []),
        ('rmqstream.command == "publish" and count(rmqstream) > 1', [25]),
        ("rmqstream < 00:00:00:0a and frame.number < 12", []),
        ("tcp.port == ${tcp.port}", []),
        ('tcp contains "orders"', [18]),
    ],
)  # fmt: skip
def test_packets(text: str, expected: list[int]) -> None:
    """The packets that tshark selects."""
    assert read(PUBLISH).numbers(text) == expected


@every(
    ("text", "expected"),
    [
        ("rmqstream.publish", PUBLISHES),
        ('rmqstream.command == "publish"', PUBLISHES),
        ("rmqstream.publish.published_messages.publishing_id in {3..5}", [15]),
        ("rmqstream.publish.published_messages.publishing_id == 14", [19]),
        ("all rmqstream.publish.published_messages.publishing_id > 12", [18, 19, 20]),
        ("count(rmqstream.publish.published_messages) == 2", [17]),
        ('rmqstream.open_response.response_code == "ok"', [10]),
        ('rmqstream.open_response.response_code matches "^O"', [10]),
        ("rmqstream.publish && rmqstream.open", []),
        ('correlation_id == "5" and conv.id < correlation_id', [11, 12]),
        ('kind == "response" and frame.number < 10', [2, 4]),
        ("tcp.port == 5552 and ip.src == 127.0.0.1 and not ipv6 and frame < 3", [1, 2]),
        ("rmqstream[0:4] == 00:00:00:26", [17]),
        ("rmqstream.key & 2 and rmqstream.key < 4", [13, 14, 15, 16, 17, 18, 19, 20, 21, 22]),
        ("not not (tcp.stream != 0)", []),
    ],
)
def test_rows(text: str, expected: list[int]) -> None:
    """The unit of `read` is the row."""
    assert read(PUBLISH).frames(text) == expected


def test_events_are_rows() -> None:
    """With the fields of every row."""
    found = read(PUBLISH)
    chosen = Filter('kind == "event" && command == "close"', RowFields(found.fields))

    assert [row.packet for row in found.rows if chosen(row)] == [34, 35]
    assert chosen.count == 2


def test_what_cannot_hold_folds() -> None:
    """By the decoder: a command, a constant, a field that it lacks."""
    found = read(PUBLISH)
    kinds = {
        row.name: RowKind(row.decoder, row.connection.wire) for row in found.rows if row.number
    }  # type: ignore[attr-defined]

    def folded(text: str, name: str) -> bool:
        predicate = Filter(text, RowFields(found.fields)).predicate
        assert predicate is not None
        return predicate.never(kinds[name] if name else EVENTS)

    assert folded('rmqstream.command == "open"', "publish")
    assert folded('rmqstream.open.virtual_host == "/" and tcp', "publish")
    assert folded("rmqstream", "")
    assert not folded("not rmqstream.open", "publish")
    assert not folded("rmqstream.publish or rmqstream.open", "open")


def test_deep_filters_are_evaluated() -> None:
    """Junctions and arithmetic up to the limit."""
    deep = "tcp"
    for at in range(80):
        deep = f"not ({deep} {'and' if at % 2 else 'or'} tcp.port == {at})"
    read(PUBLISH).numbers(deep)
    read(PUBLISH).numbers(f"tcp.port == {'{1 + ' * 30}1{'}' * 30}")
    read(PUBLISH).numbers(f"frame.number{' + 1' * 200} > 0")


def test_a_long_filter_is_quick() -> None:
    """A thousand alternatives are read and computed in a moment."""
    text = " or ".join(f"tcp.port == {at}" for at in range(1000))
    start = time.process_time()

    assert read(PUBLISH).numbers(text) == []
    assert time.process_time() - start < 5
