"""Codes: the tables of RFC 9113, read from it here a second time."""

from streamshark.protocols.http2.codes import (
    EVENTS,
    ON_CONNECTION,
    PREFACE,
    ErrorCode,
    Flag,
    FrameType,
    Setting,
)

TYPES = (
    "DATA HEADERS PRIORITY RST_STREAM SETTINGS PUSH_PROMISE PING GOAWAY WINDOW_UPDATE CONTINUATION"
)
ERRORS = (
    "NO_ERROR PROTOCOL_ERROR INTERNAL_ERROR FLOW_CONTROL_ERROR SETTINGS_TIMEOUT STREAM_CLOSED "
    "FRAME_SIZE_ERROR REFUSED_STREAM CANCEL COMPRESSION_ERROR CONNECT_ERROR ENHANCE_YOUR_CALM "
    "INADEQUATE_SECURITY HTTP_1_1_REQUIRED"
)


def test_types_and_errors_are_the_document_s() -> None:
    """In the order of the numbers."""
    assert [each.name for each in FrameType] == TYPES.split()
    assert [each.name for each in ErrorCode] == ERRORS.split()
    assert [int(each) for each in FrameType] == [*range(10)]
    assert [int(each) for each in ErrorCode] == [*range(14)]


def test_settings_and_flags() -> None:
    """Numbers of sections 6 and 6.5.2; 7 was never given out."""
    assert [int(each) for each in Setting] == [1, 2, 3, 4, 5, 6, 8]
    assert (Flag.END_STREAM, Flag.END_HEADERS, Flag.PADDED, Flag.PRIORITY) == (1, 4, 8, 32)


def test_the_preface() -> None:
    """24 bytes (3.4)."""
    assert len(PREFACE) == 24


def test_every_frame_of_the_connection_is_an_event() -> None:
    """All types but those that go to the protocol inside."""
    given = {FrameType.DATA, FrameType.HEADERS, FrameType.CONTINUATION, FrameType.RST_STREAM}

    assert {each.name.lower() for each in set(FrameType) - given} <= set(EVENTS)
    assert {FrameType.SETTINGS, FrameType.PING, FrameType.GOAWAY} == ON_CONNECTION
