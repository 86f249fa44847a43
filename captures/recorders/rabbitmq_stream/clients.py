"""The client libraries, installed and built once in the cache from their registries."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from captures.recorders import lab
from captures.recorders.rsocket import clients as others

RSTREAM, RBFLY, PIKA = "1.1.1", "0.10.0", "1.4.4"
JS = "1.0.0"
JAVA = "1.11.0"
GO, GO_AMQP = "v1.8.3", "v1.7.0"
RUST = "0.11.0"
OLD_GO = {"go_1_4": "v1.4.1", "go_hasty": "v1.4.1"}
OLD_RUST = {"rust_0_4": "0.4.4", "rust_0_2": "0.2.0"}
OLD_JS = {"js_0_4": "0.4.2"}
OLD_RSTREAM = {"rstream_0_15": "0.15.0", "rstream_0_31": "0.31.0"}
"""Versions that had a bug; the name of a driver for them begins with the client's."""
GO_MODULE = "github.com/rabbitmq/rabbitmq-stream-go-client"
CLIENTS = lab.CACHE / "clients"
DRIVERS = Path(__file__).parent / "drivers"
THREADS = DRIVERS / "threads"
"""Drivers of one play each."""
SCRATCH = "module recorder\n\ngo 1.25.0\n"  # the proxy serves exact versions, to a module that asks
POM = f"""\
<project>
<modelVersion>4.0.0</modelVersion>
<groupId>recorder</groupId>
<artifactId>recorder</artifactId>
<version>1</version>
<dependencies>
<dependency>
<groupId>com.rabbitmq</groupId>
<artifactId>stream-client</artifactId>
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
CARGO = f"""\
[package]
name = "rust_plays"
version = "0.1.0"
edition = "2021"

[dependencies]
rabbitmq-stream-client = "={RUST}"
tokio = {{ version = "1", features = ["full"] }}
futures = "0.3"
serde_json = "1"
"""

Events = Mapping[str, Callable[[int], object]]


def python(name: str = "rstream") -> Path:
    """The interpreter that has a library."""
    return CLIENTS / name / "bin/python"


def modules(name: str = "js") -> Path:
    """The folder that has a version of the JavaScript client."""
    return CLIENTS / name / "node_modules"


def changed(driver: str | Path, copy: Path, result: Path) -> bool:
    """Copies a driver to where it is built; says whether it has to be built."""
    source = (DRIVERS / driver).read_text()
    if result.exists() and copy.exists() and copy.read_text() == source:
        return False
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(source)
    return True


def virtual(name: str, *packages: str) -> None:
    """Packages of PyPI in an environment of their own."""
    if not python(name).exists():
        lab.run(f"{sys.executable} -m venv {CLIENTS}/{name}")
        lab.run(f"{python(name)} -m pip -q install {' '.join(packages)}")


def js(name: str = "js", version: str = JS) -> None:
    """A version of the JavaScript client."""
    lab.require("node", "npm")
    if not (modules(name) / "rabbitmq-stream-js-client").exists():
        folder = modules(name).parent
        folder.mkdir(parents=True, exist_ok=True)
        lab.run(f"npm install --silent rabbitmq-stream-js-client@{version}", cwd=folder)


def java() -> None:
    """The Java client and what drives it."""
    lab.require("java", "javac", "mvn")
    folder = CLIENTS / "java"
    if not list(folder.glob("lib/stream-client-*.jar")):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "pom.xml").write_text(POM)
        lab.run("mvn -q dependency:copy-dependencies -DoutputDirectory=lib", cwd=folder)
    compiled = folder / "classes/JavaPlays.class"
    if changed("JavaPlays.java", folder / "JavaPlays.java", compiled):
        lab.run("javac -nowarn -proc:none -d classes -cp 'lib/*' JavaPlays.java", cwd=folder)


def go() -> None:
    """The Go client, its performance test, an AMQP 1.0 library, and what drives them."""
    lab.require("go")
    folder = CLIENTS / "go"
    build = "GOFLAGS=-mod=mod go build -p 1"
    if not (folder / "go.mod").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "go.mod").write_text(SCRATCH)
        wanted = f"{GO_MODULE}@{GO} github.com/Azure/go-amqp@{GO_AMQP}"
        lab.run(f"GOFLAGS=-mod=mod go get {wanted}", cwd=folder)
    if changed("go_plays.go", folder / "main.go", folder / "go_plays"):
        lab.run(f"{build} -o go_plays .", cwd=folder)
    if not (folder / "perfTest").exists():
        lab.run(f"{build} -o perfTest {GO_MODULE}/perfTest", cwd=folder)


def rust() -> None:
    """The Rust client and what drives it."""
    lab.require("cargo")
    folder = CLIENTS / "rust"
    built = folder / "target/debug/rust_plays"
    if changed("rust_plays.rs", folder / "src/main.rs", built):
        (folder / "Cargo.toml").write_text(CARGO)
        lab.run("cargo build -q -j1", cwd=folder)


def js_modules(script: str) -> tuple[str, Path]:
    """The client that has the version of the JavaScript client that a driver is for.

    And the driver's source.
    """
    for name in OLD_JS:
        if script.startswith(f"{name}_"):
            return name, THREADS / script.replace(name, "js")
    return "js", next(file for folder in (DRIVERS, THREADS) if (file := folder / script).exists())


def old_rust(name: str) -> None:
    """A version of the Rust client that had a bug."""
    lab.require("cargo")
    folder = CLIENTS / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Cargo.toml").write_text(CARGO.replace(RUST, OLD_RUST[name]))


def rust_crate(driver: str) -> tuple[Path, Path]:
    """The folder that has the version of the Rust client that a driver of one play is for.

    And the driver's source.
    """
    for name in OLD_RUST:
        if driver.startswith(f"{name}_"):
            return CLIENTS / name, THREADS / driver.removeprefix(f"{name}_")
    return CLIENTS / "rust", THREADS / driver


def go_module(driver: str) -> tuple[Path, Path]:
    """The folder that has the version of the Go client that a driver of one play is for.

    And the driver's source.
    """
    for name in OLD_GO:
        if driver.startswith(f"{name}_"):
            return CLIENTS / name, THREADS / driver.removeprefix(f"{name}_")
    return CLIENTS / "go", THREADS / driver


def old_go(name: str) -> None:
    """A version of the Go client that had a bug."""
    lab.require("go")
    folder = CLIENTS / name
    if not (folder / "go.mod").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "go.mod").write_text(SCRATCH)
        lab.run(f"GOFLAGS=-mod=mod go get {GO_MODULE}@{OLD_GO[name]}", cwd=folder)
        if name == "go_hasty":
            hasty(folder)


def hasty(folder: Path) -> None:
    """Patches the Go client so that Close does not wait for messages, as early releases did."""
    module = lab.run(f"GOFLAGS=-mod=mod go list -m -f '{{{{.Dir}}}}' {GO_MODULE}", cwd=folder)
    lab.run(f"cp -r {module.strip()} patched && chmod -R u+w patched", cwd=folder)
    lab.run(
        "sed -i '/^\\tproducer.waitForInflightMessages()$/d' patched/pkg/stream/producer.go",
        cwd=folder,
    )
    lab.run(f"go mod edit -replace {GO_MODULE}=./patched", cwd=folder)


def java_of(name: str) -> str:
    """The client whose jars a class of Java needs."""
    return "rsocket_spring" if name.startswith("Spring") else "java"


def build(driver: str) -> None:
    """Builds a driver of one play, where it has to be."""
    file = THREADS / driver
    name = file.stem
    match file.suffix:
        case ".java":
            folder = CLIENTS / java_of(name)
            if changed(file, folder / driver, folder / f"classes/{name}.class"):
                path = "'classes:lib/*'"
                lab.run(f"javac -nowarn -proc:none -d classes -cp {path} {driver}", cwd=folder)
        case ".go":
            folder, file = go_module(driver)
            if changed(file, folder / name / "main.go", folder / f"bin/{name}"):
                lab.run(f"GOFLAGS=-mod=mod go build -p 1 -o bin/{name} ./{name}", cwd=folder)
        case ".rs":
            folder, file = rust_crate(driver)
            built = folder / f"target/debug/{name}"
            if changed(file, folder / f"src/bin/{name}.rs", built):
                lab.run(f"cargo build -q -j1 --bin {name}", cwd=folder)


READY = {
    "rstream": lambda: virtual("rstream", f"rstream=={RSTREAM}"),
    **{
        name: partial(virtual, name, f"rstream=={version}") for name, version in OLD_RSTREAM.items()
    },
    "rbfly": lambda: virtual("rbfly", f"rbfly=={RBFLY}", f"pika=={PIKA}"),
    "js": js,
    **{name: partial(js, name, version) for name, version in OLD_JS.items()},
    "java": java,
    "go": go,
    **{name: partial(old_go, name) for name in OLD_GO},
    "rust": rust,
    **{name: partial(old_rust, name) for name in OLD_RUST},
    "spring": lambda: others.prepare({"spring"}),
}
PARTS = {
    "perf_test": ("go",),
    "pika": ("rbfly", "java"),
    "go_amqp": ("go", "java"),
    "go_and_rstream": ("go", "rstream"),
    "go_and_pika": ("go", "rbfly"),
    "three": ("go", "rstream", "js"),
    "rstream_and_pika": ("rstream", "rbfly"),
    "js_0_4_and_pika": ("js_0_4", "rbfly"),
}
"""Clients that are more than one, or part of another."""

READ_BY_JAVA = f"read by Java stream-client {JAVA} (Maven com.rabbitmq)"
PYTHON = f"{sys.executable} --version"
SPRING = (
    f"spring-rabbit-stream {others.SPRING_STREAM} with Java stream-client {others.SPRING_CLIENT}"
)
DESCRIBED = {
    "rstream": (f"rstream {RSTREAM} (PyPI)", PYTHON),
    "rbfly": (f"rbfly {RBFLY} (PyPI)", PYTHON),
    "js": (f"rabbitmq-stream-js-client {JS} (npm), Node.js", "node --version"),
    "java": (f"Java stream-client {JAVA} (Maven com.rabbitmq)", "java -version"),
    "spring": (f"{SPRING} (Maven)", "java -version"),
    "go": (f"Go client {GO[1:]} ({GO_MODULE})", "go version"),
    "perf_test": (f"Go perfTest {GO[1:]} ({GO_MODULE}/perfTest)", "go version"),
    "go_and_rstream": (
        f"Go client {GO[1:]} ({GO_MODULE}) and rstream {RSTREAM} (PyPI)",
        PYTHON,
    ),
    "three": (
        f"Go client {GO[1:]}, rstream {RSTREAM} and rabbitmq-stream-js-client {JS}",
        PYTHON,
    ),
    "go_and_pika": (
        f"Go client {GO[1:]} ({GO_MODULE}); pika {PIKA} (PyPI) adds the partition",
        "go version",
    ),
    "rstream_and_pika": (
        f"rstream {RSTREAM} (PyPI); pika {PIKA} (PyPI) reads by AMQP 0-9-1, not recorded",
        PYTHON,
    ),
    "js_0_4_and_pika": (
        f"rabbitmq-stream-js-client {OLD_JS['js_0_4']} and Node.js; pika {PIKA}, not recorded",
        "node --version",
    ),
    **{
        name: (f"Go client {version[1:]} ({GO_MODULE})", "go version")
        for name, version in OLD_GO.items()
    },
    "go_hasty": (
        f"Go client {OLD_GO['go_hasty'][1:]} ({GO_MODULE}), patched: Close does not wait",
        "go version",
    ),
    **{name: (f"rstream {version} (PyPI)", PYTHON) for name, version in OLD_RSTREAM.items()},
    **{
        name: (f"Rust client {version} (crate rabbitmq-stream-client)", "rustc --version")
        for name, version in OLD_RUST.items()
    },
    "rust": (f"Rust client {RUST} (crate rabbitmq-stream-client)", "rustc --version"),
    "pika": (f"pika {PIKA} (PyPI; AMQP 0-9-1), {READ_BY_JAVA}", "java -version"),
    "go_amqp": (f"go-amqp {GO_AMQP} (Go; AMQP 1.0), {READ_BY_JAVA}", "java -version"),
}
"""What provenance calls a client, and what says the version of what runs it."""


def prepare(names: set[str]) -> None:
    """Installs and builds what is not there."""
    for name in sorted({part for each in names for part in PARTS.get(each, (each,))} - {"raw"}):
        READY[name]()


def described(client: str) -> str:
    """A client and its version, as provenance says it."""
    name, program = DESCRIBED[client]
    return f"{name}, {lab.run(f'{program} 2>&1').splitlines()[0].strip()}"


def command(script: str, arguments: tuple[str, ...]) -> list[str]:
    """How a driver is started."""
    alone = not (DRIVERS / script).exists()
    file = (THREADS if alone else DRIVERS) / script
    match file.suffix:
        case ".mjs":
            # an import is looked up beside the script, so it is run from where the client is
            name, source = js_modules(script)
            copy = modules(name).parent / source.name
            copy.write_bytes(source.read_bytes())
            start = ["node", str(copy)]
        case ".java":
            folder = CLIENTS / java_of(file.stem)
            path = f"{folder}/classes:{folder}/lib/*"
            start = ["java", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", path, file.stem]
        case ".go":
            folder, _ = go_module(script)
            start = [str(folder / (f"bin/{file.stem}" if alone else "go_plays"))]
        case ".rs":
            folder, _ = rust_crate(script)
            start = [str(folder / "target/debug" / file.stem)]
        case _:
            library = "rstream" if script.startswith("rstream") else "rbfly"
            for name in OLD_RSTREAM:
                if script.startswith(f"{name}_"):
                    library, file = name, THREADS / script.replace(name, "rstream")
            start = [str(python(library)), str(file)]
    return [*start, *arguments]


def start(script: str, *arguments: str) -> subprocess.Popen[str]:
    """Starts a driver, whose output is read line by line."""
    pipe = subprocess.PIPE
    full = command(script, arguments)
    return subprocess.Popen(full, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, text=True)


def say(process: subprocess.Popen[str]) -> None:
    """Lets a driver that asked for something go on."""
    assert process.stdin
    process.stdin.write("\n")
    process.stdin.flush()


def heard(process: subprocess.Popen[str], on: Events | None = None) -> dict:
    """What a driver counted: the first line that is JSON.

    A line that names an event in `on` waits for what is to be done then, with the driver's process
    id, and for a line back.
    """
    lines: list[str] = []
    assert process.stdout
    for line in process.stdout:
        lines.append(line.strip())
        if lines[-1].startswith("{"):
            return json.loads(lines[-1])
        if on and lines[-1] in on:
            on[lines[-1]](process.pid)
            say(process)
    print("  nothing counted:", *lines[-20:], sep="\n    ")
    return {}


def drive(script: str, *arguments: str, wait: float = 120, on: Events | None = None) -> dict:
    """Runs a driver to its end; gives what it counted."""
    process = start(script, *arguments)
    late = threading.Timer(wait, process.kill)
    late.start()
    try:
        facts = heard(process, on)
        process.communicate(timeout=10)
    finally:
        late.cancel()
        process.kill()
    return facts
