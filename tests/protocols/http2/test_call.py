"""The layout of the slot: embedded records read what headers say."""

import struct

from streamshark.protocols.http2.call import (
    MOST_TEXT,
    CallFlag,
    CallKind,
    head,
    request,
    response,
    text,
    trailers,
)

TYPE = "application/grpc"


def test_every_kind_begins_alike() -> None:
    """Kind, flags, stream, content type, path, method."""
    said = head(CallKind.RESET, CallFlag.END_STREAM, 7, TYPE, "/s/m")

    assert said == b"\6\1\0\0\0\7" + text(TYPE) + text("/s/m") + text("m")


def test_headers_with_members_of_their_own_are_not_listed() -> None:
    """What is left is, in its order; names may come twice."""
    headers = [(":path", "/s/m"), (":authority", "h"), ("authorization", "Basic x"),
               ("content-type", TYPE), ("k", "1"), ("k", "2")]  # fmt: skip
    made = request(CallFlag(0), 1, headers)

    begin = head(CallKind.REQUEST, CallFlag(0), 1, TYPE, "/s/m")
    listed = b"\0\2" + (text("k") + text("1")) + (text("k") + text("2"))
    assert made == begin + text("h") + text("Basic x") + listed


def test_a_status_that_is_none() -> None:
    """0 of HTTP, -1 of the call."""
    made = trailers(CallFlag(0), 1, [(":status", "2x0"), ("grpc-status", "five")], TYPE, "")

    assert made.endswith(struct.pack(">Hh", 0, -1) + text("") + b"\0\0")
    assert response(CallFlag(0), 1, [(":status", "200")], TYPE, "").endswith(b"\0\xc8\0\0")
    told = trailers(CallFlag(0), 1, [("grpc-status", "5"), ("grpc-message", "no")], TYPE, "")
    assert told.endswith(b"\0\5" + text("no") + b"\0\0")


def test_a_status_message_is_percent_decoded() -> None:
    """The text is UTF-8; invalid sequences stay as they are."""
    for wire, shown in {
        "no%20such%20%E2%82%AC": "no such €",
        "100%25%0A": "100%\n",
        "5% of %zz, %FF and %E2%82": "5% of %zz, %FF and %E2%82",
    }.items():
        made = trailers(CallFlag(0), 1, [("grpc-status", "5"), ("grpc-message", wire)], TYPE, "")

        assert made.endswith(b"\0\5" + text(shown) + b"\0\0"), wire


def test_text_is_cut() -> None:
    """At what its length can say."""
    assert len(text("x" * 100_000)) == MOST_TEXT + 2
