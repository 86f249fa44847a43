"""Text: UTF-8 without control characters, in bodies that do not say what they are.

Document: RFC 3629 (UTF-8).
Reference implementation: Python's decoder.
Versions: one.
Left out on purpose: other encodings, which bytes do not show; control characters but for
tabs and ends of lines, which text that people write does not have.
"""

from streamshark.decoding.lazy import function
from streamshark.decoding.payloads import ANY, Format

FORMAT = Format(
    id="text",
    title="Text",
    card=__doc__,
    slots=frozenset({ANY}),
    decode=function(__name__, "utf8.decode"),
    sure=function(__name__, "utf8.sure"),
    leaves=function(__name__, "leaves.leaves"),
    encode=function(__name__, "utf8.encode"),
    types=frozenset({"text/plain"}),
)
