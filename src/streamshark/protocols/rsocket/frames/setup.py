"""SETUP (0x01): a client opens a connection and says what holds for it.

The first frame, on stream 0, once; an accepted one is answered by nothing (by LEASE where leases
are asked for), a refused one by ERROR with a code from 1 to 3. The MIME types hold for all later
metadata and data. rsocket-java 1.1.5 accepts 0 for both times, which the document forbids, and then
sends no KEEPALIVE. In rsocket_rust 0.7.5 and rsocket-go 0.8.12 the lifetime is the time to wait for
one answer times the answers that may be missing. Text of the document from 2017 to 2021 calls the
version 0.2; on the wire it is 1.0, and SETUP with 0.2 has the layout of 1.0.

Dialect `0.1`: 32-bit times, a length of 32 bits before metadata that counts itself; the token, of
16 bytes without a length, is rsocket-cpp's alone.

Spec: Protocol.md, "SETUP Frame (0x01)".
"""

from streamshark.protocols.rsocket.codes import (
    LEASE,
    OLD_LEASE,
    OLD_RESUME_ENABLE,
    OLD_STRICT,
    RESUME_ENABLE,
    Flag,
    FrameType,
    OldFlag,
    OldType,
)
from streamshark.protocols.rsocket.types import (
    ALWAYS,
    MAJOR_VERSION,
    MIME_TYPE_OF_DATA,
    MIME_TYPE_OF_METADATA,
    MINOR_VERSION,
    OLD,
    OLD_ALWAYS,
    OLD_METADATA_LENGTH,
    OLD_RESUME_TOKEN,
    RESUME_TOKEN,
    VEILED,
    u31,
)
from streamshark.schema import (
    REST,
    U24,
    U32,
    FrameKind,
    FrameSchema,
    Sender,
    Slot,
    When,
    field,
    raw,
    this,
)

_METADATA_SLOT = Slot("rsocket.metadata", types=(this.metadata_mime_type,), veiled=VEILED)
_DATA = field(
    "data",
    raw(REST, slot=Slot("rsocket.data", types=(this.data_mime_type,))),
    "Data of the setup.",
    role="body",
)
_KEEPALIVE = "Time between the client's KEEPALIVE frames; 0 is not allowed."
_LIFETIME = "Time without an answer to KEEPALIVE after which the peer is considered dead."

_FLAGS = {**ALWAYS, RESUME_ENABLE: "resume_enable", LEASE: "lease"}
_BODY = (
    MAJOR_VERSION,
    MINOR_VERSION,
    u31("time_between_keepalive_frames", _KEEPALIVE, unit="ms"),
    u31("max_lifetime", _LIFETIME, unit="ms"),
    When(this.flags & RESUME_ENABLE, RESUME_TOKEN),
    MIME_TYPE_OF_METADATA,
    MIME_TYPE_OF_DATA,
    When(
        this.flags & Flag.METADATA,
        field("metadata", raw(U24, slot=_METADATA_SLOT), "Metadata of the setup."),
    ),
    _DATA,
)

_OLD_FLAGS = {
    **OLD_ALWAYS,
    OLD_LEASE: "lease",
    OLD_STRICT: "strict",
    OLD_RESUME_ENABLE: "resume_enable",
}
_OLD_BODY = (
    MAJOR_VERSION,
    MINOR_VERSION,
    field("time_between_keepalive_frames", U32, _KEEPALIVE, unit="ms"),
    field("max_lifetime", U32, _LIFETIME, unit="ms"),
    When(this.flags & OLD_RESUME_ENABLE, OLD_RESUME_TOKEN),
    MIME_TYPE_OF_METADATA,
    MIME_TYPE_OF_DATA,
    When(
        this.flags & OldFlag.METADATA,
        OLD_METADATA_LENGTH,
        field(
            "metadata",
            raw(this.metadata_length - 4, slot=_METADATA_SLOT),
            "Metadata of the setup.",
        ),
    ),
    _DATA,
)

FRAMES = (
    FrameSchema(
        name="setup",
        key=FrameType.SETUP,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Opens a connection and says what holds for it.",
        spec="Protocol.md, SETUP Frame (0x01)",
        negotiates=True,
        flags=_FLAGS,
        body=_BODY,
        shows=(
            "metadata={metadata_mime_type} data={data_mime_type} "
            "keepalive={time_between_keepalive_frames}~ms lifetime={max_lifetime}~ms "
            "{flags:not metadata?}"
        ),
    ),
    FrameSchema(
        name="setup",
        key=OldType.SETUP,
        dialect=OLD,
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Opens a connection and says what holds for it.",
        spec="Protocol.md of tag v0.1, SETUP",
        negotiates=True,
        flags=_OLD_FLAGS,
        body=_OLD_BODY,
        shows=(
            "metadata={metadata_mime_type} data={data_mime_type} "
            "keepalive={time_between_keepalive_frames}~ms lifetime={max_lifetime}~ms "
            "{flags:not metadata?}"
        ),
    ),
)
