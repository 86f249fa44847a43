"""Display filters in Wireshark's language: parsed, typed by the registry of fields, compiled.

from streamshark.filters import compile

is_publish = compile('rmqstream.command == "publish"')
rows = [row for row in streamshark.open("capture.pcapng").rows() if is_publish(row)]
"""

from streamshark.filters.error import FilterError
from streamshark.filters.filter import Filter, compile  # noqa: A004 - as of `re`

__all__ = ["Filter", "FilterError", "compile"]
