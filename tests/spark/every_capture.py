"""Compares the tables of recorded captures with one reading, prints each difference, and goes on.

    python -m tests.spark.every_capture --part 2/12 --form whole --form rotated

A run of Spark reads a batch of captures in all forms, each a site of its own, and compares frames,
conversations and findings row for row with `read`, `conversations` and `check`. `--in-process` does
the tasks of a run one after the other, without Spark.
"""

import argparse
import os
import random
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from pyspark.sql import SparkSession
from tests.cluster.standalone import CONF, HOST, standalone
from tests.packets import Packet, packets, rotated, write
from tests.recorded.index import Line, lines
from tests.spark.comparison import Said, by_one_machine, by_rows
from tests.spark.local_run import each_here, rows_of

from streamshark.spark import pipeline, stages
from streamshark.spark.tables import CONVERSATIONS, FINDINGS, FRAMES

COMPARED: Final = (FRAMES, CONVERSATIONS, FINDINGS)
BATCH: Final = 40
"""Captures that one run reads, a site each, or all at one tap."""
FILES: Final = 3
"""Files of a capture that is cut."""
SHARES: Final = 2
"""Groups of connections of each site."""
SLICE: Final = 100_000
"""Bytes that a task walks over."""
FACTS: Final = 1 << 16
"""Bytes of facts that a task evaluates, so that several do."""
APART_NS: Final = 2_000_000_000
"""Time within which captures at one tap begin."""
LATE: Final = 4
"""Packets among which the order of a capture is changed."""
LENGTH: Final = 600
"""Most characters of a difference that are printed."""
MOST_SHOWN: Final = 5
"""Captures of each protocol that `--most-shown` takes."""


class Site(NamedTuple):
    """A folder of captures, whose tables equal one reading of it."""

    files: list[str]
    first: int
    """Number of files that the first run reads; the second one reads the others."""

    @property
    def name(self) -> str:
        """The name of the folder, unique in a run."""
        return Path(self.files[0]).parent.name


def whole(folder: Path, captures: Sequence[Line]) -> Iterator[Site]:
    """Yield each capture as it is."""
    for line in captures:
        yield Site([_copy(line, _place(folder, line) / line.file)], 1)


def joined(folder: Path, captures: Sequence[Line]) -> Iterator[Site]:
    """Yield captures as they are, as one archive."""
    place = _place(folder, captures[0])
    files = [_copy(each, place / f"{_label(each)}-{each.file}") for each in captures]
    yield Site(files, len(files))


def rotated_captures(folder: Path, captures: Sequence[Line]) -> Iterator[Site]:
    """Yield captures at one tap as files of a ring, the last one of which comes a night later."""
    for place, found in _merged(folder, captures):
        yield Site(rotated(place, found, FILES), FILES - 1)


def overlapping(folder: Path, captures: Sequence[Line]) -> Iterator[Site]:
    """Yield captures in files that overlap in time, as those of several taps."""
    for place, found in _merged(folder, captures):
        yield _written(place, [found[at::FILES] for at in range(FILES)])


def out_of_order(folder: Path, captures: Sequence[Line]) -> Iterator[Site]:
    """Yield captures at one tap, with packets that stand after later ones."""
    for place, found in _merged(folder, captures):
        made = random.Random(place.name)  # noqa: S311 - the same each time
        order = sorted(range(len(found)), key=lambda at: at + made.uniform(0, LATE))
        yield _written(place, [[found[at] for at in order]])


def _merged(folder: Path, captures: Sequence[Line]) -> Iterator[tuple[Path, list[Packet]]]:
    """Yield the packets of captures laid over each other in time, by link type."""
    found: dict[int, list[Packet]] = {}
    for at, line in enumerate(captures):
        known = packets(str(line.path))
        start_ns = known[0].time_ns - at * APART_NS // len(captures) if known else 0
        for each in known:
            shifted = each._replace(time_ns=each.time_ns - start_ns)
            found.setdefault(each.link, []).append(shifted)
    for link, some in found.items():
        place = _place(folder, captures[0])
        yield place.with_name(f"{place.name}-{link}"), sorted(some, key=lambda each: each.time_ns)


FORMS: Final[dict[str, Callable[[Path, Sequence[Line]], Iterator[Site]]]] = {
    "whole": whole,
    "joined": joined,
    "rotated": rotated_captures,
    "overlapping": overlapping,
    "out-of-order": out_of_order,
}


def _label(line: Line) -> str:
    return line.capture.replace("/", ".")


def _place(folder: Path, line: Line) -> Path:
    return folder / f"{folder.name}.{_label(line)}"


def _copy(line: Line, path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    return str(shutil.copy(line.path, path))


def _written(folder: Path, parts: Sequence[Sequence[Packet]]) -> Site:
    files = [write(folder / f"{at:03}.pcap", part) for at, part in enumerate(parts)]
    return Site(files, len(files))


def batches(captures: Sequence[Line], most: int) -> Iterator[Sequence[Line]]:
    """Yield the captures, so many at a time."""
    for at in range(0, len(captures), most):
        yield captures[at : at + most]


def compare(spark: SparkSession | None, out: Path, sites: Sequence[Site]) -> dict[str, str]:
    """Return the difference between the tables of each site and one reading; empty if equal."""
    first = [name for each in sites for name in each.files[: each.first]]
    for files in (first, [name for each in sites for name in each.files]):
        options = pipeline.RunOptions(
            tuple(files), str(out), COMPARED, site="folder", shares=SHARES, time_slice=SLICE,
            fields=True,
        )  # fmt: skip
        pipeline.run(spark, options)  # type: ignore[arg-type] # None if `--in-process`
    by_site: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for table, rows in rows_of(out, COMPARED).items():
        for row in rows:
            site = by_site.setdefault(row.pop("site"), {each: [] for each in COMPARED})
            site[table].append(row)
    empty: dict[str, list[dict[str, Any]]] = {each: [] for each in COMPARED}
    return {
        each.name: difference(by_rows(by_site.get(each.name, empty)), by_one_machine(each.files))
        for each in sites
    }


def difference(found: Said, wanted: Said) -> str:
    """Return what differs first, or an empty text."""
    for table, own, other in zip(found._fields, found, wanted, strict=True):
        if own != other:
            more, less = sorted({*own} - {*other}), sorted({*other} - {*own})
            return (
                f"{table}: {len(own)} rows, {len(other)} in one reading\n"
                f"    {len(more)} others, as {''.join(more[:1])[:LENGTH]}\n"
                f"    {len(less)} missing, as {''.join(less[:1])[:LENGTH]}"
            )
    return ""


def chosen(options: argparse.Namespace) -> list[Line]:
    """Return the captures that are named, or those of a part, `2/5` for the second of five."""
    if options.captures:
        return [lines()[each] for each in options.captures]
    known = [each for each in lines().values() if each.frames <= options.most_frames]
    if options.most_shown:
        by_protocol: dict[str, list[Line]] = {}
        for line in sorted(known, key=lambda each: -len(each.shows)):
            by_protocol.setdefault(line.protocol, []).append(line)
        known = [line for some in by_protocol.values() for line in some[:MOST_SHOWN]]
    at, of = map(int, options.part.split("/"))
    return known[at - 1 :: of]


def main() -> int:
    """Compare some captures; return 1 if any differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("captures", nargs="*", help="protocol/scenario; all of --part without")
    parser.add_argument("--part", default="1/1", help="2/5 for the second of five parts")
    parser.add_argument("--most-shown", action="store_true", help="few captures that show most")
    parser.add_argument("--form", action="append", choices=FORMS, help="all without")
    parser.add_argument("--most-frames", type=int, default=1 << 40, help="leave larger ones out")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--in-process", action="store_true", help="do without Spark")
    parser.add_argument("--cluster", action="store_true", help="use a cluster of two workers")
    parser.add_argument("--conf", action="append", default=[], help="NAME=VALUE, as of Spark")
    options = parser.parse_args()
    stages.FACTS = FACTS
    captures = chosen(options)
    with ExitStack() as stack:
        if options.in_process:
            stages.each_of = each_here
            pipeline._summary = lambda *_: None  # it counts rows by Spark
            return compare_all(None, captures, options.form or FORMS)
        conf, master = {"spark.sql.shuffle.partitions": "2"}, options.master
        if options.cluster:
            master = stack.enter_context(
                standalone(Path(stack.enter_context(TemporaryDirectory())))
            )
            conf |= CONF
            os.environ |= HOST
        conf |= dict(each.split("=", 1) for each in options.conf)
        with pipeline.session(master, **conf) as spark:
            return compare_all(spark, captures, options.form or FORMS)


def compare_all(spark: SparkSession | None, captures: Sequence[Line], forms: Iterable[str]) -> int:
    """Compare captures in some forms, and print what differs; return 1 if anything does."""
    differing = compared = 0
    for some in batches(captures, BATCH):
        start = time.monotonic()
        with TemporaryDirectory(ignore_cleanup_errors=True) as name:  # a task may still write
            folder = Path(name)
            sites = [site for form in forms for site in FORMS[form](folder / form, some)]
            found = compare(spark, folder / "tables", sites)
        compared += len(found)
        for site, told in found.items():
            print(f"{'differs' if told else 'equal'} {site}", *filter(None, [told]), flush=True)
            differing += bool(told)
        print(f"{len(found)} sites in {time.monotonic() - start:.0f} s", flush=True)
    print(f"{compared} sites, {differing} differ")
    return 1 if differing or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
