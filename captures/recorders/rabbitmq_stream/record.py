"""Records the RabbitMQ Streams captures: real brokers, real clients, real packets.

    python3 -m captures.recorders.rabbitmq_stream.record [SCENARIO...]      (as root, from the top)

Without a name, everything that has no recording yet. `--list` names the scenarios.
"""

import argparse
import datetime as dt
import os
import sys
import tempfile
import traceback
from itertools import groupby
from pathlib import Path

from captures.recorders import lab
from captures.recorders.rabbitmq_stream import (
    broker,
    clients,
    coverage,
    edits,
    expected_findings,
    scenarios_amqp,
    scenarios_broker_3,
    scenarios_broker_4,
    scenarios_bugs,
    scenarios_bugs_relayed,
    scenarios_eighth_round,
    scenarios_eleventh_round,
    scenarios_fifteenth_round,
    scenarios_fifth_round,
    scenarios_fourteenth_round,
    scenarios_fourth_round,
    scenarios_go,
    scenarios_healthy,
    scenarios_java,
    scenarios_libraries,
    scenarios_load,
    scenarios_near_misses,
    scenarios_others,
    scenarios_programs,
    scenarios_rules,
    scenarios_second_round,
    scenarios_seventeenth_blind,
    scenarios_seventh_round,
    scenarios_sixteenth_blind,
    scenarios_sixteenth_round,
    scenarios_strangers,
    scenarios_tenth_round,
    scenarios_third_round,
    scenarios_thirteenth_round,
    scenarios_threads,
    scenarios_threads_sealed,
    scenarios_twelfth_round,
)
from captures.recorders.rabbitmq_stream.setup import ALL, Scenario, Stage

MODULE = "captures.recorders.rabbitmq_stream.record"
SCRIPTS = (
    scenarios_libraries,
    scenarios_broker_3,
    scenarios_broker_4,
    scenarios_java,
    scenarios_go,
    scenarios_others,
    scenarios_amqp,
    scenarios_bugs,
    scenarios_bugs_relayed,
    scenarios_near_misses,
    scenarios_load,
    scenarios_strangers,
    scenarios_threads,
    scenarios_threads_sealed,
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
    scenarios_programs,
    scenarios_sixteenth_round,
    scenarios_rules,
    scenarios_sixteenth_blind,
    scenarios_seventeenth_blind,
    scenarios_healthy,
)
RAW = "raw socket driver of this repository (captures/recorders/rabbitmq_stream/wire.py)"
VARIANTS = {
    "": "",
    "challenge": (
        "auth_mechanisms.1 = PLAIN\nauth_mechanisms.2 = AMQPLAIN\n"
        "auth_mechanisms.3 = RABBIT-CR-DEMO\n"
    ),
    "fallen": "",
    "amqp_1_0": "+rabbitmq_amqp1_0",
    "tls": broker.TLS,
    "proxy": "loopback_users = none\n-rabbitmq_stream proxy_protocol true",
    "frames": "stream.frame_max = 4096",
    "cluster": broker.CLUSTER,
    "advertised": "stream.advertised_host = stream-0.example",
}


def provenance(item: Scenario, stage: Stage, facts: dict[str, object], file: Path) -> None:
    """Writes down where a recording comes from and what others counted in it."""
    found = list(coverage.frames(file, item.ports))
    client = RAW if item.client == "raw" else clients.described(item.client)
    data: dict[str, object] = {
        "title": item.title,
        "protocol": "rabbitmq_stream",
        "date": dt.datetime.now(dt.UTC).strftime("%Y-%m-%d"),
        "server": stage.broker.versions(),
        "client": client,
        "healthy": item.healthy,
        "shows": item.shows,
        "how": f"python3 -m {MODULE} {item.name}",
        "script": f"{item.play.__code__.co_name} in {relative(item.play.__code__.co_filename)}",
        "capture": f"{lab.tcpdump_of(item.interface)} '{item.what}' ({lab.tool('tcpdump')})",
        "segments": f"{item.interface} with mtu 1500; tso, gso and gro off",
        "edits": f"none but the container: editcap -F pcapng ({lab.tool('editcap')})"
        + ("; TLS secrets put into the file by --inject-secrets" if stage.secrets else "")
        + ("; gzip" if file.suffix == ".gz" else ""),
        "secrets": "throwaway: guest/guest and users made for the recording",
        "licence": "MIT",
        "server_ports": item.ports,
        "file": file.name,
        "sha256": lab.sha256(file),
    }
    if item.client == "raw":
        data["note"] = "The client side is hand-made; every answer is the real broker's"
        data["note"] += ", but for what the relay does to it." if item.relay else "."
    if item.relay:
        data["relay"] = f"Between client and broker, the client's side recorded: {item.relay}"
    if VARIANTS[item.variant]:
        data["broker_configuration"] = VARIANTS[item.variant]
    if stage.log:
        data["broker_commands"] = stage.log
    if item.thread:
        data |= {"class": item.category} if item.category else {}
        data["thread"] = item.thread
    if item.fault:
        data["fault"] = item.fault
    if item.faults:
        data["faults"] = item.faults
    blames = stage.blames or expected_findings.earlier(item.name, found)
    if item.guilty:
        blames = expected_findings.unnamed(item.guilty(found), found)
    if blames:
        data["guilty"] = [expected_findings.row(blame, file, item.ports) for blame in blames]
    data["expected"] = lab.tcp_counts(file, item.ports) | facts | coverage.table(found)
    lab.write_toml(file.parent / "provenance.toml", data)


def relative(file: str) -> str:
    """A path as the repository sees it."""
    return str(Path(file).relative_to(lab.CAPTURES.parent))


def play(item: Scenario, running: broker.Broker, work: Path) -> bool:
    """Records one scenario; says whether it went well."""
    print(f"{item.name} ({running.release} {item.variant})", flush=True)
    pcap = work / f"{item.name}.pcap"
    stage = Stage(running, item.name)
    stage.work = work
    try:
        if item.setup:
            item.setup(stage)
        stage.connections.clear()
        with lab.tcpdump(pcap, item.what, item.interface):
            facts = dict(item.play(stage) or {})
        if item.client != "raw":
            facts |= stage.messages()
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
        return False
    folder = coverage.FOLDER / item.name
    provenance(item, stage, facts, lab.store(pcap, folder, stage.secrets))
    return True


def inside(names: list[str]) -> int:
    """Everything that happens in the namespaces."""
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        lab.settle(work)
        chosen = sorted((ALL[n] for n in names), key=lambda s: (s.release, s.variant))
        for (release, variant), items in groupby(chosen, key=lambda s: (s.release, s.variant)):
            nodes = 3 if variant == "cluster" else 1
            running = broker.Broker(release, work / "broker.log", VARIANTS[variant], nodes)
            running.start()
            print(running.versions(), flush=True)
            bad += [item.name for item in items if not play(item, running, work)]
            running.stop()
    print("failed:", " ".join(bad) or "none")
    return int(bool(bad))


def main() -> int:
    """Prepares outside, where there is a network, and records inside."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("scenario", nargs="*")
    options = parser.parse_args()
    if options.list:
        for item in ALL.values():
            print(f"{item.name:40} {item.release:5} {item.title}")
        return 0
    cut = [n for n in options.scenario if n in edits.ALL]
    names = [n for n in options.scenario if n not in edits.ALL]
    if options.inside:
        return inside(names)
    if not options.scenario:
        names = [n for n in ALL if not (coverage.FOLDER / n / "provenance.toml").exists()]
        cut = list(edits.ALL)
    if unknown := set(names) - set(ALL):
        raise SystemExit(f"no such scenario: {', '.join(sorted(unknown))}")
    status = record(names) if names else 0
    for name in cut:
        edits.make(name)
    return status


def record(names: list[str]) -> int:
    """Prepares brokers and clients, then goes inside."""
    lab.require("tcpdump", "tshark", "editcap", "ethtool", "unshare", "ip", "openssl")
    if os.geteuid():
        raise SystemExit("namespaces, chroot and tcpdump need root")
    for release in {ALL[n].release for n in names}:
        broker.prepare(release)
    clients.prepare({ALL[n].client for n in names})
    for driver in sorted({ALL[n].driver for n in names} - {""}):
        clients.build(driver)
    return lab.enter(MODULE, names)


if __name__ == "__main__":
    sys.exit(main())
