"""What the Python client is made to do in the sixteenth round of the blind test: `PLAY`."""

import asyncio
import json
import os
import sys
import threading
import time

import pravega_client

counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


def absent() -> None:
    """A program that makes a scope, while no controller listens."""

    def makes() -> None:
        manager = pravega_client.StreamManager("tcp://127.0.0.1:9090")
        manager.create_scope("harbour")
        count("made")

    threading.Thread(target=makes, daemon=True).start()
    time.sleep(25)
    count("waited", 25)


async def takes(reader: object, wanted: int) -> None:
    """Reads events until there are as many as are wanted."""
    read, end = 0, time.time() + 8
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


def ferries() -> None:
    """Tickets by key, invoices in transactions, a log of bytes, and two readers in turn."""
    manager = pravega_client.StreamManager("tcp://127.0.0.1:9090")
    manager.create_scope("harbour")
    for name, segments in (("tickets", 2), ("invoices", 1), ("log", 1)):
        manager.create_stream("harbour", name, segments)
    group = manager.create_reader_group("gates", "harbour", "tickets")
    writer = manager.create_writer("harbour", "tickets")
    invoices = manager.create_transaction_writer("harbour", "invoices", 5)
    log = manager.create_byte_stream("harbour", "log")
    for turn in range(2):
        for number in range(30):
            writer.write_event(
                f"ticket {turn}-{number} for ferry {number % 5}", routing_key=f"ferry-{number % 5}"
            )
            count("written")
            if number % 10 == 5:
                log.write(f"turn {turn}: {number} tickets sold\n".encode())
                time.sleep(0.2)
        writer.flush()
        transaction = invoices.begin_txn()
        for line in range(5):
            transaction.write_event(f"line {line} of invoice {turn}", routing_key="invoice")
        transaction.commit()
        count("committed")
        reader = group.create_reader(f"gate-{turn}")
        asyncio.run(takes(reader, 30))
        reader.reader_offline()
    log.flush()
    manager.seal_stream("harbour", "log")
    time.sleep(0.5)


{"absent": absent, "ferries": ferries}[sys.argv[1]]()
print(json.dumps(counted), flush=True)
time.sleep(0.2)
os._exit(0)
