"""Rules about bits that must be zero: flags that a frame does not have, and reserved bits.

Both are made from the declared frames. Dialect `0.1` has other flags, and is left out.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.protocols.rsocket.codes import Flag
from streamshark.protocols.rsocket.framing import PREFIX, all_frames
from streamshark.schema import FrameSchema

_UNUSED: Final = 0x20
"""Flags below it are in no frame: RSK-C17."""
_HEADER: Final = 6
"""Bytes of a stream id, a type and flags."""
RESERVED: Final = {
    "setup": (0, _HEADER + 4, _HEADER + 8),
    "lease": (0, _HEADER, _HEADER + 4),
    "keepalive": (0, _HEADER),
    "request_stream": (0, _HEADER),
    "request_channel": (0, _HEADER),
    "request_n": (0, _HEADER),
    "request_response": (0,),
    "request_fnf": (0,),
    "ext": (0, _HEADER),
    "resume_ok": (0, _HEADER),
}
"""Frame to the bytes, from its stream id on, whose top bit is reserved. PAYLOAD and CANCEL, whose
stream was opened before, and RESUME, whose positions have no fixed place, are left out."""


def _own(frame: FrameSchema) -> tuple[int, ...]:
    """Return the values that the flags of a frame may have, without the unused bits."""
    masks = [mask for mask in frame.flags if mask >= _UNUSED]
    chosen = (each for count in range(len(masks) + 1) for each in combinations(masks, count))
    return tuple(sorted(sum(each) for each in chosen))


def _strange_flags() -> Iterator[Rule]:
    """Yield a rule for each frame that does not have all flags."""
    for frame in all_frames():
        own = _own(frame)
        if frame.dialect or len(own) == 1 << len(Flag):
            continue
        yield Rule(
            id="RSK-C17b",
            severity=Severity.NOTE,
            group=Group.PROTOCOL,
            title="flag that the frame type does not define",
            on=frame.name,
            when=f"fields.flags // {_UNUSED} * {_UNUSED} not in {own!r} and dialect == ''",
            needs="",
            message="{name} has the flags {fields.flags}, of which some do not belong to this "
            "frame",
            cause="The sender may mean another frame.",
            source="Protocol.md, Frame Header Format",
            healthy="Receivers ignore them; rsocket_rust 0.7.5 sets COMPLETE in CANCEL.",
        )


def _reserved_bits() -> Iterator[Rule]:
    """Yield a rule for each frame with reserved bits."""
    for name, places in RESERVED.items():
        wrong = " or ".join(
            f"high_bit(octets, {at} if conn.carried else {at + PREFIX})" for at in places
        )
        yield Rule(
            id="RSK-C17c",
            severity=Severity.WARNING,
            group=Group.PROTOCOL,
            title="reserved top bit of a number set",
            on=name,
            when=f"({wrong}) and dialect == ''",
            needs="",
            message="{name} has a number whose reserved top bit is set; receivers ignore the bit "
            "or refuse the frame",
            cause="The sender writes a negative number, or one that needs 32 bits.",
            source="Protocol.md, Frame Header Format; rsocket-java issue 973",
        )


FLAGS: Final = (*_strange_flags(), *_reserved_bits())
"""Rules about bits that must be zero."""
