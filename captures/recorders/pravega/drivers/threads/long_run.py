"""A minute of the Python client: events, restarts, transactions, a byte stream."""

import asyncio
import json
import os
import time

import pravega_client

SCOPE, STREAM = "shop", "orders"


async def slices(reader: pravega_client.StreamReader, wanted: int) -> int:
    """Read as many events."""
    read = 0
    while read < wanted:
        part = await reader.get_segment_slice_async()
        if part:
            read += len(list(part))
            reader.release_segment(part)
    return read


def main() -> dict[str, int]:
    """Play all of it."""
    manager = pravega_client.StreamManager("tcp://127.0.0.1:9090")
    manager.create_scope(SCOPE)
    for stream in (STREAM, "bytes"):
        manager.create_stream(SCOPE, stream, 1)
    group = manager.create_reader_group("workers", SCOPE, STREAM)
    written, read = 0, 0
    for restart in range(4):
        writer = manager.create_writer(SCOPE, STREAM)
        reader = group.create_reader(f"reader-{restart}")
        for _ in range(4):
            for number in range(10):
                writer.write_event(f"order {written + number}", routing_key=f"key {number % 3}")
            writer.flush()
            written += 10
            read += asyncio.run(slices(reader, 10))
            time.sleep(0.5)
        reader.reader_offline()
    together = manager.create_transaction_writer(SCOPE, STREAM, 1)
    for number in range(4):
        one = together.begin_txn()
        for _ in range(3):
            one.write_event(f"together {number}", routing_key="key")
        one.abort() if number == 2 else one.commit()
        time.sleep(1)
    stream = manager.create_byte_stream(SCOPE, "bytes")
    for _ in range(6):
        stream.write(b"bytes without heads " * 40)
        stream.flush()
        time.sleep(0.3)
    buffer = bytearray(1000)
    for place in (0, 1000, 2000):
        stream.seek(place, 0)
        stream.readinto(buffer)
    return {"written": written, "read": read}


print(json.dumps(main()), flush=True)
os._exit(0)  # its threads linger
