"""Bits that must be zero: flags of other frames, reserved bits."""

from tests.failures import every
from tests.protocols.rsocket.traffic import Talk, framed, setup

from streamshark.protocols.rsocket.findings.flags import FLAGS, RESERVED

N = (5).to_bytes(4, "big")
HIGH = (0x8000_0005).to_bytes(4, "big")
BODIES = {
    0x03: bytes(8), 0x04: b"", 0x05: b"", 0x06: N, 0x07: N, 0x08: N, 0x09: b"", 0x0A: b"x",
    0x0B: (0x201).to_bytes(4, "big") + b"no", 0x3F: N, 0x02: N + N, 0x0E: bytes(8),
}  # fmt: skip
"""Frame type to a body."""
ODD = (
    (0x03, 0x040), (0x04, 0x040), (0x05, 0x020), (0x06, 0x040), (0x08, 0x100),
    (0x09, 0x040), (0x0B, 0x020), (0x3F, 0x080), (0x02, 0x080), (0x0E, 0x100),
)  # fmt: skip
"""Frame type and a flag that it does not have."""


def found(rule: str, kind: int, flags: int, body: bytes, stream: int) -> list[tuple[int, ...]]:
    """Return the findings of a rule about one frame."""
    talk = Talk()
    talk.say(0, setup())
    talk.say(0, framed(stream, kind, flags, body))
    return talk.found(rule)


@every(("kind", "flag"), ODD)
def test_a_flag_that_a_frame_does_not_have(kind: int, flag: int) -> None:
    """C17b: alone and beside its own; not its own alone."""
    stream = 0 if kind in (0x02, 0x03, 0x0E) else 1
    for flags, frames in ((flag, [(2,)]), (flag | 0x200, [(2,)]), (0x200, []), (0, [])):
        assert found("RSK-C17b", kind, flags, BODIES[kind], stream) == frames


def test_frames_with_all_flags() -> None:
    """C17b: PAYLOAD has them all, and so has REQUEST_CHANNEL, with NEXT as some peers send it."""
    assert found("RSK-C17b", 0x0A, 0x3E0, b"\0\0\0x", 1) == []
    assert "payload" not in {each.on for each in FLAGS}


CASES = (
    (0x06, N, HIGH), (0x07, N, HIGH), (0x08, N, HIGH), (0x3F, N, HIGH), (0x02, N + N, N + HIGH),
    (0x03, bytes(8), b"\x80" + bytes(7)), (0x0E, bytes(8), b"\x80" + bytes(7)),
)  # fmt: skip


@every(("kind", "right", "wrong"), CASES)
def test_a_reserved_bit(kind: int, right: bytes, wrong: bytes) -> None:
    """C17c: of a number of 31 or 63 bits, and of the stream id; not the largest number."""
    stream = 0 if kind in (0x02, 0x03, 0x0E) else 1
    assert found("RSK-C17c", kind, 0, wrong, stream) == [(2,)]
    assert found("RSK-C17c", kind, 0, right, stream | 0x8000_0000) == [(2,)]
    assert found("RSK-C17c", kind, 0, right, stream) == []
    largest = bytes(each | 0x7F for each in right)
    assert found("RSK-C17c", kind, 0, largest, stream) == []


def test_reserved_bits_of_setup() -> None:
    """C17c: of the two times."""
    for at in (13, 17):
        data = bytearray(setup())
        talk = Talk()
        data[at] |= 0x80
        talk.say(0, bytes(data))
        assert talk.found("RSK-C17c") == [(1,)]
    assert RESERVED["setup"] == (0, 10, 14)
