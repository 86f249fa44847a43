"""What the Python client is made to do in the fourteenth round of the blind test: `PLAY`."""

import asyncio
import json
import os
import sys
import threading
import time

import pravega_client

counted: dict[str, int] = {}
KEPT: list[object] = []


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


async def takes(reader: object, wanted: int) -> None:
    """Reads events until there are as many as are wanted."""
    read, end = 0, time.time() + 6
    while read < wanted and time.time() < end:
        try:
            part = await asyncio.wait_for(reader.get_segment_slice_async(), 3)
        except TimeoutError:
            break
        for _ in part or ():
            read += 1
        if part:
            reader.release_segment(part)
    count("read", read)


def harvest() -> None:
    """Three runs of two programs: one writes events and transactions, one goes on reading."""
    manager = pravega_client.StreamManager("tcp://127.0.0.1:9090")
    manager.create_scope("farm")
    manager.create_stream("farm", "apples", 2)
    manager.create_stream("farm", "pears", 1)
    group = manager.create_reader_group("scales", "farm", "apples")
    for run in range(3):
        own = pravega_client.StreamManager("tcp://127.0.0.1:9090")
        writer = own.create_writer("farm", "apples")
        for number in range(36):
            writer.write_event(
                f"crate {run}-{number} of tree {number % 11}", routing_key=f"tree-{number % 11}"
            )
            count("written")
            time.sleep(0.03)
        writer.flush()
        booked = own.create_transaction_writer("farm", "pears", 7 + run)
        for number in range(2):
            transaction = booked.begin_txn()
            for pear in range(4):
                transaction.write_event(f"pear {pear} of basket {number}", routing_key="basket")
            if number:
                transaction.abort()
                count("aborted")
            else:
                transaction.commit()
                count("committed")
        reader = group.create_reader(f"scale-{run}")
        asyncio.run(takes(reader, 36))
        reader.reader_offline()
        KEPT.extend((own, writer, booked, reader))


def pictures(stream: object, who: str) -> None:
    """Writes pictures to a byte stream, in two parts each."""
    for number in range(12):
        try:
            stream.write(f"{who} picture {number} begins;".encode())
            stream.flush()
            time.sleep(0.06)
            stream.write(b"x" * 180 + f"{who} picture {number} ends;".encode())
            stream.flush()
            count("written")
        except BaseException:  # noqa: BLE001 - the library panics
            count("not_written")
        time.sleep(0.16)


def video(*, both: bool) -> None:
    """Two programs write to a byte stream each, or both to one."""
    managers = [pravega_client.StreamManager("tcp://127.0.0.1:9090") for _ in range(2)]
    managers[0].create_scope("studio")
    managers[0].create_stream("studio", "video", 1)
    managers[0].create_stream("studio", "spare", 1)
    first = managers[0].create_byte_stream("studio", "video")
    writing = threading.Thread(target=pictures, args=(first, "first"))
    writing.start()
    time.sleep(0.7)
    second = managers[1].create_byte_stream("studio", "video" if both else "spare")
    pictures(second, "standby")
    writing.join()
    KEPT.extend((*managers, first, second))


PLAYS = {
    "harvest": harvest,
    "bytes_refused": lambda: video(both=True),
    "bytes_in_two_streams": lambda: video(both=False),
}
PLAYS[sys.argv[1]]()
print(json.dumps(counted), flush=True)
time.sleep(0.2)
os._exit(0)
