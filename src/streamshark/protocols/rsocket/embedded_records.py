"""Every record that may be in metadata."""

from typing import Final

from streamshark.protocols.rsocket.authentication import AUTHENTICATION
from streamshark.protocols.rsocket.composite_metadata import COMPOSITE_METADATA
from streamshark.protocols.rsocket.mime_types import ACCEPT_MIME_TYPES, DATA_MIME_TYPE
from streamshark.protocols.rsocket.routing import ROUTING
from streamshark.protocols.rsocket.tracing import TRACING

EMBEDDED_RECORDS: Final = (
    COMPOSITE_METADATA,
    ROUTING,
    AUTHENTICATION,
    DATA_MIME_TYPE,
    ACCEPT_MIME_TYPES,
    TRACING,
)
