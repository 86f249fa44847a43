"""Servers and clients, installed and built once in the cache from their registries."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from captures.recorders import lab
from captures.recorders.nats.setup import NEW, NEWEST, OLD

PY_EARLIER = "2.14.0"
PY, JS, GO, JAVA, RUST = "2.16.0", "2.29.3", "v1.47.0", "2.21.1", "0.42.0"
RUST_NEXT, RUST_EARLIER, C = "0.48.0", "0.39.0", "3.4.1"
NEST, MOLECULER, TRANSPORT = "11.2.6", "0.14.36", "3.4.0"
FASTSTREAM, TASKIQ = "0.7.8", "0.7.0"
CLI, CLI_EARLIER = "v0.5.0", "v0.3.0"
AND = "_and_"
"""Joins the names of clients that play together."""
PEERS = lab.CACHE / "clients"
DRIVERS = Path(__file__).parent / "drivers"
MODULE = "module recorder\n\ngo 1.24\n"
BUILD = "GOFLAGS=-mod=mod go"
POM = f"""\
<project>
<modelVersion>4.0.0</modelVersion>
<groupId>recorder</groupId>
<artifactId>recorder</artifactId>
<version>1</version>
<dependencies>
<dependency>
<groupId>io.nats</groupId>
<artifactId>jnats</artifactId>
<version>{JAVA}</version>
</dependency>
</dependencies>
</project>
"""

CARGO = f"""\
[package]
name = "rust_plays"
version = "0.1.0"
edition = "2021"

[dependencies]
async-nats = "={RUST}"
tokio = {{ version = "1", features = ["rt-multi-thread", "macros", "time"] }}
futures = "0.3"
"""
CARGO_NEXT = CARGO.replace(
    f'"={RUST}"',
    f'"={RUST_NEXT}"\nearlier = {{ package = "async-nats", version = "={RUST_EARLIER}" }}',
).replace('"time"', '"time", "io-util"')


def server_of(version: str) -> Path:
    """The program of a server."""
    folder = PEERS / f"nats_server_{version}"
    return folder / "usr/sbin/nats-server" if version == OLD else folder / "nats-server"


def prepare(peers: set[str]) -> None:
    """Installs and builds what is not there."""
    for peer in sorted({part for each in peers for part in each.split(AND)}):
        READY[peer](PEERS / f"nats_{peer}")


def old_server(folder: Path) -> None:
    """Debian's package, unpacked and not installed."""
    del folder
    program = server_of(OLD)
    if not program.exists():
        target = PEERS / f"nats_server_{OLD}"
        target.mkdir(parents=True, exist_ok=True)
        lab.run("apt-get download nats-server && dpkg -x nats-server_*.deb .", cwd=target)


def new_server(folder: Path) -> None:
    """The Go module of the version that the folder names, built."""
    version = folder.name.removeprefix("nats_")
    program = server_of(version)
    if not program.exists():
        lab.require("go")
        target = program.parent
        target.mkdir(parents=True, exist_ok=True)
        (target / "go.mod").write_text(MODULE)
        module = "github.com/nats-io/nats-server/v2"
        lab.run(f"{BUILD} get {module}@v{version} && {BUILD} build -p 1 {module}", cwd=target)


def cli(folder: Path) -> None:
    """The command line of NATS."""
    if not (folder / "nats").exists():
        lab.require("go")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "go.mod").write_text(MODULE)
        module = "github.com/nats-io/natscli"
        release = CLI_EARLIER if folder.name.endswith("0_3") else CLI
        lab.run(f"{BUILD} get {module}@{release} && {BUILD} build -p 1 {module}/nats", cwd=folder)


def py(folder: Path) -> None:
    """nats-py, with what it needs for WebSocket and nkeys."""
    if not (folder / "bin/python").exists():
        version = PY_EARLIER if folder.name.endswith("2_14") else PY
        lab.run(f"{sys.executable} -m venv {folder}")
        lab.run(f"{folder}/bin/python -m pip -q install nats-py=={version} aiohttp nkeys")


def pynats(folder: Path) -> None:
    """nats-python, a small library without asyncio, of the release that its folder names."""
    if not (folder / "bin/python").exists():
        release = folder.name.removeprefix("nats_pynats_").replace("_", ".")
        lab.run(f"{sys.executable} -m venv {folder}")
        lab.run(f"{folder}/bin/python -m pip -q install nats-python=={release}.0")


def js(folder: Path) -> None:
    """nats.js."""
    npm(folder, f"nats@{JS}")


def frameworks_js(folder: Path) -> None:
    """NestJS and Moleculer, on top of nats.js."""
    parts = (f"@nestjs/{part}@{NEST}" for part in ("microservices", "core", "common"))
    others = (f"moleculer@{MOLECULER}", "rxjs@7", "reflect-metadata@0.2")
    npm(folder, f"nats@{JS}", *parts, *others)


def transport_node(folder: Path) -> None:
    """nats.js of the third generation, one package for each part."""
    parts = ("transport-node", "jetstream", "kv", "obj")
    npm(folder, *(f"@nats-io/{part}@{TRANSPORT}" for part in parts), "@nats-io/services@3.0.0-25")


def npm(folder: Path, *packages: str) -> None:
    """Packages of npm."""
    lab.require("node", "npm")
    if not (folder / "node_modules").exists():
        folder.mkdir(parents=True, exist_ok=True)
        lab.run(f"npm install --silent {' '.join(packages)}", cwd=folder)


def frameworks_py(folder: Path) -> None:
    """FastStream and taskiq, on top of nats-py."""
    if not (folder / "bin/python").exists():
        lab.run(f"{sys.executable} -m venv {folder}")
        wanted = f"'faststream[nats]=={FASTSTREAM}' taskiq-nats=={TASKIQ} nats-py=={PY}"
        lab.run(f"{folder}/bin/python -m pip -q install {wanted}")


def go(folder: Path) -> None:
    """nats.go, and the drivers that use it."""
    lab.require("go")
    folder.mkdir(parents=True, exist_ok=True)
    for source in sorted(DRIVERS.glob("go_*.go")):
        name = source.stem.removeprefix("go_")
        copy = folder / f"of_{name}" / "main.go"
        if not copy.exists() or copy.read_text() != source.read_text():
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(source.read_text())
            if not (folder / "go.mod").exists():
                (folder / "go.mod").write_text(MODULE)
                lab.run(f"{BUILD} get github.com/nats-io/nats.go@{GO}", cwd=folder)
            lab.run(f"{BUILD} build -p 1 -o {name} ./of_{name}", cwd=folder)


def java(folder: Path) -> None:
    """nats.java, and the drivers that use it."""
    lab.require("java", "javac", "mvn")
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("lib/jnats-*.jar")):
        (folder / "pom.xml").write_text(POM)
        lab.run("mvn -q dependency:copy-dependencies -DoutputDirectory=lib", cwd=folder)
    for source in sorted(DRIVERS.glob("Java*.java")):
        copy = folder / source.name
        if not copy.exists() or copy.read_text() != source.read_text():
            copy.write_text(source.read_text())
            command = f"javac -nowarn -proc:none -d classes -cp 'lib/*' {source.name}"
            lab.run(command, cwd=folder)


def rust(folder: Path) -> None:
    """async-nats, and the driver that uses it."""
    cargo(folder, [DRIVERS / "rust_plays.rs"], CARGO)


def rust_next(folder: Path) -> None:
    """async-nats of a later release beside an earlier one, and the drivers that use both."""
    cargo(folder, sorted(DRIVERS.glob("rust_*_round.rs")), CARGO_NEXT)


def cargo(folder: Path, drivers: list[Path], manifest: str) -> None:
    """Drivers in Rust, a program each."""
    lab.require("cargo")
    (folder / "src/main.rs").unlink(missing_ok=True)
    for driver in drivers:
        copy = folder / "src/bin" / driver.name.removeprefix("rust_")
        if not copy.exists() or copy.read_text() != driver.read_text():
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(driver.read_text())
            (folder / "Cargo.toml").write_text(manifest)
            lab.run(f"cargo build -q -j1 --bin {copy.stem}", cwd=folder)


def c(folder: Path) -> None:
    """nats.c, Debian's package, unpacked and not installed, and the drivers that use it."""
    lab.require("gcc")
    if not (folder / "usr").exists():
        folder.mkdir(parents=True, exist_ok=True)
        packages = "libnats-dev libnats3.4 libprotobuf-c1"
        lab.run(f"apt-get download {packages}; for d in *.deb; do dpkg -x $d .; done", cwd=folder)
    for source in sorted(DRIVERS.glob("c_*.c")):
        program = folder / source.stem.removeprefix("c_")
        if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
            place = next(folder.glob("usr/lib/*-linux-gnu"))
            libraries = f"-L {place} -Wl,--disable-new-dtags,-rpath,{place}"
            lab.run(f"gcc -I {folder}/usr/include/nats {source} {libraries} -lnats -o {program}")


READY = {
    "py": py,
    "py_2_14": py,
    "js": js,
    "go": go,
    "java": java,
    "rust": rust,
    "rust_next": rust_next,
    "c": c,
    "pynats_0_4": pynats,
    "pynats_0_5": pynats,
    "frameworks_js": frameworks_js,
    "frameworks_py": frameworks_py,
    "transport_node": transport_node,
    NEW: new_server,
    NEWEST: new_server,
    "cli": cli,
    "cli_0_3": cli,
    OLD: old_server,
}


def described(peer: str) -> str:
    """A peer with its versions."""
    if peer in (NEW, NEWEST, OLD):
        source = "Debian package" if peer == OLD else "Go module"
        return f"nats-server {peer} ({source})"
    if AND in peer:
        return " and ".join(map(described, peer.split(AND)))
    names = {
        "py": f"nats-py {PY} (PyPI), Python {sys.version.split()[0]}",
        "py_2_14": f"nats-py {PY_EARLIER} (PyPI), Python {sys.version.split()[0]}",
        "js": f"nats.js {JS} (npm)",
        "go": f"nats.go {GO} (Go module)",
        "rust": f"async-nats {RUST} (crate)",
        "rust_next": f"async-nats {RUST_NEXT} and {RUST_EARLIER} (crate)",
        "c": f"nats.c {C} (Debian package)",
        "cli": f"natscli {CLI} (Go module)",
        "cli_0_3": f"natscli {CLI_EARLIER} (Go module)",
        "frameworks_js": f"NestJS {NEST} and Moleculer {MOLECULER} on nats.js {JS} (npm)",
        "frameworks_py": f"FastStream {FASTSTREAM} and taskiq-nats {TASKIQ} on nats-py {PY} (PyPI)",
        "transport_node": f"nats.js {TRANSPORT} (npm @nats-io/transport-node)",
        "pynats_0_4": f"nats-python 0.4.0 (PyPI), Python {sys.version.split()[0]}",
        "pynats_0_5": f"nats-python 0.5.0 (PyPI), Python {sys.version.split()[0]}",
    }
    if peer == "java":
        run = lab.run("java -version 2>&1").splitlines()[0].strip()
        return f"nats.java {JAVA} (Maven io.nats:jnats), {run}"
    return names[peer]


def drive(peer: str, *arguments: str, driver: str = "plays") -> dict[str, object]:
    """Plays a scenario of a driver to its end; gives what the driver counted."""
    folder = PEERS / f"nats_{peer}"
    python = [f"{folder}/bin/python", str(DRIVERS / f"py_{driver}.py")]
    node = ["node", str(DRIVERS / f"js_{driver}.js"), str(folder)]
    bash = ["bash", str(DRIVERS / f"cli_{driver}.sh"), f"{folder}/nats"]
    command = {
        "py": python,
        "py_2_14": python,
        "frameworks_py": python,
        "pynats_0_4": python,
        "pynats_0_5": python,
        "js": node,
        "frameworks_js": node,
        "transport_node": ["node", "--tls-keylog=secrets.txt", *node[1:]],
        "go": [f"{folder}/{driver}"],
        "cli": bash,
        "cli_0_3": bash,
        "rust": [f"{folder}/target/debug/{driver}"],
        "rust_next": [f"{folder}/target/debug/{driver}"],
        "c": [f"{folder}/{driver}"],
        "java": [
            *("java", "-Xmx200m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
            *("-cp", f"{folder}/classes:{folder}/lib/*", f"Java{driver.title().replace('_', '')}"),
        ],
    }[peer]
    done = subprocess.run(
        [*command, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            return dict(json.loads(line))
    said = f"{done.stdout[-1500:]}{done.stderr[-2500:]}"
    raise SystemExit(f"{peer} {' '.join(arguments)}: nothing counted\n{said}")


@contextmanager
def servers(
    *configurations: str, version: str = NEW, settle: float = 0.4
) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Servers while the block runs, each by the text of its configuration."""
    running: list[subprocess.Popen[bytes]] = []
    shutil.rmtree("js", ignore_errors=True)
    try:
        for number, text in enumerate(configurations):
            file = Path(f"server-{number}.conf")
            file.write_text(text)
            with Path(f"server-{number}.log").open("wb") as log:
                command = [str(server_of(version)), "-c", str(file)]
                running.append(subprocess.Popen(command, stdout=log, stderr=log))
            time.sleep(settle)
        time.sleep(settle)
        yield running
        time.sleep(0.2)
    finally:
        for each in reversed(running):
            each.terminate()
            with suppress(subprocess.TimeoutExpired):
                each.wait(5)
            each.kill()
