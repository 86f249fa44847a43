"""Measures display filters: their predicates, reading with them, checking, completion, imports."""

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from clock import Run, environment, interleaved
from generator import generate

from streamshark.filters.completion import complete
from streamshark.filters.error import FilterError
from streamshark.filters.filter import Filter, compile  # noqa: A004 - as of `re`
from streamshark.filters.row_fields import RowFields
from streamshark.session import Session

PREDICATES = {
    "header": "rmqstream.length > 100",
    "constant": 'rmqstream.command == "open"',
    "connection": "tcp.stream == 5",
    "scalar": "rmqstream.publish.publisher_id == 1",
    "two headers": 'kind == "request" && not rmqstream.correlation_id == 7',
    "member of items": "rmqstream.publish.published_messages.publishing_id == 17",
    "range of a member": "rmqstream.publish.published_messages.publishing_id in {3..5}",
}
"""Filters by what they name."""
OF_ITEMS = ("member of items", "range of a member")
MOST_SCALAR, MOST_ITEMS = 0.05, 0.15
"""Bars: time of the predicate, as part of that of reading the rows."""
MOST_SELECTING = 1.05
"""Bar: `read -Y` of a filter that selects little, as times of `read -q`."""
MOST_CHECK = 0.02
"""Bar: checking a filter, and completing it, at any key, as part of a start of `tshark -Y`."""
MOST_IMPORTS = 10.0
"""Bar: milliseconds of the imports that `-Y` adds."""
TYPED = (
    'rmqstream.command == "publish" && tcp.stream in {1, 3..5}',
    "not rsocket.setup.flags.lease and frame.number > 100",
    'nats.msg.subject matches "^orders\\\\.[a-z]+$" or answer.missing',
    "pravega.append_block.writer_id == 00:01 xor ip.addr == 10.0.0.0/8",
    "len(rmqstream.publish.published_messages.message) + 5 >= 20",
    'request.rmqstream.create.stream == "orders"',
    'amqp1.properties.subject contains "a" && finding.severity == "error"',
    "max(liftbridge.publish.partition, 3) == ${tcp.stream}",
)
"""Expressions that are checked and completed at each key."""
ROUNDS = 5
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)")


class Measured(NamedTuple):
    """What was measured."""

    scalar: float
    """The slowest predicate of headers, constants and scalars, as part of reading."""
    items: float
    """That of list members."""
    selecting: float
    check: float
    complete: float
    imports: float
    """Milliseconds."""
    rows: list[list[str]]


def measured(folder: Path, size: int, rounds: int) -> Measured:
    """Measure everything, with a capture of so many bytes."""
    path = folder / "filtered.pcap"
    generate(path, size)
    parts = dict.fromkeys(PREDICATES, 1.0)
    for _ in range(rounds):
        for name, found in predicates(path).items():
            parts[name] = min(parts[name], found)
    runs = selecting(path, folder, rounds)
    ratio, plain = (
        runs[name].cpu / runs["read -q"].cpu for name in ("read -Y", "read -T fields -Y")
    )
    start = runs["tshark -Y"].cpu
    checks, completions = keys()
    imports = added_imports(path, folder)
    rows = [
        *([f"predicate, {name}", PREDICATES[name], f"{part:.3f}"] for name, part in parts.items()),
        ["`read -Y`, processor time", SELECTING, f"{ratio:.2f}"],
        ["`read -T fields -Y`, processor time", SELECTING, f"{plain:.2f}"],
        ["check, 99th percentile", "any key of 8 filters", f"{checks / start:.4f}"],
        ["complete, 99th percentile", "any key of 8 filters", f"{completions / start:.4f}"],
        ["imports of `-Y`", SELECTING, f"{imports:.1f} ms"],
    ]
    scalar = max(part for name, part in parts.items() if name not in OF_ITEMS)
    items = max(parts[name] for name in OF_ITEMS)
    return Measured(scalar, items, ratio, checks / start, completions / start, imports, rows)


def predicates(path: Path) -> dict[str, float]:
    """Return the time of each predicate over fresh rows, as part of that of reading them."""
    out = {}
    for name, text in PREDICATES.items():
        session = Session([str(path)])
        start = time.process_time()
        rows = list(session.rows())
        read = time.process_time() - start
        chosen = compile(text)
        chosen(rows[0])  # compiled for the first kind of row
        start = time.process_time()
        for row in rows:
            chosen(row)
        out[name] = (time.process_time() - start) / read
    return out


SELECTING = "rmqstream.open"
NUMBERS = ("-T", "fields", "-e", "frame.number")
"""Output without conversations, which a line of text shows."""


def selecting(path: Path, folder: Path, rounds: int) -> dict[str, Run]:
    """Return the runs of a reading without output, with a filter, and of the start of tshark."""
    program = str(Path(sys.executable).with_name("streamshark"))
    empty = folder / "empty.pcap"
    empty.write_bytes(path.read_bytes()[:24])
    return interleaved(
        {
            "read -q": [program, "read", "-q", str(path)],
            "read -Y": [program, "read", "-Y", SELECTING, str(path)],
            "read -T fields -Y": [program, "read", *NUMBERS, "-Y", SELECTING, str(path)],
            "tshark -Y": ["tshark", "-r", str(empty), "-Y", "tcp.port == 5552"],
        },
        2 * rounds + 1,
        folder,
    )


def keys() -> tuple[float, float]:
    """Return the 99th percentiles of the seconds to check and to complete, at each key."""
    fields = compile("").fields
    checks = _percentile(lambda text: _checked(text, fields))
    return checks, _percentile(lambda text: complete(text, len(text), fields))


def _percentile(work: Callable[[str], object]) -> float:
    found = [
        min(_timed(work, text[:length]) for _ in range(3))
        for text in TYPED
        for length in range(len(text) + 1)
    ]
    return sorted(found)[len(found) * 99 // 100]


def _timed(work: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    work(text)
    return time.process_time() - start


def _checked(text: str, fields: RowFields) -> None:
    try:
        Filter(text, fields)
    except FilterError:
        return


def added_imports(path: Path, folder: Path) -> float:
    """Return the milliseconds of the modules that `-Y` imports; of each the least of some runs."""
    without = imported(["read", "-q", str(path)], folder, 1)
    added = imported(["read", "-q", "-Y", SELECTING, str(path)], folder, 2 * ROUNDS)
    return sum(took for name, took in added.items() if name not in without) / 1000


def imported(arguments: Iterable[str], folder: Path, rounds: int) -> dict[str, int]:
    """Return the microseconds of the import of each module of a command."""
    out: dict[str, int] = {}
    command = [sys.executable, "-X", "importtime", "-m", "streamshark", *arguments]
    for _ in range(rounds + 1):  # the first one compiles
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, env=environment(folder)
        )
        for took, name in _IMPORT.findall(done.stderr):
            out[name] = min(out.get(name, int(took)), int(took))
    return out
