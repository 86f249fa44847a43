"""Real servers on loopback, started and stopped by tests; `make programs` installs them."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import which

import pytest
from captures.recorders.liftbridge import clients as liftbridge

UP = 60
"""Seconds in which a server must listen."""
RABBITMQ = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
ADVERTISED = "rabbit-node-1.example"
"""The name that the broker advertises, which nothing resolves."""

NATS_CLIENT = """
import os, socket
address = os.environ["STREAMSHARK_PROXY_HOST"], int(os.environ["STREAMSHARK_PROXY_PORT"])
with socket.create_connection(address) as client:
    read = client.makefile("rb")
    assert read.readline().startswith(b"INFO ")
    client.sendall(b'CONNECT {"verbose":false,"lang":"c","version":"1","name":"shop"}\\r\\n')
    client.sendall(b"SUB a 1\\r\\nPUB a %d\\r\\nhello\\r\\nPING\\r\\n")
    while (line := read.readline()) and line != b"PONG\\r\\n":
        pass
    client.shutdown(socket.SHUT_WR)
    read.read()
"""
"""Publishes five bytes of NATS; `%d` is the size that it states."""


def free_ports(many: int) -> list[int]:
    """Ports that are free now."""
    sockets = [socket.socket() for _ in range(many)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


@contextmanager
def running(
    words: list[str],
    port: int,
    log: Path,
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs until the block ends; it listens on the port when the block begins."""
    if which(words[0]) is None:
        pytest.fail(f"{words[0]} is missing: make programs installs it")
    with log.open("wb") as file:
        process = subprocess.Popen(
            words, stdout=file, stderr=file, cwd=cwd, env={**os.environ, **(environment or {})}
        )
    try:
        until = time.monotonic() + UP
        while not _listens(port):
            if process.poll() is not None or time.monotonic() > until:
                pytest.fail(f"{words[0]} does not listen:\n{log.read_text()[-2000:]}")
            time.sleep(0.05)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


@contextmanager
def rabbitmq(
    folder: Path, ports: Sequence[int] = (), advertised: str = ADVERTISED
) -> Iterator[int]:
    """A broker with streams; the port of its streams.

    `ports` are those of AMQP, streams, other nodes, and the mapper of nodes. `folder / "pid"` has
    the number of its process.
    """
    amqp, stream, distribution, mapper = ports or free_ports(4)
    (folder / "rabbitmq.conf").write_text(
        f"listeners.tcp.1 = 127.0.0.1:{amqp}\n"
        f"stream.listeners.tcp.1 = 127.0.0.1:{stream}\n"
        f"stream.advertised_host = {advertised}\nstream.advertised_port = {stream}\n"
        "log.console = true\nvm_memory_high_watermark.absolute = 400MB\n"
    )
    (folder / "enabled_plugins").write_text("[rabbitmq_stream].\n")
    environment = {
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "ERL_EPMD_PORT": str(mapper),
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODENAME": "proxied@localhost",
        "RABBITMQ_DIST_PORT": str(distribution),
        "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
        "RABBITMQ_CONF_ENV_FILE": "/dev/null",
        "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "enabled_plugins"),
        "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
        "RABBITMQ_LOG_BASE": str(folder / "log"),
        "RABBITMQ_LOGS": "-",
        "RABBITMQ_PID_FILE": str(folder / "pid"),
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none",
    }
    mapped = {**os.environ, **environment}
    names = subprocess.Popen(["epmd", "-port", str(mapper)], env=mapped)
    try:
        with running([str(RABBITMQ)], stream, folder / "broker.log", environment):
            yield stream
    finally:
        names.kill()
        names.wait()


@contextmanager
def liftbridge_server(folder: Path, port: int) -> Iterator[None]:
    """A server of Liftbridge with NATS inside it, some seconds after its start."""
    folder.mkdir(exist_ok=True)
    text = liftbridge.ONE_CONFIG.format(
        port=port, folder=folder, id="lift-1", seed="true", most=1 << 20, activity="true",
        cursors=1,
    )  # fmt: skip
    (folder / "nats.conf").write_text("listen: 127.0.0.1:4222\n")
    (folder / "lift.yaml").write_text(
        f"{text}  embedded: true\n  embedded.config: {folder}/nats.conf\n"
    )
    program = str(liftbridge.folder_of("server") / "program")
    with running([program, "--config", "lift.yaml"], port, folder / "log", cwd=folder):
        time.sleep(4)
        yield
