"""The peers, installed and built once in the cache from their registries."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from captures.recorders import lab

JAVA, JS, JS_0_0 = "1.1.5", "1.0.0-alpha.3", "0.0.27"
JAVA_0_11, JS_0_0_16 = "0.11.3", "0.0.16"
PY_0_4_19 = "0.4.19"
SPRING_BOOT, SPRING_STREAM, SPRING_CLIENT = "3.5.7", "3.2.8", "0.23.0"
RXJS = "1.0.0-alpha.4"
PY, RUST, RUST_TRANSPORT, GO = "0.4.20", "0.7.5", "0.7.4", "v0.8.12"
GO_MODULE = "github.com/rsocket/rsocket-go"
CLIENTS = lab.CACHE / "clients"
DRIVERS = Path(__file__).parent / "drivers"
PACKAGES = (
    *(f"rsocket-{name}@{JS}" for name in ("core", "tcp-client", "tcp-server")),
    *(f"rsocket-{name}@{JS}" for name in ("websocket-client", "websocket-server")),
    f"rsocket-composite-metadata@{JS}",
    "ws@8",
)
PACKAGES_RXJS = (
    *(f"rsocket-{name}@{JS}" for name in ("core", "tcp-client", "composite-metadata")),
    f"rsocket-messaging@{JS}",
    f"rsocket-adapter-rxjs@{RXJS}",
    "rxjs@7",
)
PACKAGES_0_0 = (
    *(f"rsocket-{name}@{JS_0_0}" for name in ("core", "types", "flowable")),
    *(f"rsocket-{name}@{JS_0_0}" for name in ("tcp-client", "tcp-server")),
    *(f"rsocket-{name}@{JS_0_0}" for name in ("websocket-client", "websocket-server")),
    "ws@8",
)
PACKAGES_0_0_16 = (
    *(f"rsocket-{name}@{JS_0_0_16}" for name in ("core", "types", "tcp-client")),
    "rsocket-flowable@0.0.14",
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
SPRING_POM = f"""\
<project>
<modelVersion>4.0.0</modelVersion>
<parent>
<groupId>org.springframework.boot</groupId>
<artifactId>spring-boot-starter-parent</artifactId>
<version>{SPRING_BOOT}</version>
</parent>
<groupId>recorder</groupId>
<artifactId>recorder</artifactId>
<version>1</version>
<dependencies>
<dependency>
<groupId>org.springframework.boot</groupId>
<artifactId>spring-boot-starter-rsocket</artifactId>
</dependency>
<dependency>
<groupId>org.springframework.amqp</groupId>
<artifactId>spring-rabbit-stream</artifactId>
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
rsocket_rust = {{ version = "={RUST}", features = ["frame"] }}
rsocket_rust_transport_tcp = "={RUST_TRANSPORT}"
rsocket_rust_transport_websocket = "={RUST_TRANSPORT}"
tokio = {{ version = "1", features = ["full"] }}
async-trait = "0.1"
futures = "0.3"
async-stream = "0.3"
bytes = "1"
"""
SERVING: list[subprocess.Popen[str]] = []
"""The servers that run, for those who stop one."""
KOTLIN, KOTLIN_COMPILER, KTOR = "0.15.4", "2.1.20", "2.0.0"
KOTLIN_PARTS = (
    ("io.rsocket.kotlin", "rsocket-ktor-client-jvm", KOTLIN),
    ("io.ktor", "ktor-client-cio-jvm", KTOR),
)
COMPILER_PARTS = (("org.jetbrains.kotlin", "kotlin-compiler-embeddable", KOTLIN_COMPILER),)
MODULE = "module recorder\n\ngo 1.21\n"  # the proxy serves exact versions, to a module that asks


def prepare(peers: set[str]) -> None:
    """Installs and builds what is not there."""
    for peer in sorted(peers):
        READY[peer](CLIENTS / f"rsocket_{peer}")


def changed(folder: Path, result: str, *names: str) -> bool:
    """Copies drivers to where they are built; says whether they have to be.

    `names` are those of the drivers, each with `=` and another name for the copy where it has one.
    """
    new = not (folder / result).exists()
    for name in names:
        source, _, target = name.partition("=")
        text, copy = (DRIVERS / source).read_text(), folder / (target or source)
        if not copy.exists() or copy.read_text() != text:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text)
            new = True
    return new


def modules(folder: Path, packages: tuple[str, ...]) -> None:
    """Packages of npm."""
    lab.require("node", "npm")
    if any(not (folder / "node_modules" / name.split("@")[0]).exists() for name in packages):
        folder.mkdir(parents=True, exist_ok=True)
        lab.run(f"npm install --silent {' '.join(packages)}", cwd=folder)


def js(folder: Path) -> None:
    """rsocket-js of the new line."""
    modules(folder, PACKAGES)


def js_0_0(folder: Path) -> None:
    """rsocket-js of the old line."""
    modules(folder, PACKAGES_0_0)


def js_0_0_16(folder: Path) -> None:
    """rsocket-js of the old line, before it noticed that KEEPALIVE has no answer."""
    modules(folder, PACKAGES_0_0_16)


def jars(folder: Path, version: str) -> None:
    """The jars of a version of rsocket-java."""
    lab.require("java", "javac", "mvn")
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("lib/rsocket-core-*.jar")):
        (folder / "pom.xml").write_text(POM.replace(JAVA, version))
        lab.run("mvn -q dependency:copy-dependencies -DoutputDirectory=lib", cwd=folder)


def js_rxjs(folder: Path) -> None:
    """rsocket-js of the new line with its requesters for routes and RxJS."""
    modules(folder, PACKAGES_RXJS)


def spring(folder: Path) -> None:
    """Spring Boot, and Spring's templates for RabbitMQ Streams."""
    lab.require("java", "javac", "mvn")
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("lib/spring-rabbit-stream-*.jar")):
        (folder / "pom.xml").write_text(SPRING_POM)
        lab.run("mvn -q dependency:copy-dependencies -DoutputDirectory=lib", cwd=folder)
    name = "SpringEighth.java"
    if changed(folder, "classes/SpringEighth.class", name):
        lab.run(f"javac -parameters -nowarn -proc:none -d classes -cp 'lib/*' {name}", cwd=folder)


def py_cli(folder: Path) -> None:
    """rsocket-py with its command line."""
    if not (folder / "bin/python").exists():
        lab.run(f"{sys.executable} -m venv {folder}")
        lab.run(f"{folder}/bin/python -m pip -q install 'rsocket[cli]=={PY}'")


def java_0_11(folder: Path) -> None:
    """rsocket-java before 1.0."""
    jars(folder, JAVA_0_11)
    names = sorted(each.name for each in DRIVERS.glob("OldJava*.java"))
    if changed(folder, "classes/OldJavaSeventh.class", *names):
        lab.run(f"javac -nowarn -proc:none -d classes -cp 'lib/*' {' '.join(names)}", cwd=folder)


def java(folder: Path) -> None:
    """rsocket-java."""
    jars(folder, JAVA)
    if not list(folder.glob("log/slf4j-simple-*.jar")):
        artifact = "-Dartifact=org.slf4j:slf4j-simple:1.7.36 -DoutputDirectory=log"
        lab.run(f"mvn -q dependency:copy {artifact}", cwd=folder)
    names = sorted(each.name for each in DRIVERS.glob("Java*.java"))
    if changed(folder, "classes/JavaServes.class", *names):
        lab.run(f"javac -nowarn -proc:none -d classes -cp 'lib/*' {' '.join(names)}", cwd=folder)


def from_maven(folder: Path, parts: tuple[tuple[str, str, str], ...]) -> None:
    """Jars of Maven, with those that they need."""
    if list(folder.glob("lib/*.jar")):
        return
    folder.mkdir(parents=True, exist_ok=True)
    before, after = POM.split("<dependency>", 1)[0], "</dependencies>\n</project>\n"
    wanted = "".join(
        f"<dependency>\n<groupId>{group}</groupId>\n<artifactId>{name}</artifactId>\n"
        f"<version>{version}</version>\n</dependency>\n"
        for group, name, version in parts
    )
    (folder / "pom.xml").write_text(before + wanted + after)
    lab.run("mvn -q dependency:copy-dependencies -DoutputDirectory=lib", cwd=folder)


def kotlin(folder: Path) -> None:
    """rsocket-kotlin, and the compiler of Kotlin."""
    lab.require("java", "mvn")
    from_maven(folder, KOTLIN_PARTS)
    from_maven(folder / "compiler", COMPILER_PARTS)
    for source in sorted(DRIVERS.glob("Kotlin*.kt")):
        if changed(folder, f"classes/{source.stem}Kt.class", source.name):
            path = ":".join(str(jar) for jar in sorted(folder.glob("lib/*.jar")))
            lab.run(
                "java -cp 'compiler/lib/*' org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib "
                f"-no-reflect -nowarn -d classes -cp {path} {source.name}",
                cwd=folder,
            )


def py(folder: Path, version: str = PY) -> None:
    """rsocket-py, in an environment of its own."""
    if not (folder / "bin/python").exists():
        lab.run(f"{sys.executable} -m venv {folder}")
        lab.run(f"{folder}/bin/python -m pip -q install 'rsocket[aiohttp]=={version}'")


def go(folder: Path) -> None:
    """rsocket-go."""
    lab.require("go")
    build = "GOFLAGS=-mod=mod go"
    if not (folder / "go.mod").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "go.mod").write_text(MODULE)
        lab.run(f"{build} get {GO_MODULE}@{GO}", cwd=folder)
    for source in sorted(DRIVERS.glob("go_*.go")):
        name = source.stem
        if changed(folder, name, f"{source.name}=of_{name}/main.go"):
            lab.run(f"{build} build -p 1 -o {name} ./of_{name}", cwd=folder)


def rust(folder: Path) -> None:
    """rsocket_rust."""
    lab.require("cargo")
    if changed(folder, "target/debug/rust_plays", "rust_plays.rs=src/main.rs"):
        (folder / "Cargo.toml").write_text(CARGO)
        lab.run("cargo build -q -j1", cwd=folder)


READY = {
    "java": java,
    "java_0_11": java_0_11,
    "js": js,
    "js_0_0": js_0_0,
    "js_0_0_16": js_0_0_16,
    "js_rxjs": js_rxjs,
    "spring": spring,
    "py": py,
    "py_cli": py_cli,
    "py_0_4_19": partial(py, version=PY_0_4_19),
    "go": go,
    "rust": rust,
    "kotlin": kotlin,
    "three": lambda _folder: prepare({"go", "js", "py"}),
}
MAIN = {"java": ("Java", ""), "java_0_11": ("OldJava", ""), "kotlin": ("Kotlin", "Kt")}
"""What the name of a driver's class begins and ends with."""
NODE = "echo Node.js $(node --version)"
PY_VERSION = f"{sys.executable} --version"
DESCRIBED = {
    "java": (f"rsocket-java {JAVA} (Maven io.rsocket)", "java -version"),
    "java_0_11": (f"rsocket-java {JAVA_0_11} (Maven io.rsocket)", "java -version"),
    "js": (f"rsocket-js {JS} (npm)", NODE),
    "js_0_0": (f"rsocket-js {JS_0_0} (npm)", NODE),
    "js_0_0_16": (f"rsocket-js {JS_0_0_16} (npm)", NODE),
    "js_rxjs": (
        f"rsocket-js {JS}, rsocket-messaging {JS}, rsocket-adapter-rxjs {RXJS} (npm)",
        NODE,
    ),
    "spring": (
        f"spring-boot-starter-rsocket {SPRING_BOOT} with rsocket-java {JAVA} (Maven)",
        "java -version",
    ),
    "py": (f"rsocket-py {PY} (PyPI rsocket)", f"{sys.executable} --version"),
    "py_cli": (f"the command line of rsocket-py {PY} (PyPI rsocket[cli])", PY_VERSION),
    "py_0_4_19": (f"rsocket-py {PY_0_4_19} (PyPI rsocket)", f"{sys.executable} --version"),
    "go": (f"rsocket-go {GO[1:]} ({GO_MODULE})", "go version"),
    "rust": (f"rsocket_rust {RUST} (crate)", "rustc --version"),
    "three": (f"rsocket-go {GO[1:]}, rsocket-js {JS} and rsocket-py {PY}", "go version"),
    "kotlin": (
        f"rsocket-kotlin {KOTLIN} with Ktor {KTOR} (Maven io.rsocket.kotlin)",
        "java -version",
    ),
}
"""What provenance calls a peer, and what says the version of what runs it."""


def described(peer: str) -> str:
    """A peer and its version, as provenance says it."""
    name, program = DESCRIBED[peer]
    return f"{name}, {lab.run(f'{program} 2>&1').splitlines()[0].strip()}"


def command(peer: str, name: str = "plays") -> list[str]:
    """How a driver is started."""
    folder = CLIENTS / f"rsocket_{peer}"
    match peer:
        case "java" | "java_0_11" | "kotlin":
            path = f"{folder}/classes:{folder}/lib/*"
            before, after = MAIN[peer]
            main = f"{before}{name.title()}{after}"
            return ["java", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", path, main]
        case "spring":
            path = f"{folder}/classes:{folder}/lib/*"
            return ["java", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", path, "SpringEighth"]
        case "go":
            return [f"{folder}/go_{name}"]
        case "rust":
            return [f"{folder}/target/debug/rust_plays"]
        case "py" | "py_0_4_19" | "py_cli":
            return [f"{folder}/bin/python", str(DRIVERS / f"py_{name}.py")]
        case _:
            # an import is looked up beside the script, so it is run from where the library is
            copy = folder / f"{peer}_{name}.mjs"
            copy.write_bytes((DRIVERS / copy.name.replace("0_0_16", "0_0")).read_bytes())
            return ["node", str(copy)]


def java_log(scenario: str) -> dict[str, object]:
    """Plays a scenario by rsocket-java, which writes down the frames that it sends and receives.

    What it counted, and its own log as `log`.
    """
    folder = CLIENTS / "rsocket_java"
    lib = [str(jar) for jar in sorted(folder.glob("lib/*.jar")) if "slf4j-nop" not in jar.name]
    path = ":".join([f"{folder}/classes", *lib, *map(str, folder.glob("log/*.jar"))])
    settings = {
        "logFile": "System.out",
        "showThreadName": "false",
        "defaultLogLevel": "off",
        "log.io.rsocket.FrameLogger": "debug",
    }
    given = [f"-Dorg.slf4j.simpleLogger.{name}={value}" for name, value in settings.items()]
    done = subprocess.run(
        ["java", "-Xmx256m", "-XX:TieredStopAtLevel=1", *given, "-cp", path, "JavaPlays", scenario],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    lines = done.stdout.splitlines()
    counted = [json.loads(line) for line in lines if line.startswith("{")]
    if not counted:
        raise SystemExit(f"{scenario}: nothing counted\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    log = "".join(f"{line}\n" for line in lines if not line.startswith("{"))
    return {**counted[0], "log": log}


def drive(peer: str, *arguments: str, driver: str = "plays") -> dict[str, object]:
    """Plays a scenario of a driver to its end; gives what the driver counted."""
    done = subprocess.run(
        [*command(peer, driver), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            return dict(json.loads(line))
    said = f"{done.stdout[-2000:]}{done.stderr[-4000:]}"
    raise SystemExit(f"{peer} {' '.join(arguments)}: nothing counted\n{said}")


@contextmanager
def serving(
    *arguments: str, peer: str = "java", driver: str = "serves"
) -> Iterator[dict[str, object]]:
    """A server of a library while the block runs; then what it counted is in the result."""
    counted: dict[str, object] = {}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*command(peer, driver), *arguments], stdin=pipe, stdout=pipe, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        late = threading.Timer(120, process.kill)
        late.start()
        SERVING.append(process)
        try:
            if process.stdout.readline().strip() != "ready":
                raise SystemExit(f"no server: {' '.join(arguments)}")
            yield counted
            process.stdin.close()
            counted |= json.loads(process.stdout.readline() or "{}")
        finally:
            late.cancel()
            SERVING.remove(process)
            process.kill()
