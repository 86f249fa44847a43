"""The releases and libraries, installed and built once in the cache from their registries."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from captures.recorders import lab
from captures.recorders.pravega.setup import ADMIN, CONTROLLER, NEW, OLD, OLDEST, PYTHON, STORE

CLIENTS = lab.CACHE / "clients"
DRIVERS = Path(__file__).parent / "drivers"
THREADS = DRIVERS / "threads"
"""Drivers of one play each."""
PYTHON_RELEASE = "0.3.8"
RELEASES = {NEW: ("0.13.0", "3.20.3"), OLD: ("0.5.1", "3.5.1"), OLDEST: ("0.4.0", "3.3.1")}
"""Release, and the protobuf-java that it needs: what Maven resolves by itself is too old."""
SOURCES = {NEW: ("Plays", "NewPlays"), OLD: ("Plays",), OLDEST: ("OldestPlays",)}
UNUSED = ("org.apache.hadoop", "software.amazon.awssdk", "com.google.cloud", "com.azure",
          "com.emc.ecs", "com.readytalk", "log4j")  # fmt: skip
"""Storage in a cloud, and what is on no public registry."""
CACHES = "org.rocksdb"
"""Not of use from 0.13 on; releases before it cache there."""
WAIT = 60
"""Seconds until a server is up."""
USER, PASSWORD = "user", "throwaway"
NAMES = {
    NEW: ("singlenode.zk.port", "singlenode.segmentStore.port", "singlenode.controller.rpc.port",
          "singlenode.controller.rest.enable", "singlenode.security.auth.enable",
          "singlenode.security.tls.enable"),
    OLD: ("singlenode.zkPort", "singlenode.segmentstorePort", "singlenode.controllerPort",
          "singlenode.enableRestServer", "singlenode.enableAuth", "singlenode.enableTls"),
}  # fmt: skip
NAMES[OLDEST] = NAMES[OLD]
HASHER = """\
import io.pravega.shared.security.crypto.StrongPasswordProcessor;
public class Hash {
    public static void main(String[] arguments) throws Exception {
        System.out.println(StrongPasswordProcessor.builder().build()
                .encryptPassword(arguments[0]));
    }
}
"""


def folder(peer: str) -> Path:
    """Where a peer is installed."""
    return CLIENTS / f"pravega_{peer}"


def prepare(peers: set[str]) -> None:
    """Installs and builds what is not there."""
    for peer in sorted(peers):
        python() if peer == PYTHON else java(peer)


def python() -> None:
    """The Python client, in an environment of its own."""
    home = folder(PYTHON)
    if not (home / "bin/python").exists():
        lab.run(f"{sys.executable} -m venv {home}")
        lab.run(f"{home}/bin/python -m pip -q install pravega=={PYTHON_RELEASE}")


def pom(peer: str) -> str:
    """What Maven is to fetch: the standalone server, which brings the client."""
    release, protobuf = RELEASES[peer]
    groups = [*UNUSED, *([CACHES] if peer == NEW else [])]
    left_out = "".join(
        f"<exclusion><groupId>{group}</groupId><artifactId>*</artifactId></exclusion>\n"
        for group in groups
    )
    left_out += "".join(
        f"<exclusion><groupId>org.slf4j</groupId><artifactId>{name}</artifactId></exclusion>\n"
        for name in ("slf4j-log4j12", "slf4j-reload4j")
    )
    return f"""\
<project>
<modelVersion>4.0.0</modelVersion>
<groupId>recorder</groupId><artifactId>recorder</artifactId><version>1</version>
<dependencyManagement><dependencies><dependency>
<groupId>com.google.protobuf</groupId><artifactId>protobuf-java</artifactId>
<version>{protobuf}</version>
</dependency></dependencies></dependencyManagement>
<dependencies><dependency>
<groupId>io.pravega</groupId><artifactId>pravega-standalone</artifactId><version>{release}</version>
<exclusions>
{left_out}</exclusions>
</dependency></dependencies>
</project>
"""


def java(peer: str) -> None:
    """Server and client of a release, and the drivers."""
    lab.require("java", "javac", "mvn")
    home = folder(peer)
    home.mkdir(parents=True, exist_ok=True)
    if not list(home.glob("lib/pravega-client-*.jar")):
        (home / "pom.xml").write_text(pom(peer))
        lab.run("mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib", cwd=home)
    if peer == NEW:
        (home / "Hash.java").write_text(HASHER)
    for name in [*SOURCES[peer], *(["Hash"] if peer == NEW else [])]:
        source = home / f"{name}.java"
        text = HASHER if name == "Hash" else (DRIVERS / source.name).read_text()
        compiled = home / f"classes/{name}.class"
        if not compiled.exists() or not source.exists() or source.read_text() != text:
            source.write_text(text)
            lab.run(f"javac -nowarn -proc:none -d classes -cp 'lib/*' {source.name}", cwd=home)


def build(peer: str, driver: str) -> None:
    """Compiles a driver of one play, where there is one and it has to be."""
    if not driver.endswith(".java"):
        return
    home, text = folder(peer), (THREADS / driver).read_text()
    source, compiled = home / driver, home / f"classes/{Path(driver).stem}.class"
    if not compiled.exists() or not source.exists() or source.read_text() != text:
        source.write_text(text)
        lab.run(f"javac -nowarn -proc:none -d classes -cp 'lib/*' {driver}", cwd=home)


def described(peer: str) -> str:
    """A peer and its version, as provenance says it."""
    if peer == PYTHON:
        return (
            f"pravega {PYTHON_RELEASE} (PyPI, its core is the Rust client), "
            + lab.run(f"{sys.executable} --version").strip()
        )
    run = lab.run("java -version 2>&1").splitlines()[0].strip()
    return f"Pravega {RELEASES[peer][0]} (Maven io.pravega:pravega-standalone), {run}"


def program(peer: str, main: str, *settings: str, memory: str = "900m") -> list[str]:
    """How a class of a release is started."""
    home = folder(peer)
    quiet = f"-Dlogback.configurationFile={Path('quiet.xml').absolute()}"
    Path("quiet.xml").write_text('<configuration><root level="OFF"/></configuration>')
    path = f"{home}/classes:{home}/lib/*"
    return [
        *("java", f"-Xmx{memory}", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
        *(quiet, "-Dlog.dir=logs", *settings, "-cp", path, main),
    ]


@contextmanager
def server(peer: str, *, auth: bool) -> Iterator[None]:
    """A standalone server while the block runs: all tiers in memory."""
    values = ["4000", str(STORE), str(CONTROLLER), "false", str(auth).lower(), "false"]
    lines = dict(zip(NAMES[peer], values, strict=True))
    lines["singlenode.metrics.enable"] = "false"
    if auth:
        hashed = lab.run(" ".join(map(repr, program(peer, "Hash"))) + f" {PASSWORD}").split()[-1]
        Path("passwd").write_text(f"{USER}:{hashed}:prn::*,READ_UPDATE\n")
        lines |= {
            "singlenode.security.auth.credentials.username": USER,
            "singlenode.security.auth.credentials.pwd": PASSWORD,
            "singlenode.security.auth.pwdAuthHandler.accountsDb.location": str(
                Path("passwd").absolute()
            ),
            "controller.security.auth.delegationToken.signingKey.basis": "secret",
            "autoScale.controller.connect.security.auth.enable": "true",
            "autoScale.security.auth.token.signingKey.basis": "secret",
        }
    Path("sa.properties").write_text("".join(f"{k}={v}\n" for k, v in lines.items()))
    setting = f"-Dsinglenode.configurationFile={Path('sa.properties').absolute()}"
    main = "io.pravega.local.LocalPravegaEmulator"
    with (
        Path("server.log").open("w") as log,
        subprocess.Popen(program(peer, main, setting), stdout=log, stderr=log) as process,
    ):
        try:
            wait(CONTROLLER)
            if peer == NEW:
                wait(ADMIN)
            time.sleep(5 if peer == NEW else 10)
            yield
        finally:
            process.terminate()
            process.wait(120)


def wait(port: int) -> None:
    """Until somebody listens."""
    for _ in range(WAIT * 5):
        if listens(port):
            return
        time.sleep(0.2)
    raise SystemExit(f"nobody listens on {port}\n{Path('server.log').read_text()[-3000:]}")


def listens(port: int) -> bool:
    """Whether somebody listens, by the kernel's list: a connection would be in the capture."""
    rows = [line.split() for name in ("tcp", "tcp6")
            for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]  # fmt: skip
    return any(row[3] == "0A" and int(row[1].rpartition(":")[2], 16) == port for row in rows)


def drive(peer: str, main: str, scenario: str = "") -> dict[str, object]:
    """Plays a scenario to its end; gives what the driver counted."""
    if peer == PYTHON:
        file = DRIVERS / main if (DRIVERS / main).exists() else THREADS / main
        command = [str(folder(peer) / "bin/python"), str(file)]
    else:
        command = program(peer, main)
    done = subprocess.run(
        [*command, scenario], capture_output=True, text=True, timeout=240, check=False
    )
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            return dict(json.loads(line))
    said = f"{done.stdout[-2000:]}{done.stderr[-4000:]}"
    raise SystemExit(f"{peer} {main} {scenario}: nothing counted\n{said}")
