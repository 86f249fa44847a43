"""Messages between the parent and the workers, over pipes, as `marshal` writes them.

The parent sends `PACKETS`, a block of batches. A worker answers with `KEYS`, which say where its
rows belong; the parent with `RELEASE`, the numbers of those whose order is final; and the worker
with their `TEXT`.
"""

import marshal
from typing import TYPE_CHECKING, Any, NamedTuple

from streamshark.framing.splitter import At

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

KEYS, TEXT, DONE, DEPENDENT, PACKETS, RELEASE, FINISH = range(7)
"""First members of messages: the first four come from workers, the others from the parent."""

Key = tuple[int, int, int, int, int, int, int, int, int]
"""Time in ns, file, packet, flow and offset of a row, its place among those of its worker, the
worker, bytes of the frame (-1 for an event), and the length of its longer address."""

Window = tuple[list[Key], At | None]
"""Rows of a batch of packets, and from which packet on others may follow."""


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
    """Rows of a block of batches of one worker."""

    windows: list[Window]
    load: tuple[int, ...]
    """See `splits.connection_share.Load`."""
    settled: list[bytes]
    """Directions of connections whose packets other workers need no longer see."""


class Release(NamedTuple):
    """Rows whose order is final, in order."""

    numbers: list[int]
    """Number of each frame; 0 for events."""
    others: list[Others]


def packed(kind: int, *content: Any) -> bytes:  # noqa: ANN401 - plain values
    """Return a message of plain values."""
    return marshal.dumps((kind, *content))


def send(link: "Connection", kind: int, *content: Any) -> None:  # noqa: ANN401 - plain values
    """Send a message of plain values."""
    link.send_bytes(packed(kind, *content))


def opened(message: bytes) -> tuple[Any, ...]:
    """Return the kind and the content of a message."""
    content: tuple[Any, ...] = marshal.loads(message)  # noqa: S302 - from our own process
    return content
