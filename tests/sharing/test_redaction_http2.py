"""HTTP/2: frames cut anywhere, lost bytes."""

from tests.protocols.http2.traffic import DATA, END_STREAM
from tests.protocols.http2.traffic import frame as http2_frame
from tests.sharing.redactions import FRAMES

from streamshark.sharing.redaction_http2 import Http2Side

STREAM = http2_frame(DATA, b"\0\0\0\0\x0esecret ") + http2_frame(DATA, b"message", 1, END_STREAM)


def written(parts: list[bytes], *, loses: bool = False) -> dict[int, int]:
    """Return the bytes that are written, by offset."""
    found: dict[int, int] = {}

    def put(_side: int, offset: int, data: bytes) -> None:
        found.update(enumerate(data, offset))

    side, at = Http2Side(0, put, FRAMES), 0
    for each in parts:
        side.feed(at, each)
        at += len(each)
        if loses:
            side.lose()
    side.finish()
    return found


def test_heads_stay_wherever_the_stream_is_cut() -> None:
    """Messages without a row are blanked."""
    for cut in range(1, len(STREAM)):
        made = written([STREAM[:cut], STREAM[cut:]])
        data = bytes(made.get(at, 0) for at in range(len(STREAM)))
        assert data[:14] == STREAM[:14]
        assert b"secret" not in data
        assert b"message" not in data


def test_what_follows_lost_bytes_is_not_written() -> None:
    """So it is blanked."""
    assert max(written([STREAM[:25], STREAM[25:]], loses=True), default=0) < 25
