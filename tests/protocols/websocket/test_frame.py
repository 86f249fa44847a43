"""One frame as it is meant."""

import pytest
from tests.protocols.websocket.traffic import ANSWER, asked, closing, frame

from streamshark.framing.splitter import PacketRef, RawFrame
from streamshark.framing.wire_format import Selector
from streamshark.protocols.websocket.frame import WebSocketFrame, closed
from streamshark.protocols.websocket.framing import TABLE
from streamshark.schema import Problem, ProblemCode

PLACE = PacketRef([1], (0, 0, 1))


def part(data: bytes, problem: Problem | None = None) -> WebSocketFrame | None:
    """Read one frame."""
    measured = TABLE.measure(data, 0, len(data))
    assert measured is not None
    return WebSocketFrame.of(RawFrame(0, data, PLACE, Selector(*measured[1:]), problem))


def test_a_frame_without_its_mask() -> None:
    """The same, sent by either side."""
    one, other = part(asked(ANSWER)), part(frame(ANSWER))

    assert one is not None
    assert other is not None
    assert one.payload == other.payload == ANSWER
    assert (one.masked, other.masked) == (True, False)
    assert one.fault(masks=True, deflates=False) is None
    assert one.fault(masks=None, deflates=False) is None
    assert one.fault(masks=False, deflates=False) == "a server's frame is masked"


def test_what_is_no_frame() -> None:
    """A head with a problem that stops."""
    assert part(frame(ANSWER), Problem(ProblemCode.LENGTH, -1, 0, 0, "x")) is None
    assert part(frame(ANSWER), Problem(ProblemCode.CLAIM, -1, 0, 0, "x")) is not None
    assert WebSocketFrame.of(RawFrame(0, b"", PLACE, None, None)) is None


@pytest.mark.parametrize(
    ("payload", "fields", "wrong"),
    [
        (b"", {}, 0),
        (closing(1000)[2:], {"code": 1000, "name": "normal_closure", "reason": None}, 0),
        (closing(3001)[2:], {"code": 3001, "name": "library", "reason": None}, 0),
        (closing(4999, b"x")[2:], {"code": 4999, "name": "application", "reason": "x"}, 0),
        (closing(5000)[2:], {"code": 5000, "name": "reserved", "reason": None}, 1),
        (b"\0", {}, 1),
    ],
)
def test_close_frames(payload: bytes, fields: dict[str, object], wrong: int) -> None:
    """Code, its name, the reason, and how much is wrong."""
    found, faults = closed(payload)

    assert found == fields
    assert len(faults) == wrong
