"""Records foreign traffic, which Streamshark is not to take for a protocol of its own.

    python3 -m captures.recorders.foreign.record [SCENARIO...]      (as root, from the top)

Without a name, everything that has no recording yet. `--list` names the scenarios. The captures are
in tests/foreign/traffic.
"""

import argparse
import datetime as dt
import os
import sys
import tempfile
import traceback
from pathlib import Path

from captures.recorders import lab
from captures.recorders.foreign.setup import ALL, Scenario, play

MODULE = "captures.recorders.foreign.record"
FOLDER = Path(__file__).parents[3] / "tests" / "foreign" / "traffic"
VENV = lab.CACHE / "clients" / "foreign"
PACKAGES = (
    "asyncssh==2.24.1 cpppo==5.2.5 httpx[http2]==0.28.1 paho-mqtt==2.2.0 pika==1.4.4 "
    "pymodbus==3.16.1 python-openflow==2021.1 python-snap7==3.3.0 pyzmq==27.3.0 "
    "websockets==15.0.1"
)
PROGRAMS = (
    "dig dnsmasq editcap erl ethtool git ip ldapsearch mariadbd memcached mosquitto nameclt nghttp "
    "nghttpd omniNames openssl psql rabbitmq-server redis-server rsync slapd smbclient smbd "
    "tcpdump tshark unshare"
)


def provenance(item: Scenario, file: Path) -> None:
    """Writes down where a recording comes from, and what tshark counts in it."""
    ports = " or ".join(f"tcp port {port}" for port in item.ports)
    relayed = ", then over a relay on each of " + ", ".join(str(port) for port in item.relayed)
    counts = lab.tcp_counts(file, [item.port, *item.others])
    data: dict[str, object] = {
        "title": item.title,
        "protocol": item.name,
        "date": dt.datetime.now(dt.UTC).strftime("%Y-%m-%d"),
        "server": item.server,
        "client": item.client,
        "healthy": True,
        "shows": f"{item.rounds} rounds with the server"
        + (f"{relayed}, which connects to the server from the same port." if item.relayed else "."),
        "how": f"python3 -m {MODULE} {item.name}",
        "script": f"{item.name} in {item.source}",
        "capture": f"{lab.tcpdump_of()} '{ports}' ({lab.tool('tcpdump')})",
        "segments": "lo with mtu 1500; tso, gso and gro off",
        "edits": f"none but the container: editcap -F pcapng ({lab.tool('editcap')})"
        + ("; gzip" if file.suffix == ".gz" else ""),
        "secrets": "throwaway: names, passwords and keys made for the recording",
        "licence": "MIT",
        "server_ports": list(dict.fromkeys(item.ports)),
        "file": file.name,
        "sha256": lab.sha256(file),
        "expected": {key: counts[key] for key in ("packets", "tcp_streams")},
    }
    lab.write_toml(file.parent / "provenance.toml", data)


def record(item: Scenario, work: Path) -> bool:
    """Records one scenario; says whether it went well."""
    print(item.name, flush=True)
    folder = work / item.name
    folder.mkdir()
    os.chdir(folder)
    folder.chmod(0o777)
    pcap = work / f"{item.name}.pcap"
    try:
        with item.serve(folder):
            ports = " or ".join(f"tcp port {port}" for port in item.ports)
            with lab.tcpdump(pcap, ports):
                play(item)
        provenance(item, lab.store(pcap, FOLDER / item.name))
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
        return False
    return True


def inside(names: list[str]) -> int:
    """Everything that happens in the namespaces."""
    scenarios()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        work.chmod(0o755)
        lab.settle(work)
        bad = [name for name in names or missing() if not record(ALL[name], work)]
        os.chdir("/")
    print("failed:", " ".join(bad) or "none")
    return int(bool(bad))


def missing() -> list[str]:
    """Scenarios that have no recording yet."""
    return [name for name in ALL if not (FOLDER / name / "provenance.toml").exists()]


def scenarios() -> None:
    """Makes the scenarios known; needs the packages."""
    from captures.recorders.foreign import (  # noqa: F401, PLC0415
        scenarios_databases,
        scenarios_industry,
        scenarios_streams,
    )


def main() -> int:
    """Records scenarios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("scenario", nargs="*")
    options = parser.parse_args()
    if options.inside:
        return inside(options.scenario)
    if not (VENV / "bin/python").exists():
        lab.run(f"{sys.executable} -m venv {VENV} && {VENV}/bin/pip install {PACKAGES}")
    if options.list:
        show = f"from {MODULE} import *; scenarios(); print(*ALL, sep='\\n')"
        print(lab.run(f'{VENV}/bin/python -c "{show}"', cwd=lab.CAPTURES.parent), end="")
        return 0
    lab.require(*PROGRAMS.split())
    if os.geteuid():
        raise SystemExit("namespaces and tcpdump need root")
    return lab.enter(MODULE, options.scenario, VENV / "bin/python")


if __name__ == "__main__":
    sys.exit(main())
