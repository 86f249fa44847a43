"""Instances of an application on a super stream, by rstream: `STREAM instance|sends`."""

import asyncio
import json
import signal
import sys

from rstream import (
    AMQPMessage,
    ConsumerOffsetSpecification,
    EventContext,
    MessageContext,
    OffsetSpecification,
    OffsetType,
    RouteType,
    SuperStreamConsumer,
    SuperStreamCreationOption,
    SuperStreamProducer,
    amqp_decoder,
)

WHO = {"host": "broker", "username": "guest", "password": "guest"}
counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def instance(stream: str) -> None:
    """An instance of an application, until SIGTERM; it stores each twentieth offset."""
    consumer = SuperStreamConsumer(**WHO, super_stream=stream)
    await consumer.start()
    ending = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ending.set)

    async def active(is_active: bool, event: EventContext) -> OffsetSpecification:  # noqa: FBT001
        count("active" if is_active else "passive")
        try:
            offset = (
                await event.consumer.query_offset(stream=event.stream, subscriber_name="ledger")
                if hasattr(event, "consumer")
                else None
            )
        except Exception:  # noqa: BLE001
            offset = None
        return (
            OffsetSpecification(OffsetType.OFFSET, offset + 1)
            if offset is not None
            else OffsetSpecification(OffsetType.FIRST, 0)
        )

    async def take(_message: AMQPMessage, context: MessageContext) -> None:
        count("read")
        await asyncio.sleep(0.003)
        if counted["read"] % 20 == 0:
            await context.consumer.store_offset(
                stream=context.stream, offset=context.offset, subscriber_name="ledger"
            )

    await consumer.subscribe(
        callback=take,
        decoder=amqp_decoder,
        subscriber_name="ledger",
        offset_specification=ConsumerOffsetSpecification(OffsetType.FIRST, None),
        properties={"single-active-consumer": "true", "name": "ledger", "super-stream": stream},
        consumer_update_listener=active,
    )
    run = asyncio.create_task(consumer.run())
    await ending.wait()
    await consumer.close()
    run.cancel()


async def sends(stream: str) -> None:
    """Invoices by customer into a super stream."""

    async def by(message: AMQPMessage) -> str:
        return message.application_properties["id"]

    async with SuperStreamProducer(
        **WHO,
        super_stream=stream,
        routing_extractor=by,
        routing=RouteType.Hash,
        super_stream_creation_option=SuperStreamCreationOption(n_partitions=2),
    ) as producer:
        print("created", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        for n in range(400):
            await producer.send(
                AMQPMessage(
                    body=f"invoice {n}".encode(), application_properties={"id": f"c{n % 9}"}
                )
            )
            count("sent")
            await asyncio.sleep(0.04)
        await asyncio.sleep(1)


stream, play = sys.argv[1:]
asyncio.run({"instance": instance, "sends": sends}[play](stream))
print(json.dumps(counted), flush=True)
