"""JSON: objects and arrays in bodies that do not say what they are.

Document: RFC 8259.
Reference implementation: Python's `json`, held to the document: no NaN, no Infinity.
Versions: one.
Left out on purpose: a number, a text or a word alone, which is shown as text; what cannot be shown
again without a loss (an object with one name twice, a number too large for a double) and what is
over a megabyte, which are shown as text, too.
"""

from streamshark.decoding.lazy import function
from streamshark.decoding.payloads import ANY, Format

FORMAT = Format(
    id="json",
    title="JSON",
    card=__doc__,
    slots=frozenset({ANY}),
    decode=function(__name__, "value.decode"),
    sure=function(__name__, "value.sure"),
    leaves=function(__name__, "leaves.leaves"),
    fields=function(__name__, "fields.fields"),
    encode=function(__name__, "value.encode"),
    types=frozenset({"application/json"}),
)
