"""Records the NATS captures: real peers, real packets.

    python3 -m captures.recorders.nats.record [SCENARIO...]      (as root, from the top)

Without a name, everything that has no recording yet. `--list` names the scenarios.
"""

import argparse
import datetime as dt
import os
import sys
import tempfile
import traceback
from pathlib import Path

from captures.recorders import lab, marks, segments
from captures.recorders.nats import (
    coverage,
    peers,
    scenarios_blind,
    scenarios_bugs,
    scenarios_clients,
    scenarios_eighth_round,
    scenarios_eleventh_round,
    scenarios_fifteenth_round,
    scenarios_fifth_round,
    scenarios_fourteenth_round,
    scenarios_fourth_round,
    scenarios_healthy,
    scenarios_long,
    scenarios_ninth_round,
    scenarios_programs,
    scenarios_rules,
    scenarios_second_round,
    scenarios_servers,
    scenarios_seventeenth_round,
    scenarios_seventh_round,
    scenarios_sixteenth_round,
    scenarios_stalls,
    scenarios_states,
    scenarios_tenth_round,
    scenarios_third_round,
    scenarios_thirteenth_round,
    scenarios_threads,
    scenarios_twelfth_round,
)
from captures.recorders.nats.setup import ALL, RAW, SECRETS, Blame, Facts, Scenario

MODULE = "captures.recorders.nats.record"
SCRIPTS = (
    scenarios_clients,
    scenarios_servers,
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
    scenarios_ninth_round,
    scenarios_tenth_round,
    scenarios_eleventh_round,
    scenarios_twelfth_round,
    scenarios_thirteenth_round,
    scenarios_fourteenth_round,
    scenarios_fifteenth_round,
    scenarios_sixteenth_round,
    scenarios_seventeenth_round,
    scenarios_programs,
    scenarios_states,
    scenarios_stalls,
    scenarios_rules,
    scenarios_healthy,
)
BY_HAND = "raw socket driver of this repository (captures/recorders/nats/wire.py)"
SERVED_BY_HAND = "server by hand of this repository (captures/recorders/nats/wire.py)"


def provenance(item: Scenario, facts: Facts, file: Path) -> None:
    """Writes down where a recording comes from and what others counted in it.

    What `facts` has as `guilty` becomes rows of that name: rules, and the frames that the driver
    knows to be at fault.
    """
    facts = dict(facts)
    guilty: list[Blame] = facts.pop("guilty", [])  # type: ignore[assignment]
    ports = " or ".join(f"tcp port {port}" for port in item.ports)
    data: dict[str, object] = {
        "title": item.title,
        "protocol": "nats",
        "date": dt.datetime.now(dt.UTC).strftime("%Y-%m-%d"),
        "server": SERVED_BY_HAND if item.server == RAW else peers.described(item.server),
        "client": BY_HAND if item.peer == RAW else peers.described(item.peer),
        "healthy": item.healthy,
        "shows": item.shows,
        **({"fault": item.fault, "class": item.kind} if item.fault else {}),
        **({"thread": item.thread} if item.thread else {}),
        "how": f"python3 -m {MODULE} {item.name}",
        "script": f"{item.name} in {item.source}",
        "capture": f"{lab.tcpdump_of()} '{ports}' ({lab.tool('tcpdump')})",
        "segments": "lo with mtu 1500; tso, gso and gro off",
        "edits": f"none but the container: editcap -F pcapng ({lab.tool('editcap')})"
        + ("; TLS secrets put into the file by --inject-secrets" if item.secure else "")
        + ("; gzip" if file.suffix == ".gz" else ""),
        "secrets": "throwaway: app/throwaway and keys made for the recording",
        "licence": "MIT",
        "server_ports": list(item.ports),
        "file": file.name,
        "sha256": lab.sha256(file),
    }
    found = list(coverage.frames(file, list(item.ports)))
    if item.faults:
        data["faults"] = item.faults
    if guilty:
        data["guilty"] = [row(blame, file, item, found) for blame in guilty]
    elif item.marks:
        data["guilty"] = marks.rows(item.marks, file, list(item.ports), found, "command")
    data["expected"] = lab.tcp_counts(file, list(item.ports)) | facts | coverage.table(found)
    lab.write_toml(file.parent / "provenance.toml", data)


def row(blame: Blame, file: Path, item: Scenario, found: list[coverage.Seen]) -> dict[str, object]:
    """One row of `[[guilty]]`: the frame, and the packet that ended it."""
    of = blame.connection, blame.sender
    frame = [each for each in found if (each.stream, each.sender) == of][blame.nth - 1]
    parts = segments.pieces(file, list(item.ports))[of]
    end = parts[0].sequence + frame.end
    packet = next(p.number for p in parts if p.sequence < end <= p.sequence + len(p.data))
    told: dict[str, object] = {
        "rule": blame.rule,
        "connection": blame.connection,
        "sender": blame.sender,
        "nth": blame.nth,
    }
    told |= {"last": blame.last} if blame.last else {}
    return told | {"key": frame.command, "packet": packet}


def play(item: Scenario, work: Path) -> bool:
    """Records one scenario; says whether it went well."""
    print(item.name, flush=True)
    pcap = work / f"{item.name}.pcap"
    try:
        with lab.tcpdump(pcap, " or ".join(f"tcp port {port}" for port in item.ports)):
            facts = item.play()
        secrets = work / SECRETS if item.secure else None
        provenance(item, facts, lab.store(pcap, coverage.FOLDER / item.name, secrets))
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
    names = list(options.scenario)
    if options.inside:
        return inside(names)
    if not options.scenario:
        recorded = coverage.scenarios()
        names = [name for name in ALL if name not in recorded]
    if unknown := set(names) - set(ALL):
        raise SystemExit(f"no such scenario: {', '.join(sorted(unknown))}")
    return record(names) if names else 0


def record(names: list[str]) -> int:
    """Prepares the peers outside, where there is a network, and goes inside."""
    lab.require("tcpdump", "tshark", "editcap", "ethtool", "unshare", "ip")
    if os.geteuid():
        raise SystemExit("namespaces and tcpdump need root")
    wanted = {each for name in names for each in (ALL[name].peer, ALL[name].server)}
    peers.prepare(wanted - {RAW})
    return lab.enter(MODULE, names)


if __name__ == "__main__":
    sys.exit(main())
