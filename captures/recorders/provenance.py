"""Adds a recording as a capture: its traffic, and a provenance.toml with the facts to fill in.

    make capture FILE=recording.pcapng PROTOCOL=chess SCENARIO=first_game PORT=7700

Date, digest and counts by tshark are written; every other fact is "" until someone who knows the
recording fills it in. `tests/contracts/test_captures.py` lists what is missing.
"""

import argparse
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from captures.recorders import lab

TEMPLATE = """\
title = ""  # what happened, in a few words
protocol = {protocol}
date = {date}
server = ""  # program and version
client = ""  # program and version
healthy = ""  # true or false: whether both peers behave; known without streamshark
shows = ""  # what the traffic shows, in a sentence or two
how = ""  # the command that records it again
script = ""  # function and file of the script that drives the peers
capture = ""  # the recording program's command line and version
edits = ""  # what was changed afterwards and by which program, or "none"
secrets = ""  # "throwaway: ..." or "none"
licence = ""  # of the traffic: MIT, if you recorded it for this repository
server_ports = {ports}
file = {file}
sha256 = {sha256}

# Faults of a client that rules have to report: rule id = "what proves it".
# [faults]
# "CHESS-R1" = "code 1"

[expected]  # counted by tshark
{counts}

# Frames by key on the wire and sender, counted by another program than streamshark.
# [expected.frames]
# 0x0001 = {{ client = 2 }}
# 0x0002 = {{ server = 2 }}
"""


def add(recording: Path, folder: Path, ports: list[int]) -> Path:
    """Store a recording in a new capture folder; return the path of its provenance."""
    if folder.exists():
        sys.exit(f"make capture: {folder} exists already; a better recording is a new scenario")
    with tempfile.TemporaryDirectory() as work:
        plain = Path(work) / "traffic.pcap"  # whose format has no place for data about the host
        lab.run(f"editcap -F nsecpcap {recording} {plain}")
        first = lab.fields(plain, "frame.time_epoch")[0][0]
        counts = lab.tcp_counts(plain, ports)
        stored = lab.store(plain, folder)
    target = folder / "provenance.toml"
    target.write_text(
        TEMPLATE.format(
            protocol=lab.text(folder.parent.name),
            date=lab.text(datetime.fromtimestamp(float(first), UTC).date().isoformat()),
            ports=lab.text(ports),
            file=lab.text(stored.name),
            sha256=lab.text(lab.sha256(stored)),
            counts="\n".join(f"{name} = {count}" for name, count in counts.items()),
        )
    )
    return target


def main() -> None:
    """Add the recording that the command line names."""
    parser = argparse.ArgumentParser(prog="make capture")
    parser.add_argument("recording", type=Path)
    parser.add_argument("protocol")
    parser.add_argument("scenario")
    parser.add_argument("ports", type=int, nargs="+")
    given = parser.parse_args()
    lab.require("tshark", "editcap")
    target = add(given.recording, lab.CAPTURES / given.protocol / given.scenario, given.ports)
    print(f"{target}: write every fact that is empty")


if __name__ == "__main__":
    main()
