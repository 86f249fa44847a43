"""Types of the data on single streams, if their metadata overrides the connection's type.

A frame may state the type of its sender's data on its stream, and the types that its sender
accepts. The first applies to the sender from that frame on; the second to its peer, if it is a
single type: of several, the peer may choose any, so the type is unknown until the peer states its
own.

Metadata is decoded here only if its bytes may state a type (`StreamTypes.hint`).
"""

from typing import TYPE_CHECKING, Any, Final

from streamshark.decoding.payloads import Agreed, PayloadReaders, cells, declared_types
from streamshark.framing.wire_format import StreamTypes

if TYPE_CHECKING:
    from streamshark.decoding.decoder import Decoder
    from streamshark.dissection.row import FrameRow

MOST_STREAMS: Final = 65_536
"""Most streams of a connection with a known type; the oldest are dropped first."""


class AnnouncedTypes:
    """The types that the streams of one session have announced."""

    def __init__(self, given: StreamTypes) -> None:
        self.given = given
        self._layers = PayloadReaders([given.own, given.accepted, *given.around])
        self._declared: dict[tuple[bool, Any], str | None] = {}
        """Type by sender (True for the client) and stream; None if it may be any of several."""

    def see(self, row: "FrameRow", *, client: bool) -> None:
        """Set the type of a frame's stream in its negotiated values, by all frames up to it."""
        given, decoder = self.given, row.decoder
        if decoder is None:
            return
        stream = row.values.get(given.by)
        metadata = row.values.get(given.metadata)
        if self._declared and row.command in given.opens:
            self._declared.pop((True, stream), None)
            self._declared.pop((False, stream), None)
        if row.whole is not None:
            metadata = row.whole.parts.get(given.metadata) if row.complete else None
        if metadata and given.hint.search(metadata):
            self._learn(decoder, metadata, row.agreed, (client, stream))
        key = client, stream
        if key in self._declared:
            row.agreed = {**row.agreed, given.agreement: self._declared[key]}

    def _learn(
        self, decoder: "Decoder", metadata: bytes, agreed: Agreed, key: tuple[bool, Any]
    ) -> None:
        """Remember the types that metadata states."""
        client, stream = key
        own, accepted = None, None
        record = {self.given.metadata: metadata}
        for cell in cells(decoder.tree, record, agreed):
            for embedded, found in self._layers.embedded_records(cell, agreed):
                types = declared_types(embedded, found)
                if embedded is self.given.own and types:
                    own = types[0]
                elif embedded is self.given.accepted and types:
                    accepted = types
        if accepted is not None:
            self._put((not client, stream), accepted[0] if len(accepted) == 1 else None)
        if own is not None:
            self._put((client, stream), own)

    def _put(self, key: tuple[bool, Any], declared: str | None) -> None:
        self._declared.pop(key, None)
        self._declared[key] = declared
        if len(self._declared) > MOST_STREAMS:
            del self._declared[next(iter(self._declared))]
