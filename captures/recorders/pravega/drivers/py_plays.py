"""What the Python client (whose core is the Rust one) does; prints what it wrote, as JSON."""

import asyncio
import json
import os
import sys

import pravega_client

SCOPE, STREAM = "scope", "stream"


def events(manager: pravega_client.StreamManager) -> dict[str, int]:
    """Small and larger events, then all of them are read."""
    manager.create_stream(SCOPE, STREAM, 1)
    writer = manager.create_writer(SCOPE, STREAM)
    for number in range(10):
        writer.write_event(f"event {number}", routing_key="key")
    writer.write_event("large " * 2000, routing_key="key")
    writer.flush()
    reader = manager.create_reader_group("group", SCOPE, STREAM).create_reader("reader")
    read = asyncio.run(slices(reader, 11))
    reader.reader_offline()
    manager.seal_stream(SCOPE, STREAM)
    manager.delete_stream(SCOPE, STREAM)
    return {"written": 11, "read": read}


async def slices(reader: pravega_client.StreamReader, wanted: int) -> int:
    """Reads as many events."""
    read = 0
    while read < wanted:
        part = await reader.get_segment_slice_async()
        read += len(list(part)) if part else 0
        if part:
            reader.release_segment(part)
    return read


def transactions(manager: pravega_client.StreamManager) -> dict[str, int]:
    """One is committed, one aborted."""
    manager.create_stream(SCOPE, STREAM, 1)
    writer = manager.create_transaction_writer(SCOPE, STREAM, 1)
    kept = writer.begin_txn()
    kept.write_event("kept", routing_key="key")
    kept.commit()
    dropped = writer.begin_txn()
    dropped.write_event("dropped", routing_key="key")
    dropped.abort()
    return {"written": 2}


def byte_stream(manager: pravega_client.StreamManager) -> dict[str, int]:
    """Bytes without heads, read back from the middle."""
    manager.create_stream(SCOPE, STREAM, 1)
    stream = manager.create_byte_stream(SCOPE, STREAM)
    for _ in range(3):
        stream.write(b"bytes without heads " * 50)
        stream.flush()
    stream.seek(500, 0)
    buffer = bytearray(1000)
    return {"written": 3000, "read": stream.readinto(buffer)}


def main() -> None:
    """Plays one of them."""
    plays = {"events": events, "transactions": transactions, "bytes": byte_stream}
    manager = pravega_client.StreamManager("tcp://127.0.0.1:9090")
    manager.create_scope(SCOPE)
    print(json.dumps(plays[sys.argv[1]](manager)), flush=True)
    os._exit(0)  # its threads linger


main()
