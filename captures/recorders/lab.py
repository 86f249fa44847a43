"""What every recorder needs: a namespace of its own, tcpdump, and provenance.

Nothing recorded may name the machine it was recorded on. So a recorder runs itself again in
fresh network, host-name, mount and process namespaces (`enter`): the only interface is `lo`, the
host is called `broker`, and every process it starts ends with it.
"""

import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

HOST = "broker"
CAPTURES = Path(__file__).parent.parent
CACHE = Path(os.environ.get("STREAMSHARK_CACHE") or Path.home() / ".cache" / "streamshark")
LARGEST = 256 * 1024
HOSTS = f"127.0.0.1 {HOST} localhost\n::1 localhost ip6-localhost\n"


def run(command: str, cwd: Path | None = None) -> str:
    """Runs a shell command, which must succeed, and gives what it prints.

    A tshark among them has neither the preferences nor the plugins of the user.
    """
    if "tshark" in command:
        command = f"export HOME=/nonexistent WIRESHARK_CONFIG_DIR=/nonexistent; {command}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, cwd=cwd
    )
    if done.returncode:
        raise SystemExit(f"{command}\n{done.stdout}{done.stderr}")
    return done.stdout


def require(*programs: str) -> None:
    """Ends with a helpful line when a program is missing."""
    missing = [p for p in programs if shutil.which(p) is None]
    if missing:
        raise SystemExit(f"missing: {', '.join(missing)} (Debian packages of the same names)")


def tool(program: str) -> str:
    """First line of a program's version, without what was compiled in."""
    line = run(f"{program} --version 2>&1 | head -1").strip()
    return line if line.startswith(program) else f"{program}, {line.split('(')[-1].rstrip(').')}"


def enter(module: str, arguments: list[str], python: Path = Path(sys.executable)) -> int:
    """Runs `module` again, with `--inside`, in namespaces of its own."""
    return subprocess.run(
        [
            *("unshare", "--net", "--uts", "--mount", "--pid", "--fork", "--kill-child"),
            *("--mount-proc", "--", str(python), "-m", module, "--inside", *arguments),
        ],
        check=False,
        cwd=CAPTURES.parent,
    ).returncode


def settle(work: Path) -> None:
    """Names the host and brings up `lo` with real segments: first thing to do inside."""
    (work / "hosts").write_text(HOSTS)
    run(f"hostname {HOST}; mount --bind {work}/hosts /etc/hosts")
    run("ip link set lo up; ip link set lo mtu 1500; ethtool -K lo tso off gso off gro off")


def tcpdump_of(interface: str = "lo") -> str:
    """The command that records an interface."""
    return f"tcpdump -i {interface} -s 0 -U --immediate-mode -B 8192"


@contextmanager
def tcpdump(target: Path, what: str, interface: str = "lo") -> Iterator[None]:
    """Records `what` into a pcap file while the block runs."""
    with subprocess.Popen(
        [*tcpdump_of(interface).split(), "-Z", "root", "-w", str(target), what],
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr
        while "listening on" not in process.stderr.readline():
            if process.poll() is not None:
                raise SystemExit("tcpdump does not start")
        time.sleep(0.3)
        try:
            yield
        finally:
            time.sleep(1.0)
            process.send_signal(2)
            process.wait(10)


def store(pcap: Path, folder: Path, secrets: Path | None = None) -> Path:
    """Writes a recording as pcapng, gzipped when that halves it, without host data.

    TLS secrets, when there are any, go into the file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("traffic.*"):
        old.unlink()
    plain = folder / "traffic.pcapng"
    keys = f"--inject-secrets tls,{secrets}" if secrets else ""
    run(f"editcap -F pcapng {keys} {pcap} {plain}")
    data = plain.read_bytes()
    packed = gzip.compress(data, 9, mtime=0)
    if len(data) > 16384 and len(packed) * 2 < len(data):
        plain.unlink()
        plain = folder / "traffic.pcapng.gz"
        plain.write_bytes(packed)
    if plain.stat().st_size > LARGEST:
        print(f"  larger than {LARGEST} bytes: {plain}")
    return plain


def tcp_counts(file: Path, ports: list[int]) -> dict[str, int]:
    """Independent counts by tshark's TCP layer: packets, streams, and payload bytes per sender.

    Bytes are counted once by sequence number, so retransmissions add nothing; of packets that were
    cut short the length that TCP states is counted.
    """
    out = fields(file, "tcp.stream", "tcp.srcport", "tcp.seq_raw", "tcp.len")
    spans: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for stream, source, sequence, length in out:
        if stream:
            sender = "server" if int(source) in ports else "client"
            start = int(sequence)
            spans.setdefault((stream, sender), []).append((start, start + int(length)))
    counts = {"packets": len(out), "tcp_streams": len({stream for stream, _ in spans})}
    for sender in ("client", "server"):
        counts[f"{sender}_bytes"] = sum(
            end - start
            for (_, one), ranges in spans.items()
            if one == sender
            for start, end in union(ranges)
        )
    return counts


def fields(file: Path, *names: str) -> list[list[str]]:
    """Fields of every packet, by tshark."""
    wanted = " ".join(f"-e {name}" for name in names)
    out = run(f"tshark -r {file} -T fields {wanted}")
    return [line.split("\t") for line in out.splitlines()]


def union(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges joined where they touch."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined


def sha256(file: Path) -> str:
    """Digest of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def text(value: object) -> str:
    """A TOML value."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list | tuple):
        one = "[" + ", ".join(text(v) for v in value) + "]"
        long = "[\n" + "".join(f"  {text(v)},\n" for v in value) + "]"
        return one if len(one) < 90 and "\n" not in one else long
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{k} = {text(v)}" for k, v in value.items()) + " }"
    shown = str(value)
    if "\n" in shown or (len(shown) > 90 and '"' in shown):
        return '"""\n' + shown.strip().replace("\\", "\\\\") + '\n"""'
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write_toml(file: Path, data: Mapping[str, object]) -> None:
    """Writes plain values, then tables and lists of tables; checks that it reads back."""
    rows = {k for k, v in data.items() if isinstance(v, list) and v and isinstance(v[0], Mapping)}
    plain = {k: v for k, v in data.items() if not isinstance(v, Mapping) and k not in rows}
    lines = [f"{k} = {text(v)}" for k, v in plain.items()]
    for name, table in data.items():
        if isinstance(table, Mapping):
            lines += _table(name, table)
        elif name in rows and isinstance(table, list):
            for row in table:
                lines += ["", f"[[{name}]]", *(f"{_key(k)} = {text(v)}" for k, v in row.items())]
    content = "\n".join(lines) + "\n"
    tomllib.loads(content)
    file.write_text(content)


def _table(name: str, table: Mapping[str, object]) -> list[str]:
    plain = {k: v for k, v in table.items() if not _nested(v)}
    lines = ["", f"[{name}]"]
    lines += [f"{_key(k)} = {text(v)}" for k, v in plain.items()]
    for key, value in table.items():
        if _nested(value) and isinstance(value, Mapping):
            lines += _table(f"{name}.{_key(key)}", value)
    return lines


def _nested(value: object) -> bool:
    return isinstance(value, Mapping) and any(isinstance(v, Mapping) for v in value.values())


def _key(key: str) -> str:
    return key if key.replace("_", "a").isalnum() and key.isascii() else f'"{key}"'
