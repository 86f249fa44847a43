"""Whether what a fault is to do is possible in its protocol: fields, codes and frames by name."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Final

from streamshark.decoding.decoder import Decoder
from streamshark.errors import StreamsharkError
from streamshark.protocols.catalog import catalog
from streamshark.protocols.grpc.codes import Status
from streamshark.protocols.protocol import Protocol
from streamshark.schema import Sender

CODES: Final = ("code", "response_code", "error_code")
"""Names of the members that have a code."""
GRPC: Final = "grpc"


def field_path(prefix: str, field: str) -> tuple[str, ...]:
    """Return the names that lead to a field in a frame.

    >>> field_path("nats.msg", "nats.msg.subject"), field_path("nats.msg", "subject")
    (('subject',), ('subject',))
    """
    short = prefix.partition(".")[0]
    rest = field.removeprefix(f"{prefix}.")
    return tuple((rest if rest != field else field.removeprefix(f"{short}.")).split("."))


def check_field(protocol: Protocol, field: str) -> None:
    """Raise `StreamsharkError` if no frame of a protocol has such a field."""
    known: dict[str, None] = {}
    for decoder in _decoders(protocol):
        path = field_path(decoder.tree.prefix, field)
        for node in decoder.tree.nodes:
            if node.path == path:
                return
            if node.name is not None:
                known[".".join((decoder.tree.prefix, *node.path))] = None
    raise StreamsharkError(f"{protocol.title} has no field {field!r}{like(field, known)}")


def check_sent(protocol: Protocol, command: str) -> None:
    """Raise `StreamsharkError` if `send` cannot send a frame to clients."""
    if protocol.wire.id in (GRPC, "liftbridge"):
        raise StreamsharkError("send is not for calls of gRPC")
    if protocol.wire.id == "nats":
        if command != "info":
            raise StreamsharkError("of NATS only info is sent")
        return
    known = dict.fromkeys(_sent_by_servers(protocol))
    if command not in known:
        raise StreamsharkError(
            f"{protocol.title} has no frame {command!r} of a server{like(command, known)}"
        )


def code_of(protocol: Protocol, code: int | str) -> int | str:
    """Return the code of an error as the frames of a protocol have it: a number for a name.

    Raises:
        StreamsharkError: The protocol has no such code.
    """
    match protocol.wire.id:
        case "nats":
            return code
        case "pravega":
            check_sent(protocol, str(code))
            return code
        case "grpc" | "liftbridge":
            return grpc_status(code)
    if not isinstance(code, str):
        return code
    names = _code_names(protocol)
    if code.lower() not in names:
        near = like(code.lower(), names)
        raise StreamsharkError(f"error {code}: expected a number, or the name of a code{near}")
    return names[code.lower()]


def grpc_status(code: int | str) -> int:
    """Return the number of an error of gRPC, given by number or name.

    >>> grpc_status("unavailable")
    14

    Raises:
        StreamsharkError: There is no such error.
    """
    errors = {each.name.lower(): each.value for each in Status if each > Status.OK}
    number = errors.get(code.lower()) if isinstance(code, str) else code
    if number is None or number not in errors.values():
        raise StreamsharkError(f"error {code}: expected 1 to 16, or one of {', '.join(errors)}")
    return number


def _decoders(protocol: Protocol) -> Iterator[Decoder]:
    """Yield the decoders of all frames to which faults of a protocol may be done."""
    yield from protocol.wire.table().all
    for each in catalog() if protocol.wire.id == GRPC else (protocol,):
        yield from (record.decoder for record in each.embedded_records)


def _sent_by_servers(protocol: Protocol) -> Iterator[str]:
    """Yield the commands of frames that a server may send."""
    for each in protocol.wire.table().all:
        if each.schema.sender is not Sender.CLIENT:
            yield each.schema.name


def _code_names(protocol: Protocol) -> dict[str, int]:
    """Return the codes of a protocol by their names."""
    return {
        name: number
        for decoder in protocol.wire.table().all
        for node in decoder.tree.nodes
        if node.name in CODES
        for number, name in (node.facts.names or {}).items()
    }


def like(wrong: str, known: Iterable[str]) -> str:
    """Return the end of a sentence about a wrong name: the one that is most like it."""
    near = get_close_matches(wrong, list(known), 1)
    return f"; did you mean {near[0]!r}?" if near else ""
