"""CBOR: concise binary objects, in bodies that are said to be of its type, or look like it.

Document: RFC 8949 (STD 94).
Reference implementation: cbor2 6.2.1, and the examples of the document's appendix A.
Versions: one.
Left out on purpose: what tags mean. They are shown with their number and the value below them, so
that no bytes can ask for the shared values, patterns and huge numbers that some tags denote.
"""

from streamshark.decoding.lazy import function
from streamshark.decoding.payloads import ANY, Format

FORMAT = Format(
    id="cbor",
    title="CBOR",
    card=__doc__,
    slots=frozenset({ANY}),
    decode=function(__name__, "value.decode"),
    sure=function(__name__, "value.sure"),
    leaves=function(__name__, "leaves.leaves"),
    fields=function(__name__, "fields.fields"),
    types=frozenset({"application/cbor"}),
)
