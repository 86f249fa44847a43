"""What FastStream is made to do in the thirteenth round of the blind test; what it counted."""

import asyncio
import json
import sys

from faststream.nats import JStream, NatsBroker
from nats.js.api import ConsumerConfig

URL = "nats://127.0.0.1:4222"
counted: dict[str, int] = {}


def count(name: str) -> None:
    counted[name] = counted.get(name, 0) + 1


def worker(number: int, ack_wait: float) -> NatsBroker:
    """A worker of a queue that renders pictures, 0.8 s each."""
    broker = NatsBroker(URL, name=f"renderer-{number}", logger=None)
    stream = JStream("renders", subjects=["renders.*"])

    @broker.subscriber(
        "renders.*",
        stream=stream,
        queue="renderers",
        durable="renderers",
        config=ConsumerConfig(ack_wait=ack_wait),
    )
    async def renders(text: str) -> None:
        count("begun" if text not in seen else "begun_again")
        seen.add(text)
        await asyncio.sleep(0.8)
        count("rendered")

    return broker


seen: set[str] = set()


async def main(ack_wait: float) -> None:
    """Two workers and a shop, which asks for the sizes of pictures too."""
    workers = [worker(number, ack_wait) for number in range(2)]
    shop = NatsBroker(URL, name="shop", logger=None)

    @shop.subscriber("sizes")
    async def sizes(text: str) -> int:
        return 100 + len(text)

    await shop.start()
    for each in workers:
        await each.start()
    for number in range(18):
        await shop.publish(
            f"picture {number} of album {number % 5}", "renders.small", stream="renders"
        )
        count("published")
        if number % 3 == 0:
            await shop.request(f"picture {number}", "sizes", timeout=1)
        await asyncio.sleep(0.55)
    await asyncio.sleep(2.5)
    for each in workers:
        await each.stop()
    await shop.stop()


asyncio.run(main(0.45 if sys.argv[1] == "handled_longer_than_ack_wait" else 5))
print(json.dumps(counted), flush=True)
