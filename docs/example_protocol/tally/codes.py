"""Numbers with names, as the document has them."""

from enum import IntEnum


class Key(IntEnum):
    """Which command a frame is."""

    ADD = 1
    ADD_RESPONSE = 2


class ResponseCode(IntEnum):
    """How a request ended."""

    OK = 0
    UNKNOWN_COUNTER = 1
