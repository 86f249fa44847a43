"""Conditions of rules that no expression can say, each over the columns that the rule names.

The text that they return is what they found; it is empty if the condition does not hold.
"""

from collections.abc import Mapping
from typing import Any, Final

Values = Mapping[str, Any]

_NAMES: Final = {
    "metadata_mime_type": "MIME type of metadata",
    "data_mime_type": "MIME type of data",
    "error_data": "error data",
}
LENGTH: Final = 3
"""Bytes of a metadata length."""


def ends_with_null(row: Values) -> str:
    """Return the names of the texts that end with a zero byte."""
    wrong = (name for name, value in row.items() if value and value[-1] in ("\0", 0))
    return " and ".join(_NAMES.get(each, each) for each in wrong)


def repeats_length(row: Values) -> bool:
    """Return whether metadata begins with the number of the bytes that follow."""
    metadata = row["metadata"]
    return int.from_bytes(metadata[:LENGTH], "big") == len(metadata) - LENGTH
