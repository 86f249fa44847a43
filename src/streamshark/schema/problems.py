"""What can be wrong with the bytes of a frame: a closed list of codes, the same in every reader.

A problem is a value, never an exception. Whether a code stops the decoding (of the region that
contains it, else of the frame) is determined by the code; the others are noted and decoding
continues.
"""

from enum import Enum
from typing import NamedTuple


class ProblemCode(Enum):
    """Code, whether it stops decoding, and one sentence for the docs."""

    SHORT = ("short", True, "A field runs past the end of its frame or region.")
    TRAILING = ("trailing", False, "Bytes are left when every field has been read.")
    COUNT = ("count", False, "A list's written count differs from the items that are there.")
    CLAIM = ("claim", False, "A written number differs from what the bytes say.")
    LIMIT = ("limit", False, "A length or count is over the limit that its source gives.")
    NEGATIVE = ("negative", True, "A length or count is negative where null is not allowed.")
    NULL = ("null", False, "A value is null, which a document allows and peers refuse.")
    TEXT = ("text", False, "Text is not valid in its encoding.")
    LITERAL = ("literal", True, "Fixed bytes differ from what must stand here.")
    VERB = ("verb", True, "A text line starts with another verb.")
    ARGS = ("args", True, "A text line has too few or too many arguments.")
    NUMBER = ("number", True, "A text argument should be a decimal number and is not.")
    NO_FIT = ("nofit", True, "No layout known for this place uses up its bytes.")
    VARINT = ("varint", True, "A variable-length integer has no end or too many bytes.")
    WIRE_TYPE = ("wiretype", True, "A protobuf tag has a wire type that does not exist.")
    CHECKSUM = ("checksum", False, "A checksum differs from the one computed over the bytes.")
    CODEC = ("codec", False, "Compressed bytes cannot be unpacked, or exceed the cap.")
    VALUE = ("value", False, "A value is none of those that its format allows.")
    UNKNOWN_KEY = ("unknown_key", True, "No command has this key.")
    UNKNOWN_VERSION = ("unknown_version", True, "The command is known, this version of it is not.")
    LENGTH = ("length", True, "The frame's length is outside the limits of the protocol.")
    CARRIER = ("carrier", False, "What carries the frame is used against its rules.")
    FOREIGN = ("foreign", True, "The bytes belong to another protocol.")

    def __init__(self, word: str, stops: bool, sentence: str) -> None:  # noqa: FBT001 - enum row
        self.word = word
        self.stops = stops
        self.sentence = sentence


class Problem(NamedTuple):
    """One thing that is wrong, and where."""

    code: ProblemCode
    """What kind of problem it is."""
    node: int
    """Id of the node in the frame's tree; -1 for the frame as a whole."""
    offset: int
    """Bytes from the first byte of the frame."""
    length: int
    """Bytes concerned; 0 when it is about a place."""
    message: str
    """A sentence with the values seen."""
