"""Signs of trouble in the packets of connections: zero windows and retransmissions."""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

MOST_SIGNS = 8192
"""Fewest signs of trouble of a reading that are remembered by packet: more than it is ahead of the
rows that it has made."""


class Sign(NamedTuple):
    """A sign of trouble in a packet: a zero window, or else a retransmission."""

    at: tuple[int, int, int]
    """Time in ns, file and number of the packet."""
    is_zero_window: bool


@dataclass(slots=True)
class Trouble:
    """Signs of trouble in the packets of one side, in the network or in the sending program."""

    retransmissions: int = 0
    """Packets with payload that had been seen before; without keep-alive probes and duplicates."""
    out_of_order: int = 0
    """Packets with payload that later packets had overtaken: reordered, or retransmitted after a
    loss upstream of the capture."""
    zero_windows: int = 0
    """Packets with a zero window: the program on this side reads too slowly. Without SYN, FIN and
    RST, as in Wireshark's tcp.analysis.zero_window."""
    zero_window: tuple[int, int] = field(default=(0, 0), kw_only=True)
    """File and number of the last of them; 0 and 0 without one."""
    signs: "list[Sign]" = field(default_factory=list, kw_only=True, repr=False, compare=False)
    """The latest zero windows and retransmissions, by packet."""
    dropped: int = field(default=0, kw_only=True, repr=False, compare=False)
    """Number of earlier signs, which are only counted."""
    before: "Trouble | None" = field(default=None, kw_only=True, repr=False, compare=False)
    """The counts of those; None without any."""

    def add(self, later: "Trouble") -> None:
        """Add the signs of later packets."""
        self.retransmissions += later.retransmissions
        self.out_of_order += later.out_of_order
        self.add_zero_windows(later)
        if later.before is not None:
            self.drop(len(self.signs))
            self.dropped += later.dropped
            self.before = self.counts_before()
            self.before.retransmissions += later.before.retransmissions
            self.before.add_zero_windows(later.before)
        self.signs += later.signs

    def add_zero_windows(self, later: "Trouble") -> None:
        """Add the zero windows of later packets."""
        self.zero_windows += later.zero_windows
        if later.zero_windows:
            self.zero_window = later.zero_window

    def see_zero_window(self, at: tuple[int, int, int]) -> None:
        """Count a zero window in a packet, given by its time in ns, file and number."""
        self.zero_windows += 1
        self.zero_window = at[1:]
        self.signs.append(Sign(at, is_zero_window=True))

    def see_retransmission(self, at: tuple[int, int, int]) -> None:
        """Count a retransmission in a packet, given by its time in ns, file and number."""
        self.retransmissions += 1
        self.signs.append(Sign(at, is_zero_window=False))

    @property
    def total(self) -> int:
        """Number of zero windows and retransmissions that were seen by packet."""
        return self.dropped + len(self.signs)

    def drop(self, count: int) -> None:
        """Only count the first `count` signs."""
        earlier = self.signs[:count]
        if not earlier:
            return
        self.before = self.counts_before()
        for sign in earlier:
            self.before.count(sign)
        del self.signs[:count]
        self.dropped += len(earlier)

    def counts_before(self) -> "Trouble":
        """Return a record with the counts of the signs that were dropped."""
        if self.before is None:
            return Trouble()
        zero = self.before.zero_window
        return Trouble(
            self.before.retransmissions, zero_windows=self.before.zero_windows, zero_window=zero
        )

    def count(self, sign: "Sign") -> None:
        """Count a sign of another record of the same side."""
        if sign.is_zero_window:
            self.zero_windows += 1
            self.zero_window = sign.at[1:]
        else:
            self.retransmissions += 1


class RecentSigns:
    """The latest signs of trouble of a reading's connections: earlier ones are only counted."""

    def __init__(self) -> None:
        self._of: list[Trouble] = []
        """The side of each sign, in order."""

    def add(self, trouble: Trouble) -> None:
        """Note that a sign of a side was added."""
        self._of.append(trouble)
        if len(self._of) >= 2 * MOST_SIGNS:
            earlier = self._of[:MOST_SIGNS]
            del self._of[:MOST_SIGNS]
            counts = Counter(map(id, earlier))
            for each in earlier:
                each.drop(counts.pop(id(each), 0))
