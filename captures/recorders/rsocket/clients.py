"""The peers, installed and built once in the cache from their registries."""

import json
import subprocess
from pathlib import Path

from captures.recorders import lab

JAVA, JS = "1.1.5", "1.0.0-alpha.3"
FOLDER = lab.CACHE / "clients/rsocket_java"
MODULES = lab.CACHE / "clients/rsocket_js"
DRIVERS = Path(__file__).parent / "drivers"
DRIVER = DRIVERS / "JavaPlays.java"
PACKAGES = (
    "rsocket-core",
    "rsocket-tcp-client",
    "rsocket-tcp-server",
    "rsocket-composite-metadata",
)
POM = f"""\
<project>
<modelVersion>4.0.0</modelVersion>
<groupId>recorder</groupId>
<artifactId>recorder</artifactId>
<version>1</version>
<dependencies>
<dependency>
<groupId>io.rsocket</groupId>
<artifactId>rsocket-core</artifactId>
<version>{JAVA}</version>
</dependency>
<dependency>
<groupId>io.rsocket</groupId>
<artifactId>rsocket-transport-netty</artifactId>
<version>{JAVA}</version>
</dependency>
<dependency>
<groupId>org.slf4j</groupId>
<artifactId>slf4j-nop</artifactId>
<version>1.7.36</version>
</dependency>
</dependencies>
</project>
"""


def prepare(peers: set[str]) -> None:
    """Installs and builds what is not there."""
    for peer in sorted(peers):
        READY[peer]()


def js() -> None:
    """Installs rsocket-js."""
    lab.require("node", "npm")
    if not (MODULES / "node_modules/rsocket-core").exists():
        MODULES.mkdir(parents=True, exist_ok=True)
        wanted = " ".join(f"{package}@{JS}" for package in PACKAGES)
        lab.run(f"npm install --silent {wanted}", cwd=MODULES)


def java() -> None:
    """Installs rsocket-java and builds what drives it."""
    lab.require("java", "javac", "mvn")
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not list(FOLDER.glob("lib/rsocket-core-*.jar")):
        (FOLDER / "pom.xml").write_text(POM)
        lab.run("mvn -q dependency:copy-dependencies -DoutputDirectory=lib", cwd=FOLDER)
    copy, source = FOLDER / DRIVER.name, DRIVER.read_text()
    if not (FOLDER / "classes").exists() or not copy.exists() or copy.read_text() != source:
        copy.write_text(source)
        lab.run(f"javac -nowarn -proc:none -d classes -cp 'lib/*' {DRIVER.name}", cwd=FOLDER)


READY = {"java": java, "js": js}
DESCRIBED = {
    "java": (f"rsocket-java {JAVA} (Maven io.rsocket)", "java -version"),
    "js": (f"rsocket-js {JS} (npm)", "echo Node.js $(node --version)"),
}
"""What provenance calls a peer, and what says the version of what runs it."""


def described(peer: str) -> str:
    """A peer and its version, as provenance says it."""
    name, program = DESCRIBED[peer]
    return f"{name}, {lab.run(f'{program} 2>&1').splitlines()[0].strip()}"


def command(peer: str) -> list[str]:
    """How a driver is started."""
    if peer == "java":
        path = f"{FOLDER}/classes:{FOLDER}/lib/*"
        return ["java", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", path, DRIVER.stem]
    # an import is looked up beside the script, so it is run from where the library is
    copy = MODULES / "js_plays.mjs"
    copy.write_bytes((DRIVERS / copy.name).read_bytes())
    return ["node", str(copy)]


def drive(peer: str, scenario: str) -> dict[str, object]:
    """Plays a scenario, server and client in one program; gives what it counted."""
    done = subprocess.run(
        [*command(peer), scenario],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            return dict(json.loads(line))
    raise SystemExit(f"{scenario}: nothing counted\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
