"""What a replication response holds: epoch, high watermark, and messages as they are stored.

Source: liftbridge v1.9.0, `server/replicator.go` and `server/commitlog/{message_set,encoder}.go`;
messages of v0.0.1-alpha have the sum of CRC-32 (IEEE) in its place.
"""

from typing import Final

from streamshark.schema import (
    I8,
    I16,
    I32,
    I64,
    REST,
    U32,
    U64,
    Many,
    Member,
    Record,
    Region,
    crc32,
    crc32c,
    field,
    raw,
    text,
    this,
)

_STORED: Final = (
    field("magic", I8, "Version of the layout: 1."),
    field("attributes", I8, "Always 0."),
    field("key", raw(I32, null=True), "Key; null for none."),
    field(
        "value",
        raw(I32, null=True, slot="liftbridge.value"),
        "What was published; of an encrypted stream a wrapped key, a nonce and what it encrypts.",
        role="body",
    ),
    field(
        "headers",
        Many(
            Record(
                field("key", text(I16), "Name."),
                field("value", raw(I32, null=True), "Value; null breaks the reader of servers."),
            ),
            count=I16,
        ),
        "Headers of the message, with the subject and the reply that it came with.",
    ),
)


def _record(*, old: bool) -> Record:
    of = crc32 if old else crc32c
    name = "CRC-32" if old else "CRC-32C"
    return Record(
        field("offset", I64, "Offset of the message.", role="chance"),
        field("timestamp", I64, "When the leader received it.", unit="ns", role="chance time"),
        field("leader_epoch", U64, "Epoch of the leader that stored it.", role="chance"),
        Region(
            U32,
            field("crc", U32, f"{name} of what follows.", base="hex"),
            Region(REST, *_STORED, checksum=of(this.crc)),
        ),
    )


def data(*, old: bool = False) -> tuple[Member, ...]:
    """Return the members of a response; `old` for those of 2019."""
    return (
        field(
            "leader_epoch",
            U64,
            "Epoch of the leader: a follower of another one ignores it.",
            role="chance",
        ),
        field(
            "high_watermark",
            I64,
            "Offset up to which all in sync have it; -1 for none.",
            role="chance",
        ),
        field("records", Many(_record(old=old)), "Messages, none where the follower has all."),
    )
