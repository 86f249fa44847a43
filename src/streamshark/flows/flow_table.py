"""Flows of all connections by number: the open ones as objects, the others in a few bytes.

A closed or evicted connection is packed into some eighty bytes, so that its addresses and counts
remain available.
"""

import marshal
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import overload

from streamshark.flows.segment import Flow
from streamshark.flows.trouble import Trouble

_COUNTS = ("first_packet", "first_file", "packets", "payload", "repeated", "copies", "copied",
           "encrypted", "decrypted", "ignored")  # fmt: skip
_TROUBLES = ("retransmissions", "out_of_order", "zero_windows")
_LIVE = 0
"""Marks a flow that is not packed; no packed flow has this offset."""


class FlowTable(Sequence[Flow]):
    """Flows by number; a packed one is unpacked on each access."""

    def __init__(self) -> None:
        self._live: dict[int, Flow] = {}
        self._places = array("Q")
        """Offset of each flow in the packed bytes."""
        self._packed = bytearray(1)

    @property
    def live(self) -> int:
        """Number of flows that are not packed."""
        return len(self._live)

    @property
    def followed(self) -> list[int]:
        """Numbers of the flows that are not packed."""
        return sorted(self._live)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def following(self) -> int:
        """Number of the next flow."""
        return len(self._places)

    @overload
    def __getitem__(self, number: int) -> Flow: ...
    @overload
    def __getitem__(self, number: slice) -> list[Flow]: ...
    def __getitem__(self, number: int | slice) -> Flow | list[Flow]:
        if isinstance(number, slice):
            return [self[each] for each in range(len(self))[number]]
        number = range(len(self))[number]
        place = self._places[number]
        if place == _LIVE:
            return self._live[number]
        return _opened(number, memoryview(self._packed)[place:])

    def append(self, flow: Flow) -> None:
        """Add a new flow; its number must be the table's length."""
        self._places.append(_LIVE)
        self._live[flow.number] = flow

    def let_go(self, number: int) -> None:
        """Pack a flow with its present values: it is not followed any more."""
        flow = self._live.pop(number, None)
        if flow is not None:
            self._places[number] = len(self._packed)
            self._packed += _packed(flow)


class SparseFlowTable(FlowTable):
    """Flows of some connections of a reading, with any numbers.

    `number` returns the number of the flow that comes after so many others.
    """

    def __init__(self, number: Callable[[int], int]) -> None:
        super().__init__()
        self._number = number
        self._closed: dict[int, bytes] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Flow]:
        """Yield the flows in order of their numbers."""
        return (self[number] for number in sorted([*self._live, *self._closed]))

    @property
    def following(self) -> int:
        """Number of the next flow."""
        return self._number(self._count)

    def continue_with(self, number: Callable[[int], int]) -> None:
        """Forget the flows that are not followed, and number those that begin by a function."""
        self._number, self._count = number, 0
        self._closed.clear()

    @overload
    def __getitem__(self, number: int) -> Flow: ...
    @overload
    def __getitem__(self, number: slice) -> list[Flow]: ...
    def __getitem__(self, number: int | slice) -> Flow | list[Flow]:
        if isinstance(number, slice):
            return list(self)[number]
        flow = self._live.get(number)
        return _opened(number, memoryview(self._closed[number])) if flow is None else flow

    def append(self, flow: Flow) -> None:
        """Add a new flow."""
        self._live[flow.number] = flow
        self._count += 1

    def let_go(self, number: int) -> None:
        """Forget a flow: it is not followed any more."""
        flow = self._live.pop(number, None)
        if flow is not None:
            self._closed[number] = _packed(flow)


def _packed(flow: Flow) -> bytes:
    """Return a flow as bytes. Counts of 0, the most frequent, are written as False, in one byte."""
    counts = [getattr(flow, name) or False for name in _COUNTS]
    troubles = [getattr(each, name) or False for each in flow.trouble for name in _TROUBLES]
    return marshal.dumps((flow.addresses, flow.client, flow.handshake_ns, *counts, *troubles))


def _opened(number: int, packed: memoryview) -> Flow:
    """Return the flow with which these bytes begin."""
    addresses, client, handshake_ns, *values = marshal.loads(packed)  # noqa: S302 - our own bytes
    here, there = (int(each.rpartition(":")[2]) for each in addresses)
    counts, troubles = map(int, values[: len(_COUNTS)]), map(int, values[len(_COUNTS) :])
    one, other = (Trouble(*islice(troubles, len(_TROUBLES))) for _ in range(2))
    flow = Flow(number, addresses, (here, there), client)
    for name, count in zip(_COUNTS, counts, strict=True):
        setattr(flow, name, count)
    flow.trouble, flow.handshake_ns = (one, other), handshake_ns
    return flow
