"""Declarations are found by what outputs show of a frame."""

import pytest
from tests.failures import every

from streamshark.errors import StreamsharkError
from streamshark.framing.frame_names import FrameName, decoders_of, prefix_size, without_length
from streamshark.protocols.catalog import catalog

WIRES = {each.wire.id: each.wire for each in catalog()}


@every(
    ("protocol", "name", "expected"),
    [
        ("rabbitmq_stream", FrameName("deliver", version=2), [("", 2)]),
        ("rabbitmq_stream", FrameName("deliver"), [("", 1), ("", 2), ("2020", 0)]),
        ("rabbitmq_stream", FrameName("create", "response"), [("", 1)]),
        ("nats", FrameName("ping", key=None, version=None), [("", None)]),
        (
            "liftbridge",
            FrameName("publish", key=0, version=0),
            [("", 0), ("lift", None), ("alpha", 0)],
        ),
    ],
)
def test_names(protocol: str, name: FrameName, expected: list[tuple[str, int | None]]) -> None:
    """In the default dialect first, then in the others."""
    found = [each.schema for each in decoders_of(WIRES[protocol], name)]
    assert [(each.dialect, each.version) for each in found] == expected


def test_the_dialect_comes_first() -> None:
    """With its own declaration of a frame."""
    found = decoders_of(WIRES["rabbitmq_stream"], FrameName("deliver"), "2020")
    assert found[0].schema.dialect == "2020"


@every(
    ("name", "message"),
    [
        (FrameName("send"), "rabbitmq_stream has no command 'send'"),
        (
            FrameName("tune", "request", version=3),
            (
                "rabbitmq_stream has no tune of kind 'request' version 3 "
                "(known: request key 20 version 1, response key 20 version 1)"
            ),
        ),
    ],
)
def test_unknown_names(name: FrameName, message: str) -> None:
    """The error lists what there is."""
    with pytest.raises(StreamsharkError) as error:
        decoders_of(WIRES["rabbitmq_stream"], name)
    assert str(error.value) == message


def test_lengths_before_frames() -> None:
    """A number, or part of one; text lines have none."""
    tables = {name: wire.table() for name, wire in WIRES.items()}

    assert prefix_size(tables["rabbitmq_stream"]) == 4
    assert prefix_size(tables["rsocket"]) == 3
    assert prefix_size(tables["liftbridge"]) is None
    assert without_length(b"\0\0\0\4\0\x17\0\1", tables["rabbitmq_stream"]) == b"\0\x17\0\1"
    with pytest.raises(StreamsharkError, match="frames of nats do not begin with a length"):
        without_length(b"PING\r\n", tables["nats"])
