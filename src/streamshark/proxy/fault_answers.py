"""Frames that a fault sends to the client in the place of the server, or beside it."""

from contextlib import suppress
from typing import Any, Final

from streamshark.decoding.amending import amended
from streamshark.dissection.row import FrameRow
from streamshark.errors import StreamsharkError
from streamshark.framing.frame_names import FrameName, decoders_of
from streamshark.framing.wire_format import WireFormat
from streamshark.proxy.fault_checks import CODES
from streamshark.proxy.link import SERVER
from streamshark.schema import nodes
from streamshark.schema.encoding import encoded
from streamshark.schema.value_checks import EncodingError

REASON: Final = "fault of the proxy"
_IDS: Final = ("correlation_id", "request_id", "stream_id", "flags")
"""Names of the members that every answer has."""
_LAME_DUCK: Final = b'"ldm":true'


def error_answer(row: FrameRow, side: int, frame: bytes, code: int | str) -> bytes:
    """Return the answer with an error that the client gets.

    A response of the server gets the code; a request is answered with it, and goes no further.

    Raises:
        StreamsharkError: There is no such answer to the frame.
    """
    if row.decoder is None:
        raise StreamsharkError("a frame of an unknown command")
    wire, command = row.connection.table.wire, row.decoder.tree.schema.name
    match wire.id:
        case "nats":
            return _of_nats(row, side, code)
        case "rsocket":
            fields = {"stream_id": row.values.get("stream_id", 0), "flags": 0}
            return _written(wire, "error", {**fields, "error_data": REASON}, code)
        case "pravega":
            return _written(wire, str(code), row.values, 0)
    if side == SERVER:
        return amended(row.decoder, frame, {("response_code",): code})
    if command == "publish":
        ids = [each["publishing_id"] for each in row.values["published_messages"]]
        errors = [{"publishing_id": each, "code": code} for each in ids]
        fields = {"publisher_id": row.values["publisher_id"], "publishing_errors": errors}
        return _written(wire, "publish_error", fields, code)
    name = FrameName(command, "response", None, row.version)
    return _filled(decoders_of(wire, name)[0].tree, row.values, code)


def sent_frame(row: FrameRow, frame: bytes, command: str, code: int | str) -> bytes:
    """Return a frame of the server with the members of another one, as far as it has them.

    Of NATS it is the INFO of a server in lame duck mode.

    Raises:
        StreamsharkError: There is no such frame.
    """
    wire = row.connection.table.wire
    if wire.id != "nats":
        return _written(wire, command, row.values, code)
    end = frame.rfind(b"}")
    if command != "info" or row.command != "info" or end < 0:
        raise StreamsharkError("of NATS only INFO is sent, for INFO")
    comma = b"" if frame[:end].rstrip().endswith(b"{") else b","
    return frame[:end] + comma + _LAME_DUCK + frame[end:]


def _of_nats(row: FrameRow, side: int, code: int | str) -> bytes:
    """Return -ERR; in the place of a message of the server one with a status, such as 503."""
    if side != SERVER or row.command not in ("msg", "hmsg"):
        return f"-ERR '{code}'\r\n".encode()
    status = f"NATS/1.0 {code}\r\n\r\n"
    size = len(status)
    line = f"HMSG {row.values['subject']} {row.values['sid']} {size} {size}\r\n"
    return f"{line}{status}\r\n".encode()


def _written(wire: WireFormat, command: str, values: dict[str, Any], code: int | str) -> bytes:
    """Return a frame of a command with the values that it has members for."""
    try:
        tree = decoders_of(wire, FrameName(command))[0].tree
    except (StreamsharkError, LookupError):
        raise StreamsharkError(f"{wire.id} has no frame {command!r}") from None
    return _filled(tree, values, code)


def _filled(tree: nodes.Tree, values: dict[str, Any], code: int | str) -> bytes:
    """Return a frame with the values that it has members for; others are left out, or are empty."""
    known: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for node in tree.nodes:
        name = node.name
        if len(node.path) != 1 or not name or name in known or name in tree.hidden:
            continue
        if name in CODES:
            known[name] = code
        elif name in values:
            known[name] = values[name]
        elif not _is_of_head(tree, node) and (type(node) in _DEFAULTS):
            is_bytes = isinstance(node, nodes.BlobNode) and node.encoding is None
            others[name] = b"" if is_bytes else _DEFAULTS[type(node)]
    least = {name: known[name] for name in known if name in CODES or name in _IDS}
    for fields in (least, known):
        with suppress(EncodingError):  # a member may not be left out, or is none of an answer
            return encoded(tree, fields)
    return encoded(tree, {**others, **known})


_DEFAULTS: Final[dict[type, Any]] = {nodes.IntNode: 0, nodes.BlobNode: ""}


def _is_of_head(tree: nodes.Tree, node: nodes.Node) -> bool:
    """Return whether the member is of the head, which follows from the others."""
    return node.name in {getattr(each, "name", None) for each in getattr(tree.head, "members", ())}
