"""What nats-py is made to do in the sixteenth round of the blind test; prints what it counted."""

import asyncio
import json
import time

import nats

counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def quiet(error: Exception) -> None:
    """Errors are counted, not printed."""
    del error
    count("errors")


async def conn(name: str, attempts: int) -> nats.NATS:
    return await nats.connect(
        "nats://127.0.0.1:4223",
        name=name,
        max_reconnect_attempts=attempts,
        reconnect_time_wait=0.4,
        error_cb=quiet,
    )


async def reads(nc: nats.NATS, subject: str, name: str) -> None:
    """Counts what comes."""

    async def handler(message: nats.aio.msg.Msg) -> None:
        del message
        count(name)

    await nc.subscribe(subject, cb=handler)


async def main() -> None:
    """A publisher and a consumer that give up after three attempts, and a log that does not."""
    publisher, consumer, log = await conn("pump", 3), await conn("tank", 3), await conn("log", -1)
    await reads(consumer, "level.>", "consumed")
    await reads(log, "level.>", "logged")
    await reads(log, "pump.>", "logged")
    over, number = time.monotonic() + 22, 0
    while time.monotonic() < over:
        if publisher.is_connected:
            await publisher.publish(f"level.tank{number % 3}", f"{number} cm".encode())
            count("published")
        if log.is_connected and number % 5 == 0:
            await log.publish("pump.watch", f"watch {number}".encode())
        number += 1
        await asyncio.sleep(0.3)
    counted["closed"] = int(publisher.is_closed) + int(consumer.is_closed)
    await log.close()
    print(json.dumps(counted), flush=True)


asyncio.run(main())
