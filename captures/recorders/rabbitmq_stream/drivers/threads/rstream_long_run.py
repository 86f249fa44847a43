"""A minute of a service with rstream: `rstream_long_run.py NAME`."""

import asyncio
import json
import sys
from contextlib import suppress

from rstream import (
    AMQPMessage,
    CompressionType,
    Consumer,
    ConsumerOffsetSpecification,
    OffsetType,
    Producer,
    Properties,
    RouteType,
    SuperStreamCreationOption,
    SuperStreamProducer,
    amqp_decoder,
)
from rstream.exceptions import OffsetNotFound
from rstream.recovery import BackOffRecoveryStrategy

WHO = {"host": "broker", "username": "guest", "password": "guest"}
NAME = sys.argv[1]
ORDERS, LOGS, INVOICES = f"{NAME}-orders", f"{NAME}-logs", f"{NAME}-invoices"


def recovery() -> BackOffRecoveryStrategy:
    """Back in a second or two."""
    return BackOffRecoveryStrategy(jitter=1)


class Counts:
    """What was confirmed and handed on."""

    def __init__(self) -> None:
        self.sent = self.confirmed = self.handed = self.handed_to_job = 0

    async def confirm(self, status: object) -> None:
        """A publish was answered."""
        self.confirmed += status.is_confirmed

    async def take(self, _message: AMQPMessage, _context: object) -> None:
        """The reader that stays got a message."""
        self.handed += 1


async def job(counts: Counts) -> None:
    """A job that goes on where it was, reads to the end, stores its offset and leaves."""
    last = -1
    async with Consumer(**WHO, connection_name="nightly") as consumer:

        async def take(_message: AMQPMessage, context: object) -> None:
            nonlocal last
            last = context.offset
            counts.handed_to_job += 1

        place = ConsumerOffsetSpecification(OffsetType.FIRST, None)
        with suppress(OffsetNotFound):
            stored = await consumer.query_offset(ORDERS, "nightly")
            place = ConsumerOffsetSpecification(OffsetType.OFFSET, stored + 1)
        await consumer.subscribe(
            ORDERS,
            take,
            decoder=amqp_decoder,
            offset_specification=place,
            subscriber_name="nightly",
        )
        await asyncio.sleep(1.5)
        if last >= 0:
            await consumer.store_offset(ORDERS, "nightly", last)
        await asyncio.sleep(0.3)


async def main() -> dict:
    """Twelve rounds; the connections are closed after the sixth."""
    counts = Counts()
    producer = Producer(**WHO, recovery_strategy=recovery())
    await producer.start()
    for stream in (ORDERS, LOGS):
        await producer.create_stream(stream, {"max-length-bytes": 2_000_000_000})
    reader = Consumer(**WHO, recovery_strategy=recovery())
    await reader.start()
    await reader.subscribe(ORDERS, counts.take, decoder=amqp_decoder)

    async def key(message: AMQPMessage) -> str:
        return str(message.properties.message_id)

    partitions = SuperStreamCreationOption(n_partitions=3)
    spread = SuperStreamProducer(
        **WHO,
        super_stream=INVOICES,
        routing_extractor=key,
        routing=RouteType.Hash,
        super_stream_creation_option=partitions,
    )
    await spread.start()
    for turn in range(12):
        if turn == 6:
            await asyncio.to_thread(ask)
            await asyncio.sleep(6)
        texts = [AMQPMessage(body=b"order %d" % (turn * 20 + n)) for n in range(20)]
        await producer.send_batch(ORDERS, texts, on_publish_confirm=counts.confirm)
        for n in range(5):
            one = AMQPMessage(body=b"single %d" % n, properties=Properties(subject="order"))
            await producer.send(ORDERS, one, on_publish_confirm=counts.confirm)
        logs = [AMQPMessage(body=b"log line %d" % n) for n in range(20)]
        await producer.send_sub_entry(LOGS, logs, CompressionType.Gzip)
        counts.sent += 25
        if turn < 6:
            for n in range(9):
                properties = Properties(message_id=f"invoice-{turn}-{n}")
                await spread.send(AMQPMessage(body=b"invoice", properties=properties))
        await asyncio.sleep(1.5)
        if turn % 3 == 2:
            await job(counts)
    await reader.close()
    await producer.close()
    return {
        "sent": counts.sent,
        "told_confirmed": counts.confirmed,
        "handed": counts.handed,
        "handed_to_the_job": counts.handed_to_job,
    }


def ask() -> None:
    """The recorder closes the connections, and says when it has."""
    print("close", flush=True)
    sys.stdin.readline()


print(json.dumps(asyncio.run(main())), flush=True)
