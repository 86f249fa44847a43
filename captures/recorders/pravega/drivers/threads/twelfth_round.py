"""What the Python client is made to do in the twelfth round of the blind test: `PLAY`."""

import asyncio
import json
import os
import sys
import time

import pravega_client

counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def takes(reader: object, wanted: int) -> None:
    """Reads events until there are as many as are wanted."""
    read, end = 0, time.time() + 6
    while read < wanted and time.time() < end:
        part = await asyncio.wait_for(reader.get_segment_slice_async(), 6)
        for _ in part or ():
            read += 1
        if part:
            reader.release_segment(part)
    count("read", read)


def runs(*, new_group: bool) -> None:
    """A report is made three times; it reads by a group of its own each time, or by one group."""
    own = pravega_client.StreamManager("tcp://127.0.0.1:9090")
    own.create_scope("farm")
    own.create_stream("farm", "milk", 1)
    own.create_stream("farm", "weather", 1)
    writer, other = own.create_writer("farm", "milk"), own.create_writer("farm", "weather")
    for run in range(4):
        for number in range(30):
            writer.write_event(
                f"cow {number % 12} gave {8 + number % 5} litres", routing_key="barn"
            )
            count("written")
            if number % 5 == 0:
                other.write_event(f"{number} degrees", routing_key="roof")
            time.sleep(0.02)
        writer.flush()
        other.flush()
        mine = pravega_client.StreamManager("tcp://127.0.0.1:9090")
        name = f"report-{run}" if new_group else "report"
        group = mine.create_reader_group(name, "farm", "milk")
        reader = group.create_reader(f"reporter-{run}")
        asyncio.run(takes(reader, 30 * (run + 1) if new_group else 30))
        reader.reader_offline()
        KEPT.append(reader)


KEPT: list[object] = []
"""Readers of earlier runs."""
runs(new_group=sys.argv[1] == "history_read_at_each_run")
print(json.dumps(counted), flush=True)
time.sleep(0.2)
os._exit(0)
