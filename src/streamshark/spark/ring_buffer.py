"""Missing files of a ring buffer: consecutive files have consecutive numbers.

Other names have no numbers, so that no file is reported as missing.
"""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import PurePath

from streamshark.capture.ring_names import ring_name
from streamshark.splits.inputs import UnreadableInput


def missing(fresh: Iterable[str], known: Iterable[str]) -> list[UnreadableInput]:
    """Return the files missing before new files; `known` are the names of earlier ones."""
    series: dict[tuple[str, str], dict[int, str]] = {}
    new = set(fresh)
    for name in sorted({*new, *known}):
        found = ring_name(name)
        if found is not None:
            series.setdefault(found.series, {})[found.number] = name
    return [
        _hole(files, one, other)
        for files in series.values()
        for one, other in pairwise(sorted(files))
        if other > one + 1 and files[other] in new
    ]


def _hole(files: dict[int, str], one: int, other: int) -> UnreadableInput:
    found = ring_name(files[one])
    before, after = found.series if found else ("", "")
    width = len(files[one]) - len(before) - len(after) if "*" not in after else 5
    names = f"{PurePath(files[one]).name} and {PurePath(files[other]).name}"
    count = other - one - 1
    what = "a file is" if count == 1 else f"{count} files are"
    return UnreadableInput(
        f"{before}{one + 1:0{width}}{after}", f"missing: {what} not there between {names}", 0
    )
