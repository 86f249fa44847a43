"""The client libraries, installed once into the cache from their registries."""

import json
import subprocess
import sys
from pathlib import Path

from captures.recorders import lab

RSTREAM = "1.1.1"
JS = "1.0.0"
DRIVERS = Path(__file__).parent / "drivers"


def python() -> Path:
    """The interpreter that has rstream."""
    return lab.CACHE / "clients/rstream/bin/python"


def modules() -> Path:
    """The folder that has the JavaScript client."""
    return lab.CACHE / "clients/js/node_modules"


def prepare() -> None:
    """Installs what is not there."""
    lab.require("node", "npm")
    if not python().exists():
        lab.run(f"{sys.executable} -m venv {lab.CACHE}/clients/rstream")
    lab.run(f"{python()} -m pip -q install rstream=={RSTREAM}")
    if not (modules() / "rabbitmq-stream-js-client").exists():
        folder = modules().parent
        folder.mkdir(parents=True, exist_ok=True)
        lab.run(f"npm install --silent rabbitmq-stream-js-client@{JS}", cwd=folder)


def described(client: str) -> str:
    """A client and its version, as provenance says it."""
    if client == "rstream":
        return f"rstream {RSTREAM} (PyPI), Python {sys.version.split()[0]}"
    if client == "js":
        node = lab.run("node --version").strip()
        return f"rabbitmq-stream-js-client {JS} (npm), Node.js {node}"
    return client


def drive(script: str, *arguments: str, wait: float = 120) -> dict[str, object]:
    """Runs a driver; the last line it prints is what it counted, as JSON."""
    file = DRIVERS / script
    if file.suffix == ".mjs":
        # an import is looked up beside the script, so the script is run from where the client is
        copy = modules().parent / file.name
        copy.write_bytes(file.read_bytes())
        command = ["node", str(copy), *arguments]
    else:
        command = [str(python()), str(file), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=wait, check=False)
    lines = done.stdout.strip().splitlines()
    if not lines or not lines[-1].startswith("{"):
        print(f"  {script}: {done.stdout[-1500:]}{done.stderr[-1500:]}")
        return {}
    return json.loads(lines[-1])
