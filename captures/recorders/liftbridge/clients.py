"""The peers, fetched and built once in the cache from their registries, and how they are run."""

import contextlib
import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from captures.recorders import lab
from captures.recorders.liftbridge.setup import (
    ACCOUNTS,
    APART,
    API,
    BOTH,
    BUS,
    EARLIER_GO,
    GO,
    GUFO,
    NATS,
    OLD,
    OLD_GO,
    ONE,
    PYTHON,
    RAW,
    THREE,
)

MODULE = "github.com/liftbridge-io/liftbridge"
NEW_VERSION, OLD_VERSION = "v1.9.0", "v0.0.1-alpha"
CLIENT, CLIENT_VERSION = "github.com/liftbridge-io/go-liftbridge/v2", "v2.3.0"
EARLIER_CLIENT_VERSION = "v2.1.0"
OLD_CLIENT = "github.com/liftbridge-io/go-liftbridge"
OLD_CLIENT_VERSION = "v0.0.0-20191106180712-4f7e4b9d8611"
NATS_GO, API_GO = "github.com/nats-io/nats.go@v1.47.0", "github.com/liftbridge-io/liftbridge-api"
PY_VERSION, GUFO_VERSION = "0.0.7", "0.2.0"
PEERS = lab.CACHE / "clients"
DRIVERS = Path(__file__).parent / "drivers"
BUILD = "GOFLAGS=-mod=mod go"
START = 40
"""Seconds that a server may take until it listens."""
ONE_CONFIG = """\
listen: 127.0.0.1:{port}
host: 127.0.0.1
port: {port}
data.dir: {folder}/data-{id}
logging.level: error
activity.stream.enabled: {activity}
activity.stream.publish.ack.policy: leader
cursors.stream.partitions: {cursors}
cursors.stream.replication.factor: 1
groups.consumer.timeout: 5s
groups.coordinator.timeout: 5s
clustering:
  server.id: {id}
  raft.bootstrap.seed: {seed}
  replication.max.bytes: {most}
  replica.max.leader.timeout: 4s
  replica.max.lag.time: 4s
  replica.max.idle.wait: 2s
nats:
"""
OLD_CONFIG = """\
listen: "127.0.0.1:9292"
data.dir: "{folder}/old"
log.level: "error"
nats {{ servers: ["nats://127.0.0.1:4222"] }}
clustering {{ server.id: "lift-1", raft.bootstrap.seed: true }}
"""

ACCOUNTS_CONFIG = f"""\
listen: 127.0.0.1:{NATS}
accounts {{
  PLANT {{ users: [ {{ user: plant, password: throwaway }} ] }}
  GUESTS {{ users: [ {{ user: guest, password: throwaway }} ] }}
}}
no_auth_user: plant
"""
"""The server of Liftbridge, which has no user, is in the first account."""


def prepare(peers: set[str]) -> None:
    """Fetches and builds what is not there."""
    lab.require("go", "nats-server")
    module("server", [f"{MODULE}@{NEW_VERSION}"], build=MODULE)
    if OLD in peers or OLD_GO in peers:
        module("old", [f"{MODULE}@{OLD_VERSION}"], build=MODULE)
    if peers & {GO, BOTH, RAW, OLD_GO}:
        needs = [f"{CLIENT}@{CLIENT_VERSION}", NATS_GO, f"{API_GO}@v1.9.0"]
        for source in sorted(DRIVERS.glob("go_*.go")):
            module("go", needs, driver=source.name)
    if EARLIER_GO in peers:
        needs = [f"{CLIENT}@{EARLIER_CLIENT_VERSION}"]
        module(EARLIER_GO, needs, driver="earlier_go_plays.go")
    if OLD_GO in peers:
        module("old_go", [f"{OLD_CLIENT}@{OLD_CLIENT_VERSION}"], driver="old_go_plays.go")
    if peers & {PYTHON, BOTH} and not (PEERS / "liftbridge_py/bin/python").exists():
        lab.run(f"{sys.executable} -m venv {PEERS}/liftbridge_py")
        wanted = f"python-liftbridge=={PY_VERSION} protobuf==3.20.3 grpcio"
        lab.run(f"{PEERS}/liftbridge_py/bin/python -m pip -q install {wanted}")
    if GUFO in peers and not (folder_of(GUFO) / "bin/python").exists():
        lab.run(f"{sys.executable} -m venv {folder_of(GUFO)}")
        lab.run(f"{folder_of(GUFO)}/bin/python -m pip -q install gufo-liftbridge=={GUFO_VERSION}")


def folder_of(peer: str) -> Path:
    """Where a peer is built."""
    return PEERS / f"liftbridge_{peer}"


def module(peer: str, needs: list[str], driver: str = "", build: str = ".") -> None:
    """A Go program in a module of its own: the proxy serves exact versions if a module asks."""
    folder = folder_of(peer)
    folder.mkdir(parents=True, exist_ok=True)
    name = driver.removesuffix(".go").removeprefix("go_")
    own = bool(driver) and name not in ("plays", "old_go_plays", "earlier_go_plays")
    program, place = (name, f"of_{name}") if own else ("program", "")
    new = not (folder / program).exists()
    if not (folder / "go.mod").exists():
        (folder / "go.mod").write_text("module recorder\n\ngo 1.24\n")
        for each in needs:
            lab.run(f"{BUILD} get {each}", cwd=folder)
    if driver:
        text, copy = (DRIVERS / driver).read_text(), folder / place / "main.go"
        if not copy.exists() or copy.read_text() != text:
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(text)
            new = True
    if new:
        lab.run(f"{BUILD} build -p 1 -o {program} {f'./{place}' if own else build}", cwd=folder)


def described(peer: str) -> str:
    """A peer and its version, as provenance says it."""
    nats = lab.run("nats-server --version").strip().replace(": v", " ") + " (Debian)"
    go = lab.run("go version").split()[2].replace("go", "Go ")
    server = f"liftbridge {NEW_VERSION} ({MODULE}), {go}"
    if peer == BOTH:
        return f"{described(PYTHON)} and {described(GO)}"
    return {
        ONE: f"{server}, NATS inside",
        APART: f"{server}; {nats}",
        ACCOUNTS: f"{server}; {nats}, two accounts",
        THREE: f"three of {server}; {nats}",
        OLD: f"liftbridge {OLD_VERSION} ({MODULE}), {go}; {nats}",
        BUS: nats,
        GO: f"go-liftbridge {CLIENT_VERSION} ({CLIENT}), nats.go v1.47.0, {go}",
        EARLIER_GO: f"go-liftbridge {EARLIER_CLIENT_VERSION} ({CLIENT}), {go}",
        OLD_GO: f"go-liftbridge of 2019-11-06 ({OLD_CLIENT} {OLD_CLIENT_VERSION}), {go}",
        GUFO: f"gufo-liftbridge {GUFO_VERSION} (PyPI), "
        + lab.run(f"{sys.executable} --version").strip(),
        PYTHON: f"python-liftbridge {PY_VERSION} (PyPI), "
        + lab.run(f"{sys.executable} --version").strip(),
    }[peer]


def wait_for(port: int) -> None:
    """Until something listens."""
    end = time.monotonic() + START
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise SystemExit(f"nothing listens on {port}")


def listens(port: int) -> None:
    """Until the kernel knows a listener: asking by a connection would be recorded."""
    end = time.monotonic() + START
    while f":{port} " not in lab.run("ss -Hltn"):
        if time.monotonic() > end:
            raise SystemExit(f"nothing listens on {port}")
        time.sleep(0.2)


@contextmanager
def process(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs while the block does."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as started:
        try:
            yield started
        finally:
            started.terminate()
            try:
                started.wait(15)
            except subprocess.TimeoutExpired:
                started.kill()


RUNNING: dict[str, subprocess.Popen[bytes]] = {}
"""Servers by id, for those who end one."""


@contextmanager
def bus(configuration: str = f"listen: 127.0.0.1:{NATS}\n") -> Iterator[None]:
    """A NATS server."""
    Path("bus.conf").write_text(configuration)
    with process("nats-server", "-c", "bus.conf"):
        listens(NATS)
        yield


@contextmanager
def node(number: int, *, inside: bool, large: int = 1 << 20, full: bool = True) -> Iterator[None]:
    """One server; `inside` with a NATS of its own."""
    name, folder = f"lift-{number}", Path.cwd()
    text = ONE_CONFIG.format(
        port=API + number - 1, folder=folder, id=name, seed=str(number == 1).lower(), most=large,
        activity=str(full).lower(), cursors=1 if full else 0,
    )  # fmt: skip
    if inside:
        (folder / "nats.conf").write_text(f"listen: 127.0.0.1:{NATS}\n")
        text += f"  embedded: true\n  embedded.config: {folder}/nats.conf\n"
    else:
        text += f"  servers: [nats://127.0.0.1:{NATS}]\n"
    config = folder / f"{name}.yaml"
    config.write_text(text)
    with process(str(folder_of("server") / "program"), "--config", str(config)) as started:
        RUNNING[name] = started
        listens(API + number - 1)
        yield


@contextmanager
def server(which: str, *, large: int = 1 << 20) -> Iterator[None]:
    """The servers of a scenario."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=Path.cwd())))
        stack.enter_context(contextlib.chdir(folder))
        if which != ONE:
            stack.enter_context(bus(ACCOUNTS_CONFIG) if which == ACCOUNTS else bus())
        match which:
            case "old":
                config = Path.cwd() / "old.conf"
                config.write_text(OLD_CONFIG.format(folder=Path.cwd()))
                program = str(folder_of("old") / "program")
                stack.enter_context(process(program, "--config", str(config)))
                listens(API)
                time.sleep(3)
            case "one" | "apart" | "accounts":
                stack.enter_context(node(1, inside=which == ONE, large=large))
                time.sleep(4)
            case "three":
                stack.enter_context(node(1, inside=False, full=False))
                time.sleep(4)
                stack.enter_context(node(2, inside=False, full=False))
                stack.enter_context(node(3, inside=False, full=False))
                time.sleep(6)
        yield


def plays(peer: str, name: str, driver: str = "") -> dict[str, object]:
    """Runs a driver to its end; what it counted.

    A line KILL ID ends that server, RESTART ID ends it and starts it again.
    """
    command = [str(folder_of(peer) / (driver or "program")), name]
    if peer in (PYTHON, GUFO):
        script = str(DRIVERS / f"py_{driver or 'plays'}.py")
        command = [str(folder_of(peer) / "bin/python"), script, name]
    with (
        ExitStack() as again,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as playing,
    ):
        assert playing.stdin
        assert playing.stdout
        last = ""
        for line in playing.stdout:
            last = line
            if line.startswith(("KILL ", "RESTART ")):
                what, server_id = line.split()
                RUNNING[server_id].kill()
                if what == "RESTART":
                    RUNNING[server_id].wait()
                    again.enter_context(process(*map(str, RUNNING[server_id].args)))
                time.sleep(6 if what == "KILL" else 1)
                playing.stdin.write("\n")
                playing.stdin.flush()
    if playing.returncode:
        raise SystemExit(f"{peer} {name} failed")
    counted: dict[str, object] = json.loads(last)
    return counted
