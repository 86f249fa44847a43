"""Records the Liftbridge captures: real servers, real clients, real packets.

    python3 -m captures.recorders.liftbridge.record [SCENARIO...]      (as root, from the top)

Without a name, everything that has no recording yet. `--list` names the scenarios. The capture
begins before the servers do: they talk to each other over NATS.
"""

import argparse
import datetime as dt
import os
import sys
import tempfile
import traceback
from pathlib import Path

from captures.recorders import lab, marks, segments
from captures.recorders.liftbridge import (
    clients,
    coverage,
    scenarios,
    scenarios_blind,
    scenarios_bugs,
    scenarios_eighth_round,
    scenarios_eleventh_round,
    scenarios_fifteenth_round,
    scenarios_fifth_round,
    scenarios_fourteenth_round,
    scenarios_fourth_round,
    scenarios_long,
    scenarios_programs,
    scenarios_second_round,
    scenarios_seventeenth_round,
    scenarios_seventh_round,
    scenarios_sixteenth_round,
    scenarios_tenth_round,
    scenarios_third_round,
    scenarios_thirteenth_round,
    scenarios_threads,
    scenarios_twelfth_round,
)
from captures.recorders.liftbridge.setup import ALL, NATS, PORTS, RAW, Blame, Facts, Scenario

MODULE = "captures.recorders.liftbridge.record"
SCRIPTS = (
    scenarios,
    scenarios_bugs,
    scenarios_long,
    scenarios_threads,
    scenarios_blind,
    scenarios_second_round,
    scenarios_third_round,
    scenarios_fourth_round,
    scenarios_fifth_round,
    scenarios_seventh_round,
    scenarios_eighth_round,
    scenarios_tenth_round,
    scenarios_eleventh_round,
    scenarios_twelfth_round,
    scenarios_thirteenth_round,
    scenarios_fourteenth_round,
    scenarios_fifteenth_round,
    scenarios_sixteenth_round,
    scenarios_seventeenth_round,
    scenarios_programs,
)
BY_HAND = "hand-made driver of this repository (captures/recorders/liftbridge/wire.py)"
FILTER = " or ".join(f"tcp port {port}" for port in PORTS)


def provenance(item: Scenario, facts: Facts, file: Path) -> None:
    """Writes down where a recording comes from and what others counted in it.

    What `facts` has as `guilty` becomes rows of that name: rules, and the frames that the driver
    knows to be at fault.
    """
    facts = dict(facts)
    guilty: list[Blame] = facts.pop("guilty", [])  # type: ignore[assignment]
    data: dict[str, object] = {
        "title": item.title,
        "protocol": "liftbridge",
        "date": dt.datetime.now(dt.UTC).strftime("%Y-%m-%d"),
        "server": clients.described(item.server),
        "client": BY_HAND if item.peer == RAW else clients.described(item.peer),
        "healthy": item.healthy,
        "shows": item.shows,
        **({"fault": item.fault, "class": item.kind} if item.fault else {}),
        **({"thread": item.thread} if item.thread else {}),
        "how": f"python3 -m {MODULE} {item.name}",
        "script": f"{item.name} in {item.source}",
        "capture": f"{lab.tcpdump_of()} '{FILTER}' ({lab.tool('tcpdump')})",
        "segments": "lo with mtu 1500; tso, gso and gro off",
        "edits": f"none but the container: editcap -F pcapng ({lab.tool('editcap')})"
        + ("; gzip" if file.suffix == ".gz" else ""),
        "secrets": "none",
        "licence": "MIT",
        "server_ports": list(PORTS),
        "file": file.name,
        "sha256": lab.sha256(file),
    }
    found = list(coverage.frames(file))
    if item.larger_because:
        data["larger_because"] = item.larger_because
    if item.faults:
        data["faults"] = item.faults
    if guilty:
        data["guilty"] = [row(blame, file, found) for blame in guilty]
    elif item.marks:
        data["guilty"] = marks.rows(item.marks, file, list(PORTS), found, "key")
    if item.peer == RAW:
        data["note"] = "The client is hand-made; every frame of the servers is a real server's."
    data["expected"] = (
        lab.tcp_counts(file, list(PORTS))
        | facts
        | coverage.table(found)
        | {"calls": coverage.calls(file)}
    )
    lab.write_toml(file.parent / "provenance.toml", data)


def row(blame: Blame, file: Path, found: list[coverage.Seen]) -> dict[str, object]:
    """One row of `[[guilty]]`: the frame, and the packet that ended it.

    What the driver counted and what an independent reader finds in the capture must agree.
    """
    ports = lab.fields(file, "tcp.stream", "tcp.srcport")
    stream = next(int(number) for number, port in ports if port == str(blame.port))
    of = stream, blame.sender
    frame = [each for each in found if (each.stream, each.sender) == of][blame.nth - 1]
    if blame.counted not in (None, (frame.key, frame.end)):
        raise SystemExit(f"{blame} is not {frame}")
    parts = segments.pieces(file, [NATS])[of]
    end = parts[0].sequence + frame.end
    packet = next(p.number for p in parts if p.sequence < end <= p.sequence + len(p.data))
    told: dict[str, object] = {
        "rule": blame.rule,
        "connection": stream,
        "sender": blame.sender,
        "nth": blame.nth,
    }
    told |= {"last": blame.last} if blame.last else {}
    return told | {"key": f"{frame.key:#04x}", "packet": packet}


def play(item: Scenario, work: Path) -> bool:
    """Records one scenario; says whether it went well."""
    print(item.name, flush=True)
    pcap = work / f"{item.name}.pcap"
    try:
        with lab.tcpdump(pcap, FILTER), clients.server(item.server, large=item.large):
            facts = item.play()
        provenance(item, facts, lab.store(pcap, coverage.FOLDER / item.name))
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
        return False
    return True


def inside(names: list[str]) -> int:
    """Everything that happens in the namespaces."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        lab.settle(work)
        os.chdir(work)
        bad = [name for name in names if not play(ALL[name], work)]
    print("failed:", " ".join(bad) or "none")
    return int(bool(bad))


def main() -> int:
    """Records scenarios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("scenario", nargs="*")
    options = parser.parse_args()
    if options.list:
        for item in ALL.values():
            print(f"{item.name:40} {item.title}")
        return 0
    if options.inside:
        return inside(options.scenario)
    names = options.scenario or [name for name in ALL if name not in coverage.scenarios()]
    if unknown := set(names) - set(ALL):
        raise SystemExit(f"no such scenario: {', '.join(sorted(unknown))}")
    return record(names) if names else 0


def record(names: list[str]) -> int:
    """Prepares the peers outside, where there is a network, and goes inside."""
    lab.require("tcpdump", "tshark", "editcap", "ethtool", "unshare", "ip", "ss")
    if os.geteuid():
        raise SystemExit("namespaces and tcpdump need root")
    clients.prepare({each for name in names for each in (ALL[name].peer, ALL[name].server)})
    return lab.enter(MODULE, names)


if __name__ == "__main__":
    sys.exit(main())
