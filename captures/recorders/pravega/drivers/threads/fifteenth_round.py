"""What the Python client is made to do in the fifteenth round of the blind test: `PLAY`."""

import asyncio
import json
import os
import sys
import time

import pravega_client

counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def takes(reader: object, wanted: int) -> int:
    """Reads events until there are as many as are wanted."""
    read = 0
    while read < wanted:
        part = await asyncio.wait_for(reader.get_segment_slice_async(), 3)
        for _ in part or ():
            read += 1
            if read == wanted:
                break
        if part:
            reader.release_segment(part)
    return read


def shelf(*, first: bool, leaves: bool) -> None:
    """A reader of books; the first program ends after 12 of 24, the second one is to go on."""
    manager = pravega_client.StreamManager("tcp://127.0.0.1:9090")
    if first:
        manager.create_scope("library")
        manager.create_stream("library", "books", 1)
    writer = manager.create_writer("library", "books")
    for number in range(12):
        writer.write_event(f"book {number} of shelf {number % 4}", routing_key="shelf")
        count("written")
    writer.flush()
    group = manager.create_reader_group("desk", "library", "books")
    for _ in range(1 if first else 4):
        try:
            reader = group.create_reader("reader-1")
            count("read", asyncio.run(takes(reader, 12)))
            if leaves:
                reader.reader_offline()
            break
        except BaseException:  # noqa: BLE001 - the library panics
            count("not_created")
            time.sleep(1.2)
    time.sleep(0.3)


first, leaves = sys.argv[1].split(":")
shelf(first=first == "first", leaves=leaves == "leaves")
print(json.dumps(counted), flush=True)
time.sleep(0.2)
os._exit(0)
