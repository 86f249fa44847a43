"""Composite metadata: any number of metadata, each with its MIME type.

An embedded record of metadata in the MIME type `message/x.rsocket.composite-metadata.v0`, and the
usual one. If SETUP was not captured the type is unknown; bytes that divide into entries of
known or well-formed types are then taken for it.

The extension confines it to frames that open a stream; rsocket-java and Spring also use it in
SETUP and METADATA_PUSH. Types may come more than once, in an order that counts.

Spec: Extensions/CompositeMetadata.md; the length of a type as `types.named_or_numbered` says.
"""

import re
from typing import Final

from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.protocols.rsocket.codes import MIME_TYPES
from streamshark.protocols.rsocket.types import COMPOSITE, MIME_TYPE, VEILED
from streamshark.schema import U24, Many, Record, Slot, field, raw, this

ENTRIES: Final = "entries"
LIKELY: Final = 60
"""How sure it is of bytes that divide into entries; more than any text can be."""
_NAME: Final = re.compile(rb"[a-zA-Z][\w.+-]*/[\w.+*;= -]+")


def sure(data: bytes) -> int:
    """Whether the bytes divide into entries; none is not enough."""
    at = 0
    while at < len(data):
        if data[at] & 0x80:
            if data[at] & 0x7F not in MIME_TYPES:
                return 0
            at += 1
        else:
            end = at + data[at] + 2
            if not _NAME.fullmatch(data, at + 1, end):
                return 0
            at = end
        if at + 3 > len(data):
            return 0
        at += 3 + int.from_bytes(data[at : at + 3], "big")
    return LIKELY if data and at == len(data) else 0


_CONTENT: Final = Slot("rsocket.metadata", types=(this.mime_id, this.mime_type), veiled=VEILED)

COMPOSITE_METADATA: Final = EmbeddedRecord(
    id="rsocket.composite_metadata",
    slots=frozenset({"rsocket.metadata"}),
    types=frozenset({COMPOSITE}),
    record=Record(
        field(
            ENTRIES,
            Many(
                Record(
                    MIME_TYPE,
                    field(
                        "content",
                        raw(U24, slot=_CONTENT),
                        "The metadata itself.",
                    ),
                )
            ),
            "Metadata in their order; a type may come more than once.",
        ),
    ),
    sure=sure,
    whole=ENTRIES,
)
