"""`streamshark capture` beside dumpcap alone, on one interface and the same packets.

    python bench/live.py [--seconds 60] [--rate 100000] [--quiet]

tcpreplay sends small packets into one end of a veth pair, in a network namespace of its own; both
programs capture at the other end. Needs root, tcpreplay and dumpcap. Every loop of the packets has
addresses of its own, so that connections are new. Prints a row for a tenth of the seconds, and one
for all: the memory is not to grow by more than a tenth. `python bench/run.py live` prints a table.
"""

import argparse
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
TRAFFIC = "captures/nats/bug_fetch_one_by_one"
NAMESPACE = "streamshark-bench"
RATE = 100_000
"""Packets a second that are asked of tcpreplay."""
SETTLES = 3
"""Seconds until both programs capture, or have written what they have captured."""
MAIN = "import sys; from streamshark.cli.main import main; main()"


class Row(NamedTuple):
    """What was seen of one run."""

    sent: int
    alone: int
    """Packets that dumpcap alone has captured."""
    alone_dropped: int
    ours: int
    ours_dropped: int
    rows: int
    """Rows that were printed."""
    stopped: float
    """Seconds from SIGINT to the counters: until the capture has ended."""
    read: float
    """Seconds from then until the last row: how far the rows lag."""
    memory: int
    """Most bytes of a process of `streamshark capture`, in kB."""


@contextlib.contextmanager
def namespace() -> Iterator[list[str]]:
    """Make a network namespace with a veth pair; yield what runs a command in it."""
    run = ["ip", "netns", "exec", NAMESPACE]
    subprocess.run(["ip", "netns", "add", NAMESPACE], check=True)
    try:
        link = [*run, "ip", "link"]
        subprocess.run([*link, "add", "one", "type", "veth", "peer", "name", "two"], check=True)
        for each in ("one", "two"):
            subprocess.run([*link, "set", each, "up"], check=True)
        yield run
    finally:
        subprocess.run(["ip", "netns", "del", NAMESPACE], check=True)


def measured(traffic: str, rate: int, seconds: float, folder: Path, options: list[str]) -> Row:
    """Send packets for some seconds, and capture them twice."""
    with namespace() as inside, contextlib.ExitStack() as ends:
        ours = subprocess.Popen(
            [*inside, sys.executable, "-c", MAIN, "capture", "-i", "two", "-f", "tcp",
             "-w", str(folder / "ours.pcapng"), "-b", "filesize:200000",
             "-b", "files:99", *options],
            stdout=(folder / "rows").open("wb"), stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        ends.callback(ours.kill)
        alone = subprocess.Popen(
            [*inside, "dumpcap", "-q", "-i", "two", "-f", "tcp", "-w", str(folder / "alone.pcapng"),
             "-b", "filesize:200000", "-b", "files:99"],
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        ends.callback(alone.kill)
        _line(ours)
        time.sleep(SETTLES)
        sent = subprocess.run(
            [*inside, "tcpreplay", "-q", "--preload-pcap", "--loop", "0", "--unique-ip", "--pps",
             str(rate), "--duration", str(max(round(seconds), 1)), "-i", "one", traffic],
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        time.sleep(1)
        alone.send_signal(signal.SIGINT)
        errors_alone = alone.communicate()[1]
        memory = [_peak(each) for each in _tree(ours.pid)]
        start = time.monotonic()
        ours.send_signal(signal.SIGINT)
        line = _line(ours)
        stopped = time.monotonic()
        errors = line + ours.communicate()[1]
        ended = time.monotonic()
    rows = sum(1 for _ in (folder / "rows").open("rb"))
    return Row(
        _number(r"Successful packets:\s+(\d+)", sent),
        _number(r"Packets captured: (\d+)", errors_alone),
        _number(r"\d+/(\d+) \(pcap", errors_alone),
        _number(r"(\d+) packets captured", errors),
        sum(map(int, re.findall(r"(\d+) dropped by", errors))),
        rows, stopped - start, ended - stopped, max(memory),
    )  # fmt: skip


def run(rate: int, seconds: float, options: list[str]) -> Row:
    """One run, whose files are deleted."""
    recorded = str(next((ROOT / TRAFFIC).glob("traffic.*")))
    with tempfile.TemporaryDirectory() as folder:
        traffic = f"{folder}/traffic.pcap"
        words = ["read", recorded, "-F", "pcap", "-w", traffic]
        subprocess.run([sys.executable, "-c", MAIN, *words], check=True)
        return measured(traffic, rate, seconds, Path(folder), options)


def missing() -> str:
    """What this bench needs and is not there; empty if nothing is."""
    needed = [each for each in ("tcpreplay", "dumpcap", "ip") if which(each) is None]
    return ", ".join(needed if os.geteuid() == 0 else [*needed, "the rights of root"])


class Live(NamedTuple):
    """What was found, beside the bars."""

    rate: float
    """Packets a second that were sent."""
    drops: float
    """Share of the packets that `capture` has not, and dumpcap alone has."""
    stop: float
    """Seconds until a capture has stopped, at most."""
    growth: float
    """Memory of the longest run, in times of that of a tenth of it."""
    rows: list[list[str]]


HEADS = ["capture", "sent", "a second", "dumpcap alone", "`capture`", "stopped after", "rows",
         "rows lag", "memory"]  # fmt: skip


def live_rows(seconds: float) -> Live:
    """Captures with rows and findings, and without, for a tenth of some seconds and for all."""
    rows, drops, stops, memory = [], [0.0], [0.0], {}
    rate = 0.0
    for title, options in (("no reading (`-q`)", ["-q"]), ("rows and findings", [])):
        for each in (seconds / 10, seconds):
            row = run(RATE, each, options)
            memory[title, each] = row.memory
            rate = row.sent / each
            drops.append((row.alone - row.ours) / max(row.alone, 1))
            stops.append(row.stopped)
            rows.append([
                f"{title}, {each:g} s", f"{row.sent:,}", f"{rate:,.0f}", f"{row.alone:,}",
                f"{row.ours:,}", f"{row.stopped:.2f} s", f"{row.rows:,}", f"{row.read:.1f} s",
                f"{row.memory / 1000:.0f} MB",
            ])  # fmt: skip
    growth = max(memory[title, seconds] / memory[title, seconds / 10] for title, _ in memory)
    return Live(rate, max(drops), max(stops), growth, rows)


def _line(process: subprocess.Popen[str]) -> str:
    """The next message of a process."""
    return process.stderr.readline() if process.stderr else ""


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    return int(found[1]) if found else 0


def _tree(process: int) -> list[int]:
    """The process and those below it."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *(each for child in found for each in _tree(int(child)))]


def _peak(process: int) -> int:
    """The most memory of a process so far, in kB."""
    text = Path(f"/proc/{process}/status").read_text()
    return _number(r"VmHWM:\s+(\d+)", text)


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=int, default=RATE)
    parser.add_argument("--quiet", action="store_true", help="capture without reading")
    given = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, {given.rate} packets/s")
    for seconds in (given.seconds / 10, given.seconds):
        row = run(given.rate, seconds, ["-q"] if given.quiet else [])
        print(f"{seconds:g} s: {row._asdict()}", flush=True)


if __name__ == "__main__":
    main()
