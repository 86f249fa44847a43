"""Fields of every row, and the header fields that every protocol has, with their getters."""

from collections.abc import Mapping
from typing import Final

from streamshark.fields.field import ANNOTATION, FieldInfo, Getter
from streamshark.fields.types import FieldType, integer

_TEXT: Final = FieldType("text", "text")
_TEXTS: Final = FieldType("list of text", "text")
_NUMBER: Final = integer("number", 32)
_FRAME: Final = FieldType("number", "frame")
_SECONDS: Final = FieldType("number", "duration")
_MEMBER: Final = "member"
"""Type in words of the members of every row."""

HEADERS: Final[Mapping[str, tuple[FieldType, str]]] = {
    "command": (_TEXT, "Name of the command, the same for request and response."),
    "key": (_NUMBER, "Number on the wire that names the command."),
    "version": (_NUMBER, "Version that the frame carries, else what the connection agreed."),
    "kind": (_TEXT, "request, response or command."),
    "sender": (_TEXT, "client, server or peer, where that can be proved."),
    "correlation_id": (
        integer("number or text", 32),
        "What joins a request and its response.",
    ),
    "length": (_NUMBER, "Bytes on the wire, the length prefix included."),
    "problem": (_TEXTS, "Codes of the frame's problems."),
    "conversation": (_TEXT, "Id of the innermost conversation that the frame belongs to."),
    "request_frame": (_FRAME, "Number of the frame that this one answers, the first of several."),
    "response_frame": (_FRAME, "Number of the frame that answers this one; with -2."),
    "response_time": (_SECONDS, "Seconds since the frame that this one answers."),
}
"""Type and description of each header field, by the last part of its name."""
HEADER_UNITS: Final = {"length": "bytes", "response_time": "s"}

_MEMBERS: Final[Mapping[str, tuple[FieldType, str]]] = {
    "frame": (_FRAME, "Running number of the frame, from 1; empty for events."),
    "file": (_TEXT, "Name of the capture file."),
    "time": (FieldType("", "time"), "When the packet that completed it was captured, RFC 3339."),
    "time_ns": (integer("", 64, signed=True), "The same in nanoseconds since 1970."),
    "flow": (_NUMBER, "Number of the connection, from 0: Wireshark's tcp.stream."),
    "src": (_TEXT, "Source, address:port."),
    "dst": (_TEXT, "Destination, address:port."),
    "packets": (_NUMBER, "Numbers of the packets that carried it."),
    "protocol": (_TEXT, "Id of the protocol; tcp for events."),
    "command": (_TEXT, "Name of the command or event."),
    "key": (_NUMBER, "Number on the wire that names the command."),
    "version": (_NUMBER, "Version of the command."),
    "kind": (_TEXT, "request, response, command or event."),
    "sender": (_TEXT, "client, server or peer."),
    "correlation_id": (_TEXT, "What joins a request and its response."),
    "length": (_NUMBER, "Bytes on the wire."),
    "carrier": (_FRAME, "Number of the frame that it rode in."),
    "problems": (_TEXTS, "Codes of the problems."),
    "conversation": (_TEXT, "Id of the innermost conversation that it belongs to."),
    "request_frame": (_FRAME, "Number of the frame that this one answers."),
    "response_time_ns": (integer("", 64, signed=True), "Nanoseconds since that frame."),
    "response_frame": (_FRAME, "Number of the frame that answers this one; with -2."),
    "context": (
        FieldType("", "record"),
        "What the connection and the object of the row know, as JSON.",
    ),
    "frame.number": (_NUMBER, "As in tshark: number of the packet that completed it."),
    "frame.time_epoch": (FieldType("", "time"), "As in tshark: seconds since 1970."),
    "tcp.stream": (_NUMBER, "As in tshark: the flow."),
}
_ANNOTATIONS: Final = {
    "conversation": "conversation",
    "request_frame": "request_frame",
    "response_frame": "response_frame",
    "response_time": "response_time_ns",
    "response_time_ns": "response_time_ns",
    "context": "context",
}
"""Attribute of `Row.annotation` of each field that is one."""
_MANY: Final = frozenset({"packets", "problem", "problems"})


def _field(name: str, kind: FieldType, doc: str) -> FieldInfo:
    needs = frozenset({ANNOTATION} if name in _ANNOTATIONS else ())
    return FieldInfo(name, "", kind._replace(words=_MEMBER), doc, name in _MANY, needs=needs)


MEMBERS: Final = {name: _field(name, *row) for name, row in _MEMBERS.items()}
"""The members of every row, which are the members of its JSON, and three names of tshark's."""

_OF_ROW: Final = {
    **{
        name: f"(row.annotation.{attribute} if row.annotation else None)"
        for name, attribute in _ANNOTATIONS.items()
    },
    "time": "row.time_ns",
    "time_ns": "row.time_ns",
    "frame.time_epoch": "row.time_ns",
    "flow": "row.connection.flow.number",
    "tcp.stream": "row.connection.flow.number",
    "frame.number": "row.packet",
    "src": "row.addresses[0]",
    "dst": "row.addresses[1]",
    "sender": "row.sender",
    "packets": "row.packets",
    "problems": "[each.code.word for each in row.problems]",
    "problem": "[each.code.word for each in row.problems]",
}
"""By name, the expression of each member that frames and events have alike."""
_OF_FRAME: Final = {
    **_OF_ROW,
    "frame": "row.number",
    "protocol": "row.connection.wire.id",
    "command": "row.command",
    "key": "row.key",
    "version": "row.version",
    "kind": "row.kind",
    "correlation_id": "row.correlation_id",
    "length": "len(row.data)",
    "carrier": "(row.carrier.number if row.carrier else None)",
}
_OF_EVENT: Final = {
    **_OF_ROW,
    "protocol": "row.protocol",
    "command": "row.name",
    "kind": "'event'",
    "length": "0",
}


def member_getter(name: str, *, event: bool = False) -> Getter | None:
    """Return the getter of a member, or of a header field, from frames or from events.

    None where they have none. `file` has none here: its names are those of a reading.
    """
    expression = (_OF_EVENT if event else _OF_FRAME).get(name)
    return None if expression is None else Getter(expression, many=name in _MANY)
