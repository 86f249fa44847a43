"""Faults on messages of calls: which are taken, what changes in them, how calls fail."""

import pytest
from tests.failures import Failures

from streamshark.errors import StreamsharkError
from streamshark.proxy.call_faults import (
    CallFaults,
    CallMessage,
    changed_message,
    error_headers,
)
from streamshark.proxy.faults import Fault
from streamshark.proxy.link import CLIENT, SERVER

CONTROLLER = "/io.pravega.controller.stream.api.grpc.v1.ControllerService/"
BROKER = b"\x0a\x0c\x0a\x01b\x12\x04lift\x18\xcc\x48"
METADATA = CallMessage("/proto.API/FetchMetadata", "application/grpc", 1, BROKER)
URI = CallMessage(f"{CONTROLLER}getURI", "application/grpc", 3, b"\x0a\x04host\x10\xf8\x2e")
PUBLISH = CallMessage("/proto.API/Publish", "application/grpc", 5, b"\x12\x01v\x1a\x01s")


def test_messages_are_chosen_by_filters() -> None:
    """Of gRPC, and of what is inside."""
    with Failures() as failures:
        for text, side, message, expected in (
            ('grpc.method == "Publish"', CLIENT, PUBLISH, True),
            ('grpc.method == "Publish"', CLIENT, METADATA, False),
            ('grpc.command == "reply"', CLIENT, PUBLISH, False),
            ('grpc.command == "reply"', SERVER, METADATA, True),
            ('liftbridge.publish_request.stream == "s"', CLIENT, PUBLISH, True),
            ('liftbridge.publish_request.stream == "t"', CLIENT, PUBLISH, False),
            ("liftbridge.fetch_metadata_response.brokers.port == 9292", SERVER, METADATA, True),
            (
                'grpc.method == "getURI" && pravega.controller_node_uri.port == 6008',
                SERVER,
                URI,
                True,
            ),
            ("rmqstream.command", SERVER, URI, False),
        ):
            fault = Fault(f"{text} -> drop")
            with failures.of(text):
                taken, _ = CallFaults(lambda of=fault: [of]).taken(side, message)  # type: ignore[misc]
                assert (taken is fault) == expected


def test_fields_are_set_and_corrupted() -> None:
    """By their whole name, or the end of it."""
    expected = b"\x0a\x0b" + BROKER[2:-2] + b"\x01"
    for field in ("liftbridge.fetch_metadata_response.brokers.port", "brokers.port"):
        sets = Fault(f"liftbridge -> set {field} = 1")
        assert changed_message(sets, SERVER, METADATA) == expected
    flips = Fault("liftbridge -> corrupt brokers.host")
    assert changed_message(flips, SERVER, METADATA) == BROKER.replace(b"lift", b"lifu")
    with pytest.raises(StreamsharkError, match="has no such field"):
        changed_message(Fault("liftbridge -> set subject = 1"), SERVER, METADATA)
    unknown = METADATA._replace(path="/other/Method")
    with pytest.raises(StreamsharkError, match="the messages of /other/Method are unknown"):
        changed_message(flips, SERVER, unknown)


def test_errors_have_the_status_of_grpc() -> None:
    """By number or name; as trailers alone if no response has begun."""
    assert dict(error_headers("Not_Found", has_answer=True))[b"grpc-status"] == b"5"
    assert error_headers(14, has_answer=False)[0] == (b":status", b"200")
    for code in (0, 17, "busy"):
        with pytest.raises(StreamsharkError, match="expected 1 to 16"):
            error_headers(code, has_answer=True)
