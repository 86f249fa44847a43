"""Missing files of a ring buffer: consecutive files have consecutive numbers.

Two kinds of programs number their files: dumpcap, with tshark and Wireshark
(`trace_00007_20261121101500.pcap`), and `tcpdump -C` (`trace.pcap7`). Other names have no numbers,
so that no file is reported as missing. Source: the manual pages of dumpcap (`-b`) and tcpdump
(`-C`).
"""

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import PurePath

from streamshark.splits.inputs import UnreadableInput

_NUMBERED = (
    re.compile(r"(?P<before>.+_)(?P<number>\d{5,})(?P<after>_\d{14}(?:\..+)?)"),
    re.compile(r"(?P<before>.+\.p?cap(?:ng)?)(?P<number>\d+)(?P<after>(?:\.(?:gz|zst|lz4))?)"),
)
_TIME = re.compile(r"_\d{14}")


def missing(fresh: Iterable[str], known: Iterable[str]) -> list[UnreadableInput]:
    """Return the files missing before new files; `known` are the names of earlier ones."""
    series: dict[tuple[str, str], dict[int, str]] = {}
    new = set(fresh)
    for name in sorted({*new, *known}):
        number = _number(name)
        if number is not None:
            series.setdefault(number[:2], {})[number[2]] = name
    return [
        _hole(files, one, other)
        for files in series.values()
        for one, other in pairwise(sorted(files))
        if other > one + 1 and files[other] in new
    ]


def _number(name: str) -> tuple[str, str, int] | None:
    """Return the text before and after a file's number, and the number; None without one."""
    for pattern in _NUMBERED:
        found = pattern.fullmatch(name)
        if found is not None:
            return found["before"], _TIME.sub("_*", found["after"]), int(found["number"])
    return None


def _hole(files: dict[int, str], one: int, other: int) -> UnreadableInput:
    before, after, _ = _number(files[one]) or ("", "", 0)
    width = len(files[one]) - len(before) - len(after) if "*" not in after else 5
    names = f"{PurePath(files[one]).name} and {PurePath(files[other]).name}"
    count = other - one - 1
    what = "a file is" if count == 1 else f"{count} files are"
    return UnreadableInput(
        f"{before}{one + 1:0{width}}{after}", f"missing: {what} not there between {names}", 0
    )
