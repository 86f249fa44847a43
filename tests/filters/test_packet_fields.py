"""The fields of packets."""

from tests.failures import every
from tests.filters.reading import CAPTURES, PUBLISH, read

from streamshark.filters.packet_fields import PacketFields


def test_headers_are_found_by_their_beginning() -> None:
    """Once each, also those that rows have."""
    names = [each.name for each in PacketFields(read(PUBLISH).fields).starting("tcp.s")]

    assert sorted(names) == ["tcp.seq", "tcp.seq_raw", "tcp.srcport", "tcp.stream"]


@every(
    ("capture", "text", "numbers"),
    [
        ("liftbridge/basics_py/traffic.pcapng.gz", "liftbridge#5", [200]),
        ("liftbridge/basics_py/traffic.pcapng.gz", "liftbridge.message.subject#6", []),
        (
            "rabbitmq_stream/bug_offset_of_another_stream/traffic.pcapng",
            "rmqstream.command#2",
            [29],
        ),
        ("rabbitmq_stream/bug_offset_of_another_stream/traffic.pcapng", "amqp1.data#2", [29]),
    ],
)
def test_layers_are_the_calls_of_a_dissector(capture: str, text: str, numbers: list[int]) -> None:
    """For each message of a carrier or call, and after a frame of several packets."""
    assert read(CAPTURES / capture).numbers(text) == numbers


def test_requests_have_the_numbers_of_packets() -> None:
    """Whether or not the filter has looked at the packet of the request."""
    found = read(PUBLISH)

    assert found.numbers("rmqstream.request_frame == 4") == [6]
    assert found.numbers("frame.number > 5 && rmqstream.request_frame == 4") == [6]
    assert found.frames("rmqstream.request_frame == 1") == [2]
