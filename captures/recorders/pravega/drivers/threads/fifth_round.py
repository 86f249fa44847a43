"""What the Python client is made to do in the fifth round of the blind test: `PLAY[:RUN]`."""

import asyncio
import json
import os
import sys
import time
import uuid

import pravega_client

counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


def opened(segments: int, events: int) -> pravega_client.StreamManager:
    """A scope with a stream that has events, where there are to be some."""
    manager = pravega_client.StreamManager("tcp://127.0.0.1:9090")
    manager.create_scope("farm")
    manager.create_stream("farm", "jobs", segments)
    writer = manager.create_writer("farm", "jobs")
    for number in range(events):
        writer.write_event(f"job {number}", routing_key=f"k{number % 8}")
    if events:
        writer.flush()
    return manager


async def worker(reader: object, *, leaves: bool) -> list[object]:
    """Reads eight events, or for 1.6 s; the slices that it keeps."""
    end, read, kept = time.time() + 1.6, 0, []
    while read < 8 and time.time() < end:
        try:
            part = await asyncio.wait_for(reader.get_segment_slice_async(), end - time.time())
        except TimeoutError:
            break
        for _ in part or ():
            read += 1
            time.sleep(0.02)  # noqa: ASYNC251 - works on the event
            if read >= 8:
                break
        if part and leaves:
            reader.release_segment(part)
        elif part:
            kept.append(part)
    count("read", read)
    return kept


def runs_of_worker(run: int, *, leaves: bool) -> None:
    """One run of a worker, which leaves the group or not."""
    manager = pravega_client.StreamManager("tcp://127.0.0.1:9090") if run else opened(2, 60)
    group = manager.create_reader_group("workers", "farm", "jobs")
    reader = group.create_reader(f"worker-{run}-{uuid.uuid4().hex[:6]}")
    kept = asyncio.run(worker(reader, leaves=leaves))
    if leaves:
        reader.reader_offline()
    gone()
    del kept


async def slices(reader: object, wanted: int, *, single: bool = False, pause: float = 0.0) -> None:
    """Reads so many events, one of each slice or all of it."""
    while counted.get("read", 0) < wanted:
        part = await reader.get_segment_slice_async()
        for _ in part or ():
            count("read")
            time.sleep(pause)  # noqa: ASYNC251 - works on the event
            if single:
                break
        if part:
            reader.release_segment(part)


def released(*, single: bool) -> None:
    manager = opened(1, 0)
    writer = manager.create_writer("farm", "jobs")
    reader = manager.create_reader_group("workers", "farm", "jobs").create_reader("worker-1")
    for number in range(45):
        writer.write_event(f"job {number}", routing_key="k")
    writer.flush()
    asyncio.run(slices(reader, 45, single=single, pause=0.02))
    reader.reader_offline()


def long_day() -> None:
    """Five runs of a writer and a reader, with a transaction and a byte stream in each."""
    manager = opened(2, 0)
    transactions = manager.create_transaction_writer("farm", "jobs", 77)
    group = manager.create_reader_group("workers", "farm", "jobs")
    manager.create_stream("farm", "log", 1)
    log = manager.create_byte_stream("farm", "log")
    for run in range(5):
        writer, reader = manager.create_writer("farm", "jobs"), group.create_reader(f"worker-{run}")
        for number in range(30):
            writer.write_event(f"job {run}-{number}", routing_key=f"k{number % 8}")
            count("written")
            time.sleep(0.02)
        writer.flush()
        transaction = transactions.begin_txn()
        for number in range(6):
            transaction.write_event(f"part {run}-{number}", routing_key=f"k{number}")
        if run == 3:
            transaction.abort()
        else:
            transaction.commit()
            count("written", 6)
        log.write(b"run %d is done\n" % run * 40)
        log.flush()
        asyncio.run(slices(reader, counted["written"]))
        reader.reader_offline()
        time.sleep(2.4)


def gone() -> None:
    """Ends at once: threads of the client linger."""
    print(json.dumps(counted), flush=True)
    time.sleep(0.2)
    os._exit(0)


play, _, run = sys.argv[1].partition(":")
match play:
    case "readers_die_without_offline" | "readers_leave":
        runs_of_worker(int(run), leaves=play == "readers_leave")
    case "slice_per_event" | "slices_of_many_events":
        released(single=play == "slice_per_event")
    case _:
        long_day()
gone()
