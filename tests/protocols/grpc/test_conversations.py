"""Calls: one conversation each, failed where the status says so or the stream is reset."""

import io
import struct

import pytest
from tests.builders import pcap
from tests.protocols.http2.traffic import (
    END_HEADERS,
    END_STREAM,
    RESPONSE,
    RST_STREAM,
    SETTINGS,
    Side,
    call,
    frame,
    talk,
)

from streamshark.session import Session

FAILED = frame(SETTINGS, b"", 0) + Side().headers(
    RESPONSE | {"grpc-status": "5"}, flags=END_HEADERS | END_STREAM
)


@pytest.mark.parametrize(
    ("answered", "state"),
    [
        (call()[1], "done"),
        (FAILED, "failed"),
        (frame(SETTINGS, b"", 0) + frame(RST_STREAM, struct.pack(">I", 8)), "failed"),
        (frame(SETTINGS, b"", 0), "open"),
    ],
    ids=["done", "status", "reset", "open"],
)
def test_a_call_is_a_conversation(answered: bytes, state: str) -> None:
    """Of its call and its status."""
    packets = talk((0, call()[0]), (1, answered)).packets
    analysis = Session([io.BytesIO(pcap(packets))]).analysis(conversations=True)
    list(analysis.rows())
    found = [each for each in analysis.ended() if each.type == "call"]

    assert [each.state for each in found] == [state]
