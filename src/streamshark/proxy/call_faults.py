"""Faults on the messages of gRPC calls: which fault takes one, and what changes in it."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

from streamshark.decoding.payloads import EmbeddedRecord
from streamshark.dissection.row import ConnectionRecord, FrameRow, row_of
from streamshark.errors import StreamsharkError
from streamshark.flows.segment import Flow
from streamshark.framing.splitter import PacketRef, RawFrame
from streamshark.framing.wire_format import FrameTable
from streamshark.protocols.catalog import catalog, find
from streamshark.protocols.http2 import call
from streamshark.protocols.http2.call import CallFlag, CallKind
from streamshark.proxy.fault_changes import with_changed_field
from streamshark.proxy.fault_checks import GRPC, grpc_status
from streamshark.proxy.faults import CALLED, Fault
from streamshark.proxy.link import CLIENT

REASON: Final = b"fault of the proxy"
_PLACE: Final = PacketRef([], (0, 0, 0))


class CallMessage(NamedTuple):
    """A message of a call, as its sender has sent it."""

    path: str
    content_type: str
    stream: int
    content: bytes
    """Unpacked, without the prefix."""


class CallFaults:
    """The faults of a proxy, for the messages of one connection."""

    def __init__(self, faults: Callable[[], Sequence[Fault]]) -> None:
        self._faults = faults
        self._table = _table()
        flow = Flow(0, ("client", "server"), (0, 0), client=CLIENT)
        self._record = ConnectionRecord(flow, self._table, "named")

    @property
    def are_there(self) -> bool:
        """Whether there are faults for calls."""
        return any(_is_of_calls(each) for each in self._faults())

    def taken(self, side: int, message: CallMessage) -> tuple[Fault | None, FrameRow | None]:
        """Return the fault that is done to a message, and its row."""
        row = self._row(side, message)
        taken = (each for each in self._faults() if _is_of_calls(each) and each.takes(row))
        return next(taken, None), row

    def _row(self, side: int, message: CallMessage) -> FrameRow:
        kind = CallKind.CLIENT_MESSAGE if side == CLIENT else CallKind.SERVER_MESSAGE
        head = call.head(kind, CallFlag(0), message.stream, message.content_type, message.path)
        data, table = head + message.content, self._table
        measured = table.measure(data, 0, len(data))
        selector = None if measured is None else table.selectors.get(measured[1:])
        if selector is None:
            raise StreamsharkError("not a message of gRPC")
        decoder = table.decoders[selector][0]
        raw = RawFrame(0, data, _PLACE, selector, None)
        return row_of(self._record, side, raw, decoder, decoder.skim(data))


@cache
def _table() -> FrameTable:
    return find(GRPC, catalog()).wire.table(bare=True)


def _is_of_calls(fault: Fault) -> bool:
    return fault.protocol.wire.id in (GRPC, *CALLED)


def changed_message(fault: Fault, side: int, message: CallMessage) -> bytes:
    """Return a message in which a fault has set or corrupted a field.

    Raises:
        StreamsharkError: It has no such field, or the value does not fit.
    """
    slot = "grpc.message" if side == CLIENT else "grpc.reply"
    for protocol in catalog():
        for each in protocol.embedded_records:
            if slot in each.slots and _is_of(each, message.path):
                return with_changed_field(fault.action, each.decoder, message.content)
    raise StreamsharkError(f"the messages of {message.path} are unknown")


def _is_of(record: EmbeddedRecord, path: str) -> bool:
    return path.lower() in {each.lower() for each in record.types}


def error_headers(code: int | str, *, has_answer: bool) -> list[tuple[bytes, bytes]]:
    """Return the headers that end a call with a status, by its number or name.

    Args:
        code: The status, such as 14 or `unavailable`.
        has_answer: Whether headers of the response came before.

    Raises:
        StreamsharkError: There is no such status.
    """
    number = grpc_status(code)
    first = [(b":status", b"200"), (b"content-type", b"application/grpc")]
    status = [(b"grpc-status", str(number).encode()), (b"grpc-message", REASON)]
    return [*(() if has_answer else first), *status]
