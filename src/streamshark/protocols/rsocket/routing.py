"""Routing metadata: tags that say where a request goes.

An embedded record of metadata in the MIME type `message/x.rsocket.routing.v0`. The first tag is
usually the route. Applications that put a bare string there (rsocket-js issue 72) make its first
character a length, which is seen as a field that is cut short, or as one letter too few. The
extension allows tags of 0 to 255 bytes; rsocket-java 1.1.5 leaves out empty and longer ones without
a word.

Spec: Extensions/Routing.md.
"""

from typing import Final

from streamshark.decoding.payloads import EmbeddedRecord, never
from streamshark.schema import U8, Many, Record, field, text

ROUTING: Final = EmbeddedRecord(
    id="rsocket.routing",
    slots=frozenset({"rsocket.metadata"}),
    types=frozenset({"message/x.rsocket.routing.v0"}),
    record=Record(
        field("tags", Many(text(U8)), "Tags of up to 255 bytes; the first is usually the route.")
    ),
    sure=never,
    whole="tags",
    shows="{tags}",
)
