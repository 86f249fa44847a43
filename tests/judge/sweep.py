"""Judges the captures of one protocol on any releases of Wireshark, and prints what differs.

    python -m tests.judge.sweep nats --tshark tshark --tshark /opt/4.6/tshark --part 2/5

`make test-wireshark` stops at the first file that differs, and takes hours. Here a part of the
captures is compared, the same way: frames, values, problems, links and findings in two passes, and
the messages of calls. Each file is read once, whatever the number of releases. `--what` chooses
another comparison: the Info column, the items of all bytes, display filters drawn for each capture,
or frames that are spoilt.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

os.environ.setdefault("STREAMSHARK_TSHARK", "tshark")  # all captures, not a cover
from tests.judge import (
    judging,
    test_display_filters,
    test_layout,
    test_lines,
    test_mutations,
    traffic,
)
from tests.judge.conftest import FOREVER_NS
from tests.judge.test_captures import (
    PROTOCOLS,
    differences_of,
    files_of,
    has_calls,
    has_frames,
    plugin,
)

from streamshark.conversations import shared_tables

WHAT: Final = ("frames", "columns", "bytes", "filters", "spoilt")
"""Comparisons: fields and what frames mean, the Info column, items of all bytes, display filters,
spoilt frames."""
ROUNDS: Final = 5
"""Spoilt forms of each connection."""
Judging = Callable[[Path], tuple[int, list[str]]]
"""Returns how much of a file was compared, and what differs."""
SHOWN: Final = 20
"""Most differences of a file that are printed."""
LENGTH: Final = 300
"""Most characters of one."""


class Own:
    """Our reading of a file, kept for the next release that is compared with it."""

    def __init__(self) -> None:
        self.read = judging.own
        self.key: object = None
        self.result: Any = None

    def __call__(self, capture: Path, protocol: Any, *, sound: bool) -> Any:  # noqa: ANN401
        """See `judging.own`."""
        key = capture, protocol.wire.id, sound, judging.codecs()
        if key != self.key:
            self.key, self.result = key, self.read(capture, protocol, sound=sound)
        return self.result


def chosen(name: str, part: str, scenarios: list[str], *, cover: bool = False) -> Iterator[Path]:
    """Yield the captures of a part, `2/5` for the second of five, or those that are named.

    With a `cover` the parts are of few captures that show together all kinds of frames.
    """
    at, of = map(int, part.split("/"))
    every = traffic.captures(name)
    every = traffic.few(name, every, by_bytes=True) if cover else every
    if scenarios:
        yield from (path for path in every if path.parent.name in scenarios)
    else:
        yield from every[at - 1 :: of]


def judged(file: Path, programs: list[str], differences: Judging) -> tuple[int, int]:
    """Return how many frames of a file were compared, and how many releases differ."""
    frames = differing = 0
    for program in programs:
        judging.PROGRAM = program
        judging.release.cache_clear()
        release = ".".join(map(str, judging.release()))
        if judging.release() >= (4, 4) and file.parent.name in traffic.SENT_AGAIN:
            continue
        try:
            count, told = differences(file)
        except Exception as error:  # noqa: BLE001 - the next file is compared all the same
            count, told = 0, [f"{type(error).__name__}: {error}"]
        frames += count
        differing += bool(told)
        say(f"{release} {file}: {count} compared, {len(told)} differ")
        for each in told[:SHOWN]:
            say("    " + each[:LENGTH].replace("\n", " "))
    return frames, differing


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def tasks(
    what: str, name: str, captures: list[Path], folder: Path, *, apart: bool
) -> Iterator[tuple[Path, Judging]]:
    """Yield the files that are compared, and how."""
    if what == "spoilt":
        yield spoilt(name, captures, folder / "spoilt.pcap")
    elif what == "columns":
        shown = test_lines.listed(captures)
        for file in shown if apart else traffic.joined(shown, folder):
            yield file, lambda one: test_lines.differences_of(one, name)
    elif what == "filters":
        for file in captures:
            yield file, lambda one: test_display_filters.differences_of(one, folder)
    elif what == "bytes":
        for file in captures if apart else traffic.joined(captures, folder):
            yield file, lambda one: test_layout.differences_of(one, name)
    else:
        own = [path for path in captures if has_frames(path)]
        for file in own if apart else files_of(name, own, folder):
            yield file, lambda one: differences_of(one, name)
        for file in filter(has_calls, captures):
            yield file, lambda one: judging.compare_calls(one, PROTOCOLS[name], plugin(name))


def spoilt(name: str, captures: list[Path], file: Path) -> tuple[Path, Judging]:
    """Return a file with spoilt forms of all connections, in which no plugin fails."""
    whole = [path for path in captures if traffic.is_whole(path) and not traffic.is_tls(path)]
    count, packets = test_mutations.spoilt(name, whole, ROUNDS)

    def errors(one: Path) -> tuple[int, list[str]]:
        test_mutations.problems_in(name, packets, one)
        return count, []

    return file, errors


def main() -> int:
    """Judge what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("protocol", choices=PROTOCOLS)
    parser.add_argument("scenarios", nargs="*", help="names of captures; all if none is named")
    parser.add_argument("--what", choices=WHAT, default=WHAT[0], help="what is compared")
    parser.add_argument("--tshark", action="append", help="a program; several times for several")
    parser.add_argument("--part", default="1/1", help="2/5: the second fifth of the captures")
    parser.add_argument("--cover", action="store_true", help="few captures with all frames")
    parser.add_argument("--apart", action="store_true", help="do not join captures in one file")
    given = parser.parse_args()
    name, programs = given.protocol, given.tshark or [judging.PROGRAM]
    vars(shared_tables)["HOUR_NS"] = FOREVER_NS
    judging.own = Own()
    captures = list(chosen(name, given.part, given.scenarios, cover=given.cover))
    frames = differing = 0
    start = time.process_time()
    with TemporaryDirectory() as folder:
        for file, differences in tasks(given.what, name, captures, Path(folder), apart=given.apart):
            count, wrong = judged(file, programs, differences)
            frames, differing = frames + count, differing + wrong
    seconds = time.process_time() - start
    say(f"{len(captures)} captures, {frames} compared, {differing} differences, {seconds:.0f} s")
    return min(differing, 1)


if __name__ == "__main__":
    sys.exit(main())
