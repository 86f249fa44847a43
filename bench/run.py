"""`make bench`: how fast Streamshark is beside tshark, and how it grows. Prints tables.

    python bench/run.py            measure (some fifteen minutes)
    python bench/run.py --quick    smaller files, fewer rounds (under a minute)
    python bench/run.py --write    measure, and renew docs/benchmarks.md

Compare ratios, not seconds: what is compared ran in turn, in the same run, on the same machine.
"""

import argparse
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bulky import BULKY
from clock import Run, interleaved, lines, run
from decoders import decoder_rows
from engine import engine_rows
from generator import CONNECTIONS, Counts, generate
from growth import growth_rows
from live import HEADS as LIVE_HEADS
from live import RATE, TRAFFIC, live_rows, missing
from relays import HTTP2, MITM, NATS, STEERED, relay_rows, steered_rows
from screens import (
    LINES,
    MOST_FIRST,
    MOST_PAGE,
    MOST_START,
    PAGES,
    starts,
)
from screens import MOST_MEMORY as MOST_SCREENS_MEMORY
from screens import measured as screens_measured
from simulation import seconds

from filters import (
    MOST_CHECK,
    MOST_IMPORTS,
    MOST_ITEMS,
    MOST_SCALAR,
    MOST_SELECTING,
)
from filters import measured as filters_measured
from index import FETCHED, MOST_BUILDING
from index import MOST_BYTES as MOST_INDEX
from index import measured as index_measured
from lua import (
    FINDING_HEADS,
    HEADS,
    MOST_OF_HAND,
    MOST_OF_LIST,
    MOST_OF_PLAIN,
    finding_rows,
    lua_rows,
)
from parallel import parallel_rows
from spark import rotate, run_of

ROOT = Path(__file__).parent.parent
LUA = ROOT / "bench" / "minimal.lua"
PAGE = ROOT / "docs" / "benchmarks.md"
FOREIGN = ROOT / "tests" / "foreign" / "traffic"
MEGABYTE = 1_000_000
MOST_BYTES = 100 * MEGABYTE
MOST_HOSTILE = 300 * MEGABYTE
MOST_STOP = 1.0
"""Bar: seconds until a capture has stopped."""
MOST_LIVE_GROWTH = 1.1
"""Bar: memory of a live capture, for ten times the packets."""
READERS = ("read", "check")
"""Bar: memory for a file of any size."""
MOST_MEMORY = 1.1
"""Aim: memory for ten times the file."""
MOST_GROWTH = 2.3
"""Aim: time for twice the input."""
LEAST_LARGE, LEAST_SMALL, LEAST_JSON = 10, 3, 3
"""Bars: how many times as fast as tshark with a Lua dissector that shows each message."""
MOST_FOREIGN = 3
"""Bar: processor time for captures of other protocols, as times of that of tshark."""
MOST_JUDGING = 1.5
"""Bar: time to pair and judge, as times of the reading."""
MOST_WORK, MOST_PACKED, MOST_LONGEST, MOST_GROWN = 1.6, 1.8, 0.15, 1.2
"""Bars of runs on Spark: all tasks beside `check`, also with lz4, the longest task of all, and for
ten times the connections."""
CORES = (10, 100, 1000)
GROWN = (10, 100, 1000)
"""How many times as large the simulated archives are."""
JOBS = 2
LEAST_PARALLEL = 1.6
"""Bar: processor time of one process, as times of that of the busiest of two."""
MOST_LATE = 1.5
"""Bar: 99th percentile of a round trip through the proxy, as times of that of a plain relay."""
LEAST_STEERED = 0.2
"""Bar: rate of HTTP/2 and of small messages of NATS through the proxy, beside a plain relay."""
MITM_TIMES = 3
"""Bar: rate of the proxy, beside that of mitmproxy."""
FILES = 8
LEAST_EXPERT = 3
"""Bar: how many times as fast as tshark's expert information."""
OURS = "streamshark read -T fields"
THEIRS = "tshark with Lua, each message"
FIELDS = ("-T", "fields", "-e", "frame.number", "-e", "tcp.stream")
OUR_FIELDS = [part for name in ("key", "length", "correlation_id")
              for part in ("-e", f"rmqstream.{name}")]  # fmt: skip
THEIR_FIELDS = ("-e", "rmqs.key", "-e", "rmqs.length", "-e", "rmqs.correlation_id")
EACH_MESSAGE = ("-o", "rmqs.messages:TRUE", "-Y", "rmqs")
GROWTH_HEADS = [
    "input", "smallest", "time", "ratio at each doubling", "memory", "ratio at each doubling",
]  # fmt: skip
RATE_HEADS = ["command", "time", "processor", "rate", "times as fast", "memory", "rows"]


@dataclass(frozen=True)
class Scale:
    """How much is measured."""

    rounds: int
    large: int
    """Megabytes of the large capture; the memory of it is compared with a tenth of it."""
    middle: int
    """Megabytes of the captures of small packets, and for JSON."""
    doublings: int
    seconds: float
    """For each decoder and frame."""
    judged: int
    """Megabytes of the capture that is judged: 150 are a million frames."""
    plugin: int
    """Megabytes of the captures that tshark reads with a plugin."""
    spark: int
    """Megabytes of the captures that Spark reads, twice."""
    screens: int
    """Megabytes of the capture on the screens: 1,500 are ten million rows."""
    live: float
    """Seconds of live captures."""
    archives: tuple[str, ...] = ()
    """Archives that Spark reads; all without."""


FULL = Scale(
    rounds=3,
    large=100,
    middle=20,
    doublings=3,
    seconds=0.3,
    judged=150,
    plugin=5,
    spark=1000,
    screens=1500,
    live=60,
)
QUICK = Scale(
    rounds=3,
    large=20,
    middle=5,
    doublings=2,
    seconds=0.05,
    judged=15,
    plugin=2,
    spark=60,
    screens=20,
    live=10,
)

Section = tuple[str, str, list[str], list[list[str]]]
"""Title, what is measured, heads and rows of a table."""


def streamshark(*arguments: str) -> list[str]:
    """The command line of our own program, as installed beside this Python."""
    program = Path(sys.executable).with_name("streamshark")
    return [str(program), *arguments]


def tshark(*arguments: str, lua: bool = True) -> list[str]:
    """The command line of tshark, with or without the small dissector."""
    script = ["-X", f"lua_script:{LUA}"] if lua else []
    return ["tshark", "-n", "-o", "tcp.reassemble_out_of_order:TRUE", *script, *arguments]


def small(scale: Scale, folder: Path) -> Section:
    """One megabyte, whole command to output."""
    path = folder / "1.pcap"
    counts = generate(path, MEGABYTE)
    commands = {
        "streamshark read": streamshark("read", str(path)),
        "tshark, no dissector": tshark("-r", str(path), lua=False),
        "tshark with Lua": tshark("-r", str(path)),
    }
    rows = []
    runs = interleaved(commands, 2 * scale.rounds + 1, folder)
    ours = runs["streamshark read"].wall
    for name, each in runs.items():
        times = f"{each.wall:.3f} s", f"{each.cpu:.3f} s", f"{each.wall / ours:.2f}"
        rows.append([name, *times, megabytes(each.memory)])
    text = (
        f"A capture of {counts.size / MEGABYTE:.0f} MB ({told(counts)}), from starting the program "
        "to the end of its output, one line per frame (Streamshark) or packet (tshark)."
    )
    return (
        "1 MB, whole command",
        text,
        ["command", "time", "processor", "times ours", "memory"],
        rows,
    )


def large(scale: Scale, folder: Path) -> Section:
    """A large capture at one summary row per frame."""
    path = folder / "large.pcap"
    counts = generate(path, scale.large * MEGABYTE)
    commands = {
        OURS: streamshark("read", *FIELDS, *OUR_FIELDS, str(path)),
        "streamshark read": streamshark("read", str(path)),
        "tshark with Lua -T fields": tshark("-Y", "rmqs", *FIELDS, *THEIR_FIELDS, "-r", str(path)),
        THEIRS: tshark(*EACH_MESSAGE, *FIELDS, *THEIR_FIELDS, "-e", "rmqs.size", "-r", str(path)),
        "tshark, no dissector": tshark(*FIELDS, "-e", "tcp.len", "-r", str(path), lua=False),
    }
    runs = interleaved(commands, scale.rounds, folder)
    text = (
        f"A capture of {counts.size / MEGABYTE:.0f} MB ({told(counts)}) at one row per frame. "
        "Streamshark reads every message, to prove that each is well-formed, and shows the events "
        "of connections too. tshark writes a row per packet that completes a frame: with the first "
        "fields of each frame, then with a length for each message as well, and for comparison a "
        "row per packet without any dissector above TCP. " + bar(runs, OURS, THEIRS, LEAST_LARGE)
    )
    rows = rates(runs, counts, THEIRS, folder)
    return f"{scale.large} MB, one row per frame", text, RATE_HEADS, rows


def packets(scale: Scale, folder: Path) -> Section:
    """Small packets at one summary row per frame."""
    path = folder / "packets.pcap"
    counts = generate(path, scale.middle * MEGABYTE, segment=0)
    commands = {
        OURS: streamshark("read", *FIELDS, *OUR_FIELDS, str(path)),
        "streamshark read": streamshark("read", str(path)),
        THEIRS: tshark(*EACH_MESSAGE, *FIELDS, *THEIR_FIELDS, "-e", "rmqs.size", "-r", str(path)),
        "tshark, no dissector": tshark(*FIELDS, "-e", "tcp.len", "-r", str(path), lua=False),
    }
    runs = interleaved(commands, scale.rounds, folder)
    text = (
        f"A capture of {counts.size / MEGABYTE:.0f} MB ({told(counts)}): one frame a packet, one "
        f"message a frame, one row per frame. {bar(runs, OURS, THEIRS, LEAST_SMALL)}"
    )
    return "Small packets", text, RATE_HEADS, rates(runs, counts, THEIRS, folder)


def ndjson(scale: Scale, folder: Path) -> Section:
    """All fields as JSON."""
    path = folder / "json.pcap"
    counts = generate(path, scale.middle * MEGABYTE)
    ours, theirs = "streamshark read -T ndjson", "tshark with Lua -T json"
    commands = {
        ours: streamshark("read", "-T", "ndjson", "--bodies", "raw", str(path)),
        "the same, bodies decoded": streamshark("read", "-T", "ndjson", str(path)),
        theirs: tshark(*EACH_MESSAGE, "-T", "json", "-r", str(path)),
    }
    runs = interleaved(commands, scale.rounds, folder)
    text = (
        f"A capture of {counts.size / MEGABYTE:.0f} MB ({told(counts)}): every field of every "
        "frame and message. Streamshark writes a line per frame, with the bodies of messages as "
        "hex unless decoded; tshark some lines per field, without the bodies. "
        + bar(runs, ours, theirs, LEAST_JSON)
    )
    return "JSON", text, RATE_HEADS, rates(runs, counts, theirs, folder)


def rates(runs: Mapping[str, Run], counts: Counts, base: str, folder: Path) -> list[list[str]]:
    """A row for each command, as `RATE_HEADS` names the columns."""
    rows = []
    for name, each in runs.items():
        rate = f"{counts.size / MEGABYTE / each.wall:.0f} MB/s"
        times = f"{runs[base].wall / each.wall:.1f}"
        row = [name, f"{each.wall:.2f} s", f"{each.cpu:.2f} s", rate, times]
        rows.append([*row, megabytes(each.memory), str(lines(name, folder))])
    return rows


def bar(runs: Mapping[str, Run], ours: str, theirs: str, least: float) -> str:
    """What is asked for, and what was measured; of the two ways to measure, both must hold."""
    wall = runs[theirs].wall / runs[ours].wall
    processor = runs[theirs].cpu / runs[ours].cpu
    return (
        f"Bar: `{ours}` at least {least} times as fast as {theirs}. "
        f"{verdict(min(wall, processor) >= least)}: {wall:.1f} times, {processor:.1f} by "
        "processor time."
    )


def verdict(is_met: bool) -> str:  # noqa: FBT001 - a word for it
    """Whether a bar is met."""
    return "Met" if is_met else "Not met"


def judged(scale: Scale, folder: Path) -> Section:
    """Pairing and judging beside reading, and the whole beside tshark's expert information."""
    path = folder / "judged.pcap"
    counts = generate(path, scale.judged * MEGABYTE, segment=0)
    ratio, rows = engine_rows(path)
    ours, theirs = "streamshark check", "tshark with Lua -q -z expert"
    commands = {
        ours: streamshark("check", str(path)),
        theirs: tshark("-q", "-z", "expert", "-r", str(path)),
    }
    runs = interleaved(commands, 1, folder)
    for name, each in runs.items():
        each_us = f"{each.wall / counts.frames * 1e6:.2f} us"
        times = f"{runs[theirs].wall / each.wall:.1f} times tshark"
        rows.append([f"{name}, {megabytes(each.memory)}", f"{each.wall:.2f} s", each_us, times])
    path.unlink()
    text = (
        f"A capture of {told(counts)}, one message a frame, paired and judged by the rules as "
        "`check` does. Processor time of each part, as times of reading with every value; then "
        "whole commands. "
        f"Bar: judging at most {MOST_JUDGING} times the reading. "
        f"{verdict(ratio <= MOST_JUDGING)}: {ratio:.2f}. {bar(runs, ours, theirs, LEAST_EXPERT)}"
    )
    return "Conversations and findings", text, ["what", "time", "each frame", "ratio"], rows


def foreign(scale: Scale, folder: Path) -> Section:
    """Captures of other protocols, of which nothing is read."""
    rows, met = [], True
    for path in sorted(FOREIGN.glob("*/traffic.*")):
        commands = {
            "streamshark": streamshark("read", str(path)),
            "tshark": ["tshark", "-n", "-r", str(path)],
        }
        runs = interleaved(commands, scale.rounds, folder)
        ours, theirs = runs["streamshark"].cpu, runs["tshark"].cpu
        met = met and ours <= MOST_FOREIGN * theirs
        size = f"{path.stat().st_size / 1000:.0f} kB"
        rows.append([path.parent.name, size, f"{ours:.2f} s", f"{theirs:.2f} s",
                     f"{ours / theirs:.2f}"])  # fmt: skip
    text = (
        "The recorded foreign captures (`tests/foreign`), processor time of `streamshark read` "
        "beside `tshark -r`, the start of both included. "
        f"Bar: at most {MOST_FOREIGN} times tshark for each. {verdict(met)}."
    )
    heads = ["capture", "size", "streamshark", "tshark", "ratio"]
    return "Foreign traffic", text, heads, rows


def memory(scale: Scale, folder: Path) -> Section:
    """Ten times the file."""
    rows = []
    peaks = []
    for size in (scale.large // 10, scale.large):
        path = folder / f"memory-{size}.pcap"
        counts = generate(path, size * MEGABYTE)
        command = {"memory": streamshark("read", str(path))}
        peak = interleaved(command, scale.rounds, folder)["memory"].memory
        peaks.append(peak)
        rows.append([f"{size} MB", str(counts.frames), megabytes(peak), f"{peak / peaks[0]:.2f}"])
        path.unlink()
    text = (
        f"Largest resident set of `streamshark read`. Bar: under {megabytes(MOST_BYTES)}, and at "
        f"most {MOST_MEMORY} times for ten times the file. "
        f"{verdict(peaks[-1] < MOST_BYTES and peaks[-1] <= MOST_MEMORY * peaks[0])}."
    )
    return "Memory", text, ["capture", "frames", "memory", "ratio"], rows


def growth(scale: Scale, folder: Path) -> Section:
    """Hostile inputs at doubling sizes."""
    text = (
        "Processor time of a session over inputs made to be slow, at sizes that double; "
        f"aim: at most {MOST_GROWTH} per doubling."
    )
    return "Hostile inputs", text, GROWTH_HEADS, growth_rows(folder, scale.doublings)


def judged_growth(scale: Scale, folder: Path) -> Section:
    """The same for what is remembered of conversations."""
    text = (
        "The same paired and judged, conversations and findings taken as they end. What is "
        "remembered has caps, so memory grows no more once they are reached."
    )
    rows = growth_rows(folder, scale.doublings, judged=True)
    return "Hostile conversations", text, GROWTH_HEADS, rows


def bulky(_scale: Scale, folder: Path) -> Section:
    """What captures take that say much in few bytes."""
    rows, path = [], folder / "bulky.cap"
    for name, (make, size) in BULKY.items():
        path.write_bytes(make(size))
        runs = [run(streamshark(each, str(path)), folder / "bulky.out") for each in READERS]
        peaks = [each.memory for each in runs]
        met = verdict(max(peaks) < MOST_HOSTILE)
        rows.append([name, megabytes(path.stat().st_size), *map(megabytes, peaks), met])
    text = f"Largest resident set. Bar: under {megabytes(MOST_HOSTILE)} for each."
    return "Hostile captures", text, ["capture", "size", *READERS, "bar"], rows


def decoders(scale: Scale, _folder: Path) -> Section:
    """The decoders alone."""
    text = (
        "One frame in memory, values out. The reference is construct's interpreter; careful, fast "
        "and shallow are the forms of the record decoder."
    )
    heads = ["frame", "bytes", "reference", "careful", "fast", "shallow", "shallow, MB/s"]
    return "Decoders", text, heads, decoder_rows(scale.seconds)


def spark(scale: Scale, folder: Path) -> Section:
    """Whole runs on Spark: all tasks beside `check`, the longest task, and more cores."""
    size = scale.spark * MEGABYTE
    many = f"{CONNECTIONS} connections on {CONNECTIONS // 4} streams"
    archives = {
        "many": (many, size, CONNECTIONS, "findings", "none"),
        "lz4": ("the same, packets compressed by lz4", size, CONNECTIONS, "findings", "lz4"),
        "tables": (
            "the same, all tables", size, CONNECTIONS, "frames,conversations,findings,flows",
            "none",
        ),
        "few": ("a tenth of it", size // 10, CONNECTIONS // 10, "findings", "none"),
        "one": ("one connection", size // 10, 1, "findings", "none"),
    }  # fmt: skip
    found, rows = {}, []
    for key in scale.archives or archives:
        name, of, connections, tables, codec = archives[key]
        place = folder / key
        place.mkdir()
        whole = folder / "whole.pcap"
        generate(whole, of, connections=connections, streams=max(connections // 4, 1))
        rotate(whole, place, FILES)
        whole.unlink()
        one = found[key] = run_of(place, tables, codec)
        shutil.rmtree(place)
        rows.append([
            name, megabytes(of), f"{one.check:.1f} s", f"{one.total:.1f} s",
            f"{one.total / one.check:.2f}", f"{one.longest:.2f} s",
            f"{one.longest / one.total:.2f}", megabytes(one.memory),
        ])  # fmt: skip
    bars = (
        (("many",), lambda many: many.total / many.check, MOST_WORK,
         "all tasks, as times of `check`"),
        (("lz4",), lambda packed: packed.total / packed.check, MOST_PACKED, "with lz4"),
        (("many",), lambda many: many.longest / many.total, MOST_LONGEST,
         "the longest task, of all"),
        (("many", "few"), lambda many, few: many.longest / few.longest, MOST_GROWN,
         "the longest task for ten times the connections"),
    )  # fmt: skip
    known = [
        (ratio(*(found[each] for each in needs)), most, what)
        for needs, ratio, most, what in bars
        if found.keys() >= set(needs)
    ]
    simulated = [
        [f"{grown * size // 1_000_000_000} GB, {grown * CONNECTIONS:,} connections"]
        + [f"{seconds(found['many'].times, cores, grown):,.0f} s" for cores in CORES]
        for grown in GROWN
        if "many" in found
    ]
    text = f"`spark run` over {FILES} rotated files, processor times of its tasks. Bars: "
    text += "; ".join(
        f"{what} at most {most:.2f} ({verdict(ratio <= most)}: {ratio:.2f})"
        for ratio, most, what in known
    )
    if simulated:
        text += (
            ". Simulated on more cores from the times of the first row (`bench/simulation.py`): "
            + "; ".join(f"{name}: {', '.join(cells)}" for name, *cells in simulated)
            + f" on {', '.join(map(str, CORES))} cores"
        )
    text += "."
    heads = ["archive", "size", "check", "all tasks", "ratio", "longest", "of all", "driver"]
    return "Spark", text, heads, rows


def parallel(scale: Scale, folder: Path) -> Section:
    """Readings by two processes beside one."""
    path = folder / "parallel.pcap"
    counts = generate(path, 10 * scale.large * MEGABYTE)
    shown = {
        "read -T fields, secrets shown": ("read", "--show-secrets", *FIELDS, *OUR_FIELDS),
        "read, secrets shown": ("read", "--show-secrets"),
        "read -T ndjson --bodies size, secrets shown": (
            *("read", "--show-secrets", "-T", "ndjson", "--bodies", "size"),
        ),
        "stats": ("stats",),
        "check": ("check",),
        "conversations": ("conversations",),
    }
    commands = {name: streamshark(*each, str(path)) for name, each in shown.items()}
    ratios, rows = parallel_rows(commands, JOBS, scale.rounds)
    path.unlink()
    text = (
        f"A capture of {told(counts)} on {CONNECTIONS} connections, read by one process and with "
        f"`-j {JOBS}`: processor time of the one, of the busiest of several, of the critical path "
        "(the busiest worker, and the first process before workers start and after they end), and "
        f"of all together. On {JOBS} idle cores the time is at least that of the critical path, "
        "and at least the sum divided by the cores. Bodies that are searched for secrets take "
        f"longer, and gain more. Bar: one process at least {LEAST_PARALLEL} times the critical "
        "path. "
        + ", ".join(f"`{name}`: {verdict(each >= LEAST_PARALLEL)}" for name, each in ratios.items())
        + "."
    )
    heads = ["command", "one process", "the busiest", "critical path", "all", "times the path",
             "on two cores"]  # fmt: skip
    return "Several processes", text, heads, rows


def index(scale: Scale, folder: Path) -> Section:
    """The index of captures: building, size, and rows."""
    rows, ratios, sizes = [], [], []
    shapes = {"small frames": (scale.middle, 0), "large frames": (scale.large, 1448)}
    for shape, (size, segment) in shapes.items():
        path = folder / "indexed.pcap"
        counts = generate(path, size * MEGABYTE, segment=segment)
        found = index_measured(streamshark("check", str(path)), path, scale.rounds, folder)
        path.unlink()
        ratios.append(found.ratio)
        sizes.append(found.bytes_a_row)
        fetched = found.fetched
        rows.append([
            f"{shape}, {told(counts)}",
            f"{found.check.cpu:.2f} s",
            f"{found.build.cpu:.2f} s",
            f"{found.ratio:.2f}",
            f"{found.bytes_a_row:.1f}",
            f"{1e6 * fetched.median:.0f} us, {1e6 * fetched.slow:.0f} us",
            f"{1e3 * fetched.opened:.1f} ms",
            f"{megabytes(fetched.memory - fetched.base)}",
        ])  # fmt: skip
    text = (
        "Processor time to judge a capture (`check`) and to build its index; bytes of the index "
        f"for each row; {FETCHED:,} rows anywhere in the capture, each with its bytes: median, and "
        "below which 99 in 100 are; time to open the index, and memory of "
        "the reader's own for it and these rows. Bars: at most "
        f"{MOST_BUILDING} times `check`: {verdict(max(ratios) <= MOST_BUILDING)}; at most "
        f"{MOST_INDEX} bytes a row: {verdict(max(sizes) <= MOST_INDEX)}."
    )
    heads = [
        "capture",
        "check",
        "build",
        "ratio",
        "bytes a row",
        "row: median, 99 %",
        "open",
        "memory",
    ]
    return "Index", text, heads, rows


def screens(scale: Scale, folder: Path) -> Section:
    """The screens of the terminal: start, first screen, pages, memory."""
    little, large = folder / "little.pcap", folder / "large.pcap"
    generate(little, MEGABYTE)
    plain, start, ratio = starts(little, folder, 2 * scale.rounds + 1)
    counts = generate(large, scale.screens * MEGABYTE, segment=0)
    found = screens_measured(large, folder)
    large.unlink()
    part = found.first.wall / found.tshark
    slowest, idle = 1e3 * max(found.pages), 1e3 * max(found.idle)
    rows = [
        ["an application without contents", f"{plain:.2f} s", ""],
        ["first screen of 1 MB", f"{start:.2f} s", f"{ratio:.1f} times it"],
        ["`tshark -r` to its last line", f"{found.tshark:.1f} s", ""],
        ["first screen of the same", f"{found.first.wall:.2f} s", f"{part:.4f} of it"],
        ["indexed to the end", f"{found.indexed:.1f} s", f"{found.rows:,} rows"],
        ["slowest page, idle", f"{idle:.0f} ms", ""],
        [
            "slowest page while indexing",
            f"{slowest:.0f} ms",
            f"{slowest / idle:.1f} times it",
        ],
        ["memory of the process of the screens", megabytes(found.memory), f"{found.rows:,} rows"],
    ]
    text = (
        f"Wall time, in a terminal of {LINES} lines: from the start of the program until rows are "
        f"drawn, captures not indexed before. The large one has {told(counts)}, {scale.screens} "
        f"MB; {PAGES} pages are turned while it is indexed, and after that. Bars: first screen of "
        f"1 MB at most {MOST_START} times an application of textual without contents "
        f"({verdict(ratio <= MOST_START)}); of the large capture at most {MOST_FIRST} of "
        f"`tshark -r` ({verdict(part <= MOST_FIRST)}); the slowest page while indexing at most "
        f"{MOST_PAGE} times the slowest one after it ({verdict(slowest <= MOST_PAGE * idle)}); "
        f"memory of the process's own at most {megabytes(MOST_SCREENS_MEMORY)} "
        f"({verdict(found.memory <= MOST_SCREENS_MEMORY)})."
    )
    return "Screens", text, ["what", "found", "ratio"], rows


def proxy(scale: Scale, _folder: Path) -> Section:
    """The proxy beside a plain asyncio relay."""
    size = scale.large * MEGABYTE * 4
    ratios, rows = relay_rows(size, scale.rounds / 2, scale.rounds)
    others, more = steered_rows(size, scale.rounds)
    least = min(others[f"{STEERED} {each}"] for each in (HTTP2, NATS))
    beside = "mitmproxy was not installed."
    if MITM in others:
        times = ratios[f"{STEERED} MB/s"] / others[MITM]
        met_by = verdict(times >= MITM_TIMES)
        beside = f"At least {MITM_TIMES} times the rate of mitmproxy ({met_by}: {times:.1f})."

    def met(kind: str, least: float, most: float) -> str:
        rate, used = ratios[f"{kind} rate"], ratios[f"{kind} time"]
        found = verdict(rate >= least and used <= most)
        return f"at least {least} of its rate and at most {most} of its processor time ({found})"

    late = ratios["proxy, recorded, hosts p99"]
    text = (
        f"{size // MEGABYTE} MB of deliveries of 10 kB from a server in writes of 64 KiB, and "
        "round trips of small frames, 1,000 a second, through a plain asyncio relay with the same "
        "buffers and through `streamshark proxy`, each the best of some rounds. Bars, beside the "
        f"plain relay: recorded, with hosts, {met('proxy, recorded, hosts', 0.5, 2.5)}; both legs "
        f"recorded, {met('proxy, both legs, hosts', 0.33, 4)}; the 99th percentile of a round trip "
        f"at most {MOST_LATE} times ({verdict(late <= MOST_LATE)}). Streams inside HTTP/2 and "
        f"small messages of NATS at least {LEAST_STEERED} of the plain relay's rate "
        f"({verdict(least >= LEAST_STEERED)}). "
        f"{beside}"
    )
    rows += more
    heads = ["relay", "rate", "of plain", "processor", "of plain", "median", "99 %", "of plain"]
    return "Proxy", text, heads, rows


def live(scale: Scale, _folder: Path) -> Section:
    """`capture` beside dumpcap alone, at a high rate of small packets."""
    if what := missing():
        return "Live capture", f"Not measured: {what} is missing.", LIVE_HEADS, []
    found = live_rows(scale.live)
    text = (
        f"Small packets of {TRAFFIC}, by tcpreplay through a veth pair, {RATE:,} a second asked "
        f"for and {found.rate:,.0f} reached; dumpcap alone and `streamshark capture -w` capture "
        "at the same end at the same time. Bars: packets that dumpcap alone has and `capture` "
        f"has not, none ({verdict(found.drops <= 0)}); from Ctrl-C to the end of the capture at "
        f"most {MOST_STOP} s ({verdict(found.stop <= MOST_STOP)}); memory of any process, for ten "
        f"times the packets at most {MOST_LIVE_GROWTH} times "
        f"({verdict(found.growth <= MOST_LIVE_GROWTH)}: {found.growth:.2f}). Rows may come later: "
        "`rows lag` is the time from there to the last row."
    )
    return "Live capture", text, LIVE_HEADS, found.rows


def plugin(scale: Scale, folder: Path) -> Section:
    """The generated Wireshark plugin beside one by hand, and beside none."""
    worst, rows = lua_rows(folder, scale.plugin * MEGABYTE, scale.rounds)

    def told_of(found: float, most: float) -> str:
        return f"({verdict(found <= most)}: {found:.2f} at worst)"

    text = (
        f"Captures of {scale.plugin} MB in tshark, processor time: with the generated plugin, with "
        "a dissector by hand of the same fields (`bench/handwritten.lua`), and with none. The "
        "generated one does more than show fields of the wire: it verifies checksums, links "
        "requests and responses, looks for text in bodies, and judges. So it is measured with "
        "`fields alone`, all of that switched off by its preferences, beside the one by hand; and "
        "as it is beside the one by hand that shows links, times and checksums too (`full`), and "
        "beside the one that does not. "
        f"Bars: at most {MOST_OF_HAND} times the one by hand of the same fields, those of the wire "
        f"alone {told_of(worst.fields, MOST_OF_HAND)}, all of them, judging included "
        f"{told_of(worst.full, MOST_OF_HAND)}; as it is beside the one that shows less "
        f"{told_of(worst.bare, MOST_OF_HAND)}; at most {MOST_OF_PLAIN} times tshark without a "
        "plugin while its fields are not requested, links and findings included "
        f"{told_of(worst.idle, MOST_OF_PLAIN)}."
    )
    return "Wireshark plugin", text, HEADS, rows


def plugin_findings(scale: Scale, folder: Path) -> Section:
    """The packets with findings in Wireshark, beside all packets."""
    worst, rows = finding_rows(folder, scale.rounds + 2)
    text = (
        "Long recorded captures of each protocol in tshark with its plugin: the list of the "
        "packets with findings (`-Y rmqstream.finding`) beside the list of all, for which no rule "
        "is evaluated. The bar is for processor time, the best of some runs in turn on an idle "
        f"machine: at most {MOST_OF_LIST} times ({verdict(worst <= MOST_OF_LIST)}: {worst:.2f} at "
        "worst). Whether a change to the plugins helps is shown by the instructions that Lua "
        "executes (`bench/instructions.lua`): their number is the same in each run on any machine. "
        "It leaves out what Lua's functions in C and the collection of garbage take, so the two "
        "ratios differ."
    )
    return "Findings in Wireshark", text, FINDING_HEADS, rows


def filters(scale: Scale, folder: Path) -> Section:
    """Display filters: predicates, reading with them, checking, completion, imports."""
    found = filters_measured(folder, scale.plugin * MEGABYTE, scale.rounds)

    def met(value: float, most: float, form: str) -> str:
        return f"({verdict(value <= most)}: {value:{form}})"

    scalar = met(found.scalar, MOST_SCALAR, ".3f")
    items = met(found.items, MOST_ITEMS, ".3f")
    selecting = met(found.selecting, MOST_SELECTING, ".2f")
    keys = met(max(found.check, found.complete), MOST_CHECK, ".4f")
    imports = met(found.imports, MOST_IMPORTS, ".1f")
    text = (
        f"A capture of {scale.plugin} MB, processor time. Bars: predicates take at most "
        f"{MOST_SCALAR} of reading the rows where they name headers, constants and scalars "
        f"{scalar}, {MOST_ITEMS} where they name members of list items {items}; `read -Y` with a "
        f"filter that selects little takes at most {MOST_SELECTING} of `read -q` {selecting}; "
        "checking and completing at any key of a filter, the 99th percentile, take at most "
        f"{MOST_CHECK} of a start of `tshark -Y` {keys}; `-Y` adds imports of at most "
        f"{MOST_IMPORTS:.0f} ms {imports}."
    )
    return "Display filters", text, ["what", "filter", "found"], found.rows


SECTIONS = {
    "small": small, "large": large, "packets": packets, "json": ndjson, "foreign": foreign,
    "memory": memory, "growth": growth, "open": judged_growth, "bulky": bulky, "judged": judged,
    "decoders": decoders, "plugin": plugin, "findings": plugin_findings, "filters": filters,
    "index": index, "screens": screens, "parallel": parallel, "proxy": proxy, "live": live,
    "spark": spark,
}  # fmt: skip


def told(counts: Counts) -> str:
    """What a capture holds."""
    return f"{counts.packets} packets, {counts.frames} frames, {counts.messages} messages"


def megabytes(size: float) -> str:
    """Bytes as megabytes."""
    return f"{size / MEGABYTE:.0f} MB"


def versions() -> str:
    """The programs that were compared."""
    printed = subprocess.run(["tshark", "--version"], capture_output=True, text=True, check=True)
    found = re.search(r"(\d+\.\d+\.\d+)", printed.stdout)
    wireshark = found.group(1) if found else "unknown"
    return f"Python {platform.python_version()}, tshark {wireshark}"


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A Markdown table whose columns line up."""
    grid = [heads, *rows]
    widths = [max(len(row[column]) for row in grid) for column in range(len(heads))]
    printed = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in grid
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([printed[0], rule, *printed[1:]])


def measured(chosen: list[str], scale: Scale) -> Iterator[str]:
    """Each section as it is done."""
    with tempfile.TemporaryDirectory() as name:
        for section in chosen:
            title, text, heads, rows = SECTIONS[section](scale, Path(name))
            yield f"## {title}\n\n{text}\n\n{table(heads, rows)}\n"


def main() -> None:
    """Measure, print, and with `--write` renew the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--quick", action="store_true", help="smaller files, fewer rounds")
    parser.add_argument("--write", action="store_true", help="renew docs/benchmarks.md")
    parser.add_argument(
        "--archive", action="append", default=[], help="of `spark`: many, lz4, tables, few, one"
    )
    options = parser.parse_args()
    unknown = set(options.sections) - set(SECTIONS)
    if unknown or (options.write and (options.quick or options.sections)):
        parser.error(f"no such section: {', '.join(unknown)}" if unknown else "--write takes all")
    head = (
        "# Benchmarks\n\n"
        "Written by `make bench ARGS=--write`; `make bench` prints the same tables.\n"
        "Times are medians of runs taken in turn; compare ratios, not seconds, and only within "
        "one table.\n"
        "tshark reassembles out-of-order segments (`tcp.reassemble_out_of_order`), as Streamshark "
        "always does; the Lua dissector is `bench/minimal.lua`.\n"
        f"Versions: {versions()}.\n"
    )
    parts = [head]
    print(head, flush=True)
    scale = replace(QUICK if options.quick else FULL, archives=tuple(options.archive))
    for part in measured(options.sections or list(SECTIONS), scale):
        parts.append(part)
        print(part, flush=True)
    if options.write:
        PAGE.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
