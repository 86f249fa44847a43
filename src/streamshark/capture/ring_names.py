"""Names of the files of a ring: consecutive files have consecutive numbers.

Two kinds of programs number their files: dumpcap, with tshark and Wireshark
(`trace_00007_20261121101500.pcap`), and `tcpdump -C` (`trace.pcap7`). Source: the manual pages of
dumpcap (`-b`) and tcpdump (`-C`).
"""

import re
from typing import NamedTuple

_NUMBERED = (
    re.compile(r"(?P<before>.+_)(?P<number>\d{5,})(?P<after>_\d{14}(?:\..+)?)"),
    re.compile(r"(?P<before>.+\.p?cap(?:ng)?)(?P<number>\d+)(?P<after>(?:\.(?:gz|zst|lz4))?)"),
)
_TIME = re.compile(r"_\d{14}")


class RingName(NamedTuple):
    """What the name of a file says of its place in a ring."""

    before: str
    """The text before the number."""
    after: str
    """The text after it; `_*` stands for a time."""
    number: int
    stamp: str
    """The time, as `_20261121101500`; empty without one."""

    @property
    def series(self) -> tuple[str, str]:
        """What the names of the files of one ring have in common."""
        return self.before, self.after


def ring_name(name: str) -> RingName | None:
    """Return what a name says; None if it has no number of a ring."""
    for pattern in _NUMBERED:
        found = pattern.fullmatch(name)
        if found is not None:
            time = _TIME.match(found["after"])
            after = _TIME.sub("_*", found["after"])
            stamp = time[0] if time else ""
            return RingName(found["before"], after, int(found["number"]), stamp)
    return None
