"""The head of a frame, by what is written."""

from tests.failures import Failures

from streamshark.decoding.codecs import unmask
from streamshark.protocols.websocket.head import FrameHead, read_head, write_frame

BYTES = bytes(range(256)) * 257


def test_lengths() -> None:
    """Short ones, those of two bytes and of eight; a head that is not complete needs more."""
    with Failures() as failures:
        for size in (0, 1, 125, 126, 65_535, 65_536):
            for mask in (b"", b"\1\2\3\4"):
                frame = b"\0" + write_frame(2, BYTES[:size], mask)
                with failures.of((size, mask)):
                    head = read_head(frame, 1)
                    assert isinstance(head, FrameHead)
                    payload = frame[1 + head.size :]
                    assert (frame[1], head.length, len(payload), head.mask) == (
                        0x82,
                        size,
                        size,
                        mask,
                    )
                    assert (unmask(payload, mask) if mask and size else payload) == BYTES[:size]
                    for cut in range(head.size):
                        needs = read_head(frame[: 1 + cut], 1)
                        assert isinstance(needs, int)
                        assert cut < needs <= head.size
