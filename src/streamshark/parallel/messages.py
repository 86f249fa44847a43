"""Messages between the parent and the workers, over pipes, as `marshal` writes them.

A worker sends `KEYS` of each block of windows, which say where its rows belong; the parent answers
with `RELEASE`, the numbers of those whose order is final; the worker then sends their `TEXT`.
"""

import marshal
from typing import TYPE_CHECKING, Any, NamedTuple

from streamshark.framing.splitter import At

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

KEYS, TEXT, DONE, DEPENDENT, RELEASE, FINISH = range(6)
"""First members of messages: the first four come from workers, the others from the parent."""

Key = tuple[int, int, int, int, int, int, int, int, int]
"""Time in ns, file, packet, flow and offset of a row, its place among those of its worker, the
worker, bytes of the frame (-1 for an event), and the length of its longer address."""

Window = tuple[list[Key], At | None]
"""Rows of a window of packets, and from which packet on others may follow."""


class Others(NamedTuple):
    """What a view has to know of rows that other processes show before its next one."""

    at: int
    """Number of its rows before which it matters, of those released together."""
    packet: int
    """The greatest packet number of all rows before."""
    width: int
    """Length of the longest address of all rows before."""
    time_ns: int
    """Time in ns of the row before."""


class Keys(NamedTuple):
    """Rows of a block of windows of one worker."""

    windows: list[Window]
    load: tuple[int, ...]
    """See `splits.connection_share.Load`."""
    packets: int
    """Packets read so far."""
    is_last: bool
    """Whether the captures end here."""


class Release(NamedTuple):
    """Rows whose order is final, in order."""

    numbers: list[int]
    """Number of each frame; 0 for events."""
    others: list[Others]


def send(link: "Connection", kind: int, *content: Any) -> None:  # noqa: ANN401 - plain values
    """Send a message of plain values."""
    link.send_bytes(marshal.dumps((kind, *content)))


def opened(message: bytes) -> tuple[Any, ...]:
    """Return the kind and the content of a message."""
    content: tuple[Any, ...] = marshal.loads(message)  # noqa: S302 - from our own process
    return content
