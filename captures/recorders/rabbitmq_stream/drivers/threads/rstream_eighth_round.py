"""Plays the eighth round of the blind test by rstream; prints what it counted as JSON."""

import asyncio
import json
import sys

from rstream import AMQPMessage, Producer

WHO = {"host": "broker", "username": "guest", "password": "guest"}
counted = {"published": 0}


async def station(stream: str, number: int) -> None:
    """One of some weather stations, which all publish to one stream."""
    async with Producer(connection_name=f"station-{number}", **WHO) as producer:
        await producer.create_stream(stream, exists_ok=True)
        for reading in range(40):
            text = b"station %d, reading %d" % (number, reading)
            await producer.send(stream, AMQPMessage(body=text))
            counted["published"] += 1
            await asyncio.sleep(0.05)
        await asyncio.sleep(1.2)


async def main(stream: str) -> None:
    async with Producer(**WHO) as producer:
        await producer.create_stream(stream, exists_ok=True)
    stations = []
    for number in range(4):
        stations.append(asyncio.create_task(station(stream, number)))
        await asyncio.sleep(0.6)
    await asyncio.gather(*stations)


asyncio.run(main(sys.argv[1]))
print(json.dumps(counted), flush=True)
