"""Windows of flow control: what uses them up, and what opens them again."""

from tests.protocols.http2.traffic import (
    DATA,
    END_STREAM,
    RESPONSE,
    SETTINGS,
    WINDOW_UPDATE,
    Reader,
    Side,
    call,
    frame,
)

from streamshark.protocols.http2.windows import INITIAL, MOST_STREAMS, FlowWindows


def test_a_window_is_used_up_and_opened() -> None:
    """Of the stream and of the connection, each once; a stream that has ended is forgotten."""
    windows = FlowWindows()

    assert windows.sent(1, INITIAL - 1) == []
    assert windows.sent(1, 1) == [1, 0]
    assert windows.sent(1, 1) == []
    assert windows.allow(1, 1) == []
    assert windows.allow(1, 1) == [1]
    assert windows.allow(0, 2) == [0]
    windows.end(1)
    assert windows.allow(1, 1) == []


def test_settings_change_all_streams_but_not_the_connection() -> None:
    """RFC 9113, 6.9.2."""
    windows = FlowWindows()
    windows.resize(10)

    assert windows.sent(1, 10) == [1]
    assert windows.sent(3, 9) == []
    assert windows.resize(11) == [1]


def test_memory_is_bounded() -> None:
    """The oldest streams are forgotten, never the connection."""
    windows = FlowWindows()
    for stream in range(1, 3 * MOST_STREAMS, 2):
        windows.sent(stream, 1)

    assert windows.sent(1, INITIAL - 1) == [0]


def test_events_of_a_connection() -> None:
    """Events belong to the captured connection; after lost bytes there are none."""
    asked, _ = call()
    begin = frame(SETTINGS, b"", 0) + Side().headers(RESPONSE)
    full = frame(DATA, bytes(16_384)) * 4
    update = frame(WINDOW_UPDATE, INITIAL.to_bytes(4, "big"))
    made = Reader().feed(0, asked).feed(1, begin + full).feed(0, update)
    after_loss = Reader().feed(0, asked)
    after_loss.lose(0, 13)
    after_loss.feed(1, begin + full)
    ended = Reader().feed(0, asked).feed(1, begin + full[:-16_393])
    ended.feed(1, frame(DATA, bytes(16_384), flags=END_STREAM))
    larger = Reader().feed(0, asked + frame(SETTINGS, b"\0\4\0\2\0\0", 0)).feed(1, begin + full)

    windows = ("window_full", "window_opened")
    assert [e for e in made.notices() if e in windows] == ["window_full"] * 2 + ["window_opened"]
    assert not [each for each in after_loss.notices() if each in windows]
    assert [each for each in ended.notices() if each in windows] == ["window_full"]
    assert [each for each in larger.notices() if each in windows] == ["window_full"]
