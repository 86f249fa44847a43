"""All connections by number: those that are followed as they are, the others in a few bytes.

What is known of a connection that was let go is packed, so that its addresses and what was counted
can still be told; some eighty bytes each.
"""

import marshal
from array import array
from collections.abc import Sequence
from itertools import islice
from typing import overload

from streamshark.flows.segment import Flow, Trouble

_COUNTS = ("first_packet", "first_file", "packets", "payload", "repeated", "copies", "copied",
           "encrypted", "decrypted", "ignored")  # fmt: skip
_TROUBLES = ("retransmissions", "out_of_order", "zero_windows")
_LIVE = 0
"""Stands for the place of a flow that is not packed; none begins there."""


class FlowTable(Sequence[Flow]):
    """Flows by number; one that was let go is made anew each time that it is asked for."""

    def __init__(self) -> None:
        self._live: dict[int, Flow] = {}
        self._places = array("Q")
        """Of each flow, where it begins among the packed ones."""
        self._packed = bytearray(1)

    @property
    def live(self) -> int:
        """How many are followed."""
        return len(self._live)

    @property
    def followed(self) -> list[int]:
        """The numbers of those that are followed."""
        return sorted(self._live)

    def __len__(self) -> int:
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
        """A new one; its number is how many there are."""
        self._places.append(_LIVE)
        self._live[flow.number] = flow

    def put(self, flow: Flow) -> None:
        """In the place of one that was followed elsewhere."""
        self._places[flow.number] = _LIVE
        self._live[flow.number] = flow

    def take_back(self, count: int) -> None:
        """Leave only the first ones."""
        for number in range(count, len(self)):
            self._live.pop(number, None)
        del self._places[count:]

    def let_go(self, number: int) -> None:
        """Keep of a flow only what it holds now: it is not followed any more."""
        flow = self._live.pop(number, None)
        if flow is not None:
            self._places[number] = len(self._packed)
            self._packed += _packed(flow)


def _packed(flow: Flow) -> bytes:
    """A flow as bytes. What is 0, as most counts are, stands there as False, which takes one."""
    counts = [getattr(flow, name) or False for name in _COUNTS]
    troubles = [getattr(each, name) or False for each in flow.trouble for name in _TROUBLES]
    return marshal.dumps((flow.addresses, flow.client, flow.handshake_ns, *counts, *troubles))


def _opened(number: int, packed: memoryview) -> Flow:
    """The flow with whose bytes these begin."""
    addresses, client, handshake_ns, *said = marshal.loads(packed)  # noqa: S302 - our own bytes
    here, there = (int(each.rpartition(":")[2]) for each in addresses)
    counts, troubles = map(int, said[: len(_COUNTS)]), map(int, said[len(_COUNTS) :])
    one, other = (Trouble(*islice(troubles, len(_TROUBLES))) for _ in range(2))
    flow = Flow(number, addresses, (here, there), client)
    for name, count in zip(_COUNTS, counts, strict=True):
        setattr(flow, name, count)
    flow.trouble, flow.handshake_ns = (one, other), handshake_ns
    return flow
