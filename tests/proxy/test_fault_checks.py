"""Faults on what a protocol does not have are refused, with the name that is meant."""

import pytest
from tests.failures import every

from streamshark.errors import StreamsharkError
from streamshark.proxy.faults import Fault

IMPOSSIBLE = {
    "nats.msg -> set nats.msg.subjects = 'x'": "did you mean 'nats.msg.subject'",
    "nats.msg -> send pong": "of NATS only info is sent",
    "rmqstream.length -> corrupt cod": "RabbitMQ Streams has no field 'cod'",
    "rmqstream.length -> send metadata_updates 6": "did you mean 'metadata_update'",
    "rmqstream.length -> error access_refuses": "did you mean 'access_refused'",
    "rsocket.stream_id -> error reject": "did you mean 'rejected'",
    "pravega.length -> error segment_is_sealing": "did you mean 'segment_is_sealed'",
    "liftbridge -> send info": "send is not for calls",
}


@every("text, sentence", IMPOSSIBLE.items())
def test_what_a_protocol_does_not_have(text: str, sentence: str) -> None:
    """Fields, frames of servers, and codes."""
    with pytest.raises(StreamsharkError, match=sentence):
        Fault(text)


def test_codes_have_names() -> None:
    """They are numbers in the action."""
    for text, code in (
        ("rmqstream.length -> error Access_Refused", 16),
        ("rsocket.length -> error rejected", 0x202),
        ("grpc.method -> error unavailable", 14),
        ("pravega.length -> error segment_is_sealed", "segment_is_sealed"),
        ("nats.length -> error Slow Consumer", "Slow Consumer"),
    ):
        assert Fault(text).action.value == code
