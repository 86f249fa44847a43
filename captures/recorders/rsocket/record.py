"""Records the RSocket captures: real peers, real packets.

    python3 -m captures.recorders.rsocket.record [SCENARIO...]      (as root, from the top)

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
from captures.recorders.rsocket import (
    clients,
    coverage,
    edits,
    scenarios_blind,
    scenarios_bugs,
    scenarios_bugs_connection,
    scenarios_clients,
    scenarios_eighth_round,
    scenarios_eleventh_round,
    scenarios_fifteenth_round,
    scenarios_fifth_round,
    scenarios_fourteenth_round,
    scenarios_fourth_round,
    scenarios_healthy,
    scenarios_java,
    scenarios_js,
    scenarios_long,
    scenarios_programs,
    scenarios_reading,
    scenarios_rules,
    scenarios_second_round,
    scenarios_seventeenth_round,
    scenarios_seventh_round,
    scenarios_sixteenth_round,
    scenarios_tenth_round,
    scenarios_third_round,
    scenarios_thirteenth_round,
    scenarios_threads,
    scenarios_twelfth_round,
    scenarios_websocket,
)
from captures.recorders.rsocket.setup import ALL, PORT, RAW, SECRETS, TLS, Blame, Facts, Scenario

MODULE = "captures.recorders.rsocket.record"
SCRIPTS = (
    scenarios_java,
    scenarios_js,
    scenarios_long,
    scenarios_clients,
    scenarios_bugs,
    scenarios_bugs_connection,
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
    scenarios_websocket,
    scenarios_programs,
    scenarios_reading,
    scenarios_rules,
    scenarios_healthy,
)
BY_HAND = "raw socket driver of this repository (captures/recorders/rsocket/wire.py)"


def provenance(item: Scenario, facts: Facts, file: Path) -> None:
    """Writes down where a recording comes from and what others counted in it.

    What `facts` has as `guilty` becomes rows of that name: rules, and the frames that the driver
    knows to be at fault.
    """
    facts = dict(facts)
    guilty: list[Blame] = facts.pop("guilty", [])  # type: ignore[assignment]
    client, server = item.peer, item.server or item.peer
    log = kept_log(facts.pop("log", None), file)
    data: dict[str, object] = {
        "title": item.title,
        "protocol": "rsocket",
        "date": dt.datetime.now(dt.UTC).strftime("%Y-%m-%d"),
        "server": BY_HAND if server == RAW else clients.described(server),
        "client": BY_HAND if client == RAW else clients.described(client),
        "healthy": item.healthy,
        "shows": item.shows,
        **({"fault": item.fault, "class": item.kind} if item.fault else {}),
        **({"thread": item.thread} if item.thread else {}),
        "how": f"python3 -m {MODULE} {item.name}",
        "script": f"{item.name} in {item.source}",
        "capture": f"{lab.tcpdump_of()} 'tcp port {item.port}' ({lab.tool('tcpdump')})",
        "segments": "lo with mtu 1500; tso, gso and gro off",
        "edits": f"none but the container: editcap -F pcapng ({lab.tool('editcap')})"
        + ("; TLS secrets put into the file by --inject-secrets" if item.port == TLS else "")
        + ("; gzip" if file.suffix == ".gz" else ""),
        "secrets": "throwaway: user/throwaway and tokens made for the recording",
        "licence": "MIT",
        "server_ports": [item.port],
        "file": file.name,
        "sha256": lab.sha256(file),
    }
    found = list(coverage.frames(file, [item.port]))
    if item.faults:
        data["faults"] = item.faults
    if guilty:
        data["guilty"] = [row(blame, file, found) for blame in guilty]
    elif item.marks:
        data["guilty"] = marks.rows(item.marks, file, [item.port], found, "key")
    if RAW in (client, server):
        side, real = ("client", "server") if client == RAW else ("server", "client")
        data["note"] = f"The {side} is hand-made; every frame of the {real} is the real library's."
    data["expected"] = lab.tcp_counts(file, [item.port]) | facts | coverage.table(found)
    data |= log
    lab.write_toml(file.parent / "provenance.toml", data)


def row(blame: Blame, file: Path, found: list[coverage.Seen]) -> dict[str, object]:
    """One row of `[[guilty]]`: the frame, and the packet that ended it.

    What the driver counted and what an independent reader finds in the capture must agree.
    """
    of = blame.connection, blame.sender
    frame = [each for each in found if (each.stream, each.sender) == of][blame.nth - 1]
    if blame.counted not in (None, (frame.key, frame.id, frame.end)):
        raise SystemExit(f"{blame} is not {frame}")
    parts = segments.pieces(file, [PORT])[of]
    end = parts[0].sequence + frame.end
    packet = next(p.number for p in parts if p.sequence < end <= p.sequence + len(p.data))
    told: dict[str, object] = {
        "rule": blame.rule,
        "connection": blame.connection,
        "sender": blame.sender,
        "nth": blame.nth,
    }
    told |= {"last": blame.last} if blame.last else {}
    return told | {"key": f"{frame.key:#04x}", "stream": frame.id, "packet": packet}


def kept_log(log: object, file: Path) -> dict[str, object]:
    """Puts what a library wrote of its frames beside the traffic; what provenance says of it."""
    if log is None:
        return {}
    place = file.with_name("frames.log")
    place.write_text(str(log))
    return {"log": place.name, "log_sha256": lab.sha256(place)}


def play(item: Scenario, work: Path) -> bool:
    """Records one scenario; says whether it went well."""
    print(item.name, flush=True)
    pcap = work / f"{item.name}.pcap"
    try:
        with lab.tcpdump(pcap, f"tcp port {item.port}"):
            facts = item.play()
        secrets = work / SECRETS if item.port == TLS else None
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
    """Records scenarios, then cuts what is cut from them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("scenario", nargs="*")
    options = parser.parse_args()
    if options.list:
        for item in ALL.values():
            print(f"{item.name:40} {item.title}")
        return 0
    cut = [name for name in options.scenario if name in edits.ALL]
    names = [name for name in options.scenario if name not in edits.ALL]
    if options.inside:
        return inside(names)
    if not options.scenario:
        recorded = coverage.scenarios()
        names = [name for name in ALL if name not in recorded]
        cut = [name for name in edits.ALL if name not in recorded]
    if unknown := set(names) - set(ALL):
        raise SystemExit(f"no such scenario: {', '.join(sorted(unknown))}")
    status = record(names) if names else 0
    for name in cut:
        edits.make(name)
    return status


def record(names: list[str]) -> int:
    """Prepares the peers outside, where there is a network, and goes inside."""
    lab.require("tcpdump", "tshark", "editcap", "ethtool", "unshare", "ip")
    if os.geteuid():
        raise SystemExit("namespaces and tcpdump need root")
    clients.prepare({peer for name in names for peer in ALL[name].peers})
    return lab.enter(MODULE, names)


if __name__ == "__main__":
    sys.exit(main())
