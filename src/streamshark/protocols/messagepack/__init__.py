"""MessagePack: compact binary objects, in bodies that are said to be of its type, or look like it.

Document: spec.md of msgpack/msgpack, state of 2017 (with bin, ext and the timestamp extension).
Reference implementation: msgpack 1.2.4 (Python), which wrote the vectors.
Versions: one; the layout before 2013, which has no bin, str 8 and ext, is a part of it.
A str that is not UTF-8 is shown as bytes, for then there was one type for both.
Left out on purpose: what extension types mean. They are shown with their number and bytes.
"""

from streamshark.decoding.lazy import function
from streamshark.decoding.payloads import ANY, Format

FORMAT = Format(
    id="messagepack",
    title="MessagePack",
    card=__doc__,
    slots=frozenset({ANY}),
    decode=function(__name__, "value.decode"),
    sure=function(__name__, "value.sure"),
    leaves=function(__name__, "leaves.leaves"),
    fields=function(__name__, "fields.fields"),
    types=frozenset({"application/msgpack", "application/x-msgpack", "application/vnd.msgpack"}),
)
