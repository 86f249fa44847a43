"""MIME types of one stream: of its data, and of what its requester accepts.

Embedded records of metadata in the MIME types `message/x.rsocket.mime-type.v0` (one type) and
`message/x.rsocket.accept-mime-types.v0` (any number, in order of preference).

Spec: Extensions/PerStreamDataMimeTypesDefinition.md.
"""

from typing import Final

from streamshark.decoding.payloads import EmbeddedRecord, never
from streamshark.protocols.rsocket.types import MIME_TYPE
from streamshark.schema import Many, Record, field

DATA_MIME_TYPE: Final = EmbeddedRecord(
    id="rsocket.mime_type",
    slots=frozenset({"rsocket.metadata"}),
    types=frozenset({"message/x.rsocket.mime-type.v0"}),
    record=Record(MIME_TYPE),
    sure=never,
)
ACCEPT_MIME_TYPES: Final = EmbeddedRecord(
    id="rsocket.accept_mime_types",
    slots=frozenset({"rsocket.metadata"}),
    types=frozenset({"message/x.rsocket.accept-mime-types.v0"}),
    record=Record(
        field("mime_types", Many(Record(MIME_TYPE)), "MIME types, in order of preference.")
    ),
    sure=never,
    whole="mime_types",
)
