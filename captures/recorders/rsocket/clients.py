"""The peers, installed and built once in the cache from their registries."""

import json
import subprocess
from pathlib import Path

from captures.recorders import lab

JAVA = "1.1.5"
FOLDER = lab.CACHE / "clients/rsocket_java"
DRIVER = Path(__file__).parent / "drivers/JavaPlays.java"
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


def prepare() -> None:
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


def described() -> str:
    """The peers and what runs them, as provenance says it."""
    runs = lab.run("java -version 2>&1").splitlines()[0].strip()
    return f"rsocket-java {JAVA} (Maven io.rsocket), {runs}"


def drive(scenario: str) -> dict[str, object]:
    """Plays a scenario, server and client in one program; gives what it counted."""
    path = f"{FOLDER}/classes:{FOLDER}/lib/*"
    done = subprocess.run(
        ["java", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", path, DRIVER.stem, scenario],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            return dict(json.loads(line))
    raise SystemExit(f"{scenario}: nothing counted\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
