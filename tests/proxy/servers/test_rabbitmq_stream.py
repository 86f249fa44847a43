"""A broker of RabbitMQ that advertises a name that nothing resolves, and a public client."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.console import process
from tests.failures import Failures
from tests.proxy.servers.running import ADVERTISED, rabbitmq

import streamshark
from streamshark.capture import open_capture
from streamshark.proxy import Proxy
from streamshark.proxy.client_command import variables
from streamshark.proxy.recipes import RECIPES, Recipe

pytestmark = [pytest.mark.process, pytest.mark.slow, pytest.mark.xdist_group("rabbitmq")]
CLIENT = """
import asyncio, os
from rstream import AMQPMessage, Consumer, ConsumerOffsetSpecification, OffsetType, Producer
from rstream import amqp_decoder

where = {"host": os.environ["STREAMSHARK_PROXY_HOST"], "username": "guest", "password": "guest"}
where["port"] = int(os.environ["STREAMSHARK_PROXY_PORT"])

async def main():
    async with Producer(**where) as producer:
        await producer.create_stream("orders")
        for number in range(50):
            await producer.send_wait("orders", AMQPMessage(body=b"%d" % number))
    got, all_of_them = [], asyncio.Event()
    async def take(message, _context):
        got.append(bytes(message.body))
        if len(got) == 50:
            all_of_them.set()
    consumer = Consumer(**where)
    await consumer.start()
    first = ConsumerOffsetSpecification(OffsetType.FIRST, None)
    await consumer.subscribe("orders", take, decoder=amqp_decoder, offset_specification=first)
    running = asyncio.create_task(consumer.run())
    await asyncio.wait_for(all_of_them.wait(), 20)
    assert got == [b"%d" % number for number in range(50)]
    await consumer.close()
    running.cancel()

asyncio.run(asyncio.wait_for(main(), 50))
"""
LOGGED = """
import logging, socket
logging.basicConfig(level=logging.DEBUG, format="%(name)s %(levelname)s %(message)s")
real = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **more: real(
    "127.0.0.1" if host == "{0}" else host, *rest, **more
)
"""
"""Logs every frame; knows where the node is, which nothing else does."""

FAULTY = """
import asyncio, os, sys
from rstream import AMQPMessage, Consumer, ConsumerOffsetSpecification, OffsetType, Producer
from rstream import amqp_decoder

where = {"host": os.environ["STREAMSHARK_PROXY_HOST"], "username": "guest", "password": "guest"}
where["port"] = int(os.environ["STREAMSHARK_PROXY_PORT"])
stream, seconds, idles = sys.argv[1], float(sys.argv[2]), sys.argv[3] == "idle"

async def main():
    producer = Producer(**where, heartbeat=2 if idles else 60)
    await producer.start()
    await producer.create_stream(stream)
    await producer.send_wait(stream, AMQPMessage(body=b"first"))
    if idles:
        return await asyncio.sleep(seconds)
    consumer = Consumer(**where)
    await consumer.start()
    async def take(message, _context):
        pass
    first = ConsumerOffsetSpecification(OffsetType.FIRST, None)
    await consumer.subscribe(stream, take, decoder=amqp_decoder, offset_specification=first)
    running = asyncio.create_task(consumer.run())
    for number in range(int(seconds * 10)):
        await producer.send_batch(stream, [AMQPMessage(body=b"%d" % number)] * 20)
        await asyncio.sleep(0.1)
    running.cancel()
    await consumer.close()
    await producer.close()

try:
    asyncio.run(asyncio.wait_for(main(), 30))
except Exception as error:
    print(repr(error))
"""
SAID = {
    "rabbitmq-confirm-lost": "TimeoutError()",
    "rabbitmq-publisher-refused": "PublisherDoesNotExist()",
    "rabbitmq-login-refused": "AuthenticationFailure()",
    "rabbitmq-chunk-corrupt": "Could not decode <class 'rstream.schema.Deliver'>",
    "rabbitmq-metadata-stale": "KeyError(9)",
}
"""Name of a fault to the exception of the client; it does not notice the others."""


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a broker."""
    with rabbitmq(tmp_path_factory.mktemp("broker")) as port:
        yield port


def faulty(port: int, recipe: Recipe, out: Path, seconds: float) -> set[str]:
    """The rules that find something in the recording of a client with a fault."""
    idles = "idle" if "heartbeat" in recipe.name else "busy"
    resolve = {ADVERTISED: "127.0.0.1"}
    url = f"rabbitmq-stream://127.0.0.1:{port}"
    with Proxy(
        url,
        faults=[recipe.name],
        write=out,
        resolve=resolve,
        ports=range(26_400, 26_500),
        notice=lambda _: None,
    ) as proxy:
        values = variables(proxy.addresses)
        stream = f"{out.parent.name}-{recipe.name}"
        words = [sys.executable, "-c", FAULTY, stream, str(seconds), idles]
        done = subprocess.run(
            words, capture_output=True, text=True, check=True, env={**os.environ, **values},
            timeout=60,
        )  # fmt: skip
        assert proxy.faults[1].used > 0
    assert SAID.get(recipe.name, "") in done.stdout
    assert any(recipe.fault in each for each in comments(out))
    return {each.rule for each in streamshark.check(str(out))}


def comments(path: Path) -> list[str]:
    """The comments of a recording."""
    capture = open_capture(path)
    assert sum(map(len, capture.batches())) > 0
    return [each.text for each in capture.comments]


def test_a_named_fault(broker: int, tmp_path: Path) -> None:
    """A public client meets it, and `check` finds it in the recording."""
    recipe = next(each for each in RECIPES if each.name == "rabbitmq-confirm-twice")
    assert recipe.finding in faulty(broker, recipe, tmp_path / "out.pcapng", 0.1)


@pytest.mark.sweep
def test_every_named_fault(broker: int, tmp_path: Path) -> None:
    """The same of each."""
    with Failures() as failures:
        for each in RECIPES:
            if not each.name.startswith("rabbitmq"):
                continue
            seconds = 10 if "heartbeat" in each.name else 3
            with failures.of(each.name):
                found = faulty(broker, each, tmp_path / f"{each.name}.pcapng", seconds)
                assert each.finding in found


def test_a_client_reaches_the_node_through_the_proxy(
    broker: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All messages come back in order; both legs of the recording have the same frames."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    out = tmp_path / "out.pcapng"
    words = ["proxy", f"rabbitmq-stream://127.0.0.1:{broker}", "-w", str(out), "--record", "both"]
    words += ["--resolve", f"{ADVERTISED}=127.0.0.1", "--fail-on", "warning"]
    done = process(*words, "--", sys.executable, "-c", CLIENT)

    assert done.code == 0, done.err
    assert f"is {ADVERTISED}:{broker}, a node of 127.0.0.1:{broker}" in done.err
    rows = [json.loads(line) for line in process("read", "-T", "ndjson", str(out)).out.splitlines()]
    legs: tuple[list[object], list[object]] = [], []
    for row in rows:
        if row["frame"] is not None:
            to_broker = f"127.0.0.1:{broker}" in (row["src"], row["dst"])
            fields = row["fields"] if row["command"] not in ("metadata", "open") else None
            legs[to_broker].append((row["command"], row["kind"], row["correlation_id"], fields))
    assert len(legs[0]) > 20
    assert sorted(map(repr, legs[0])) == sorted(map(repr, legs[1]))
    hosts = [
        broker["host"]
        for row in rows
        if row["command"] == "metadata" and row["kind"] == "response"
        for broker in row["fields"]["brokers"]
    ]
    assert sorted({*hosts}) == ["127.0.0.1", ADVERTISED]


def logged(host: str, port: int, stream: str, node: str) -> list[str]:
    """What a client logs, frames included; hosts are HOST, and times N."""
    program = LOGGED.format(ADVERTISED) + CLIENT.replace("orders", stream)
    address = {"STREAMSHARK_PROXY_HOST": host, "STREAMSHARK_PROXY_PORT": str(port)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, check=False, env={**os.environ, **address}, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    text = done.stderr.replace(stream, "STREAM")
    for each in (host, node):
        text = text.replace(each, "HOST")
    text = re.sub(rf"\b({port}|264\d\d)\b", "PORT", text)
    return sorted(re.sub(r"\d{10,}|0x[0-9a-f]+", "N", line) for line in text.splitlines())


@pytest.mark.sweep
def test_a_client_notices_the_host_alone(broker: int, tmp_path: Path) -> None:
    """What it logs is what it logs without the proxy, but for the address."""
    url, out = f"rabbitmq-stream://127.0.0.1:{broker}", tmp_path / "out.pcapng"
    resolve, ports = {ADVERTISED: "127.0.0.1"}, range(26_400, 26_500)
    with Proxy(url, write=out, ports=ports, resolve=resolve, notice=lambda _: None) as proxy:
        direct = logged("127.0.0.1", broker, "direct", ADVERTISED)
        through = logged(proxy.host, proxy.port, "relays", proxy.host)
    assert len(direct) > 100
    assert through == direct
