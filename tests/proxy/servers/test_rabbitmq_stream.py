"""A broker of RabbitMQ that advertises a name that nothing resolves, and a public client."""

import json
import sys
from pathlib import Path

import pytest
from tests.cli.console import process
from tests.proxy.servers.running import ADVERTISED, rabbitmq

pytestmark = [pytest.mark.process, pytest.mark.slow]
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


def test_a_client_reaches_the_node_through_the_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All messages come back in order; both legs of the recording have the same frames."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    out = tmp_path / "out.pcapng"
    with rabbitmq(tmp_path) as port:
        words = ["proxy", f"rabbitmq-stream://127.0.0.1:{port}", "-w", str(out), "--record", "both"]
        words += ["--resolve", f"{ADVERTISED}=127.0.0.1", "--fail-on", "warning"]
        done = process(*words, "--", sys.executable, "-c", CLIENT)

    assert done.code == 0, done.err
    assert f"is {ADVERTISED}:{port}, a node of 127.0.0.1:{port}" in done.err
    rows = [json.loads(line) for line in process("read", "-T", "ndjson", str(out)).out.splitlines()]
    legs: tuple[list[object], list[object]] = [], []
    for row in rows:
        if row["frame"] is not None:
            to_broker = f"127.0.0.1:{port}" in (row["src"], row["dst"])
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
