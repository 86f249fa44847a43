"""What the Python client is made to do in the seventh round of the blind test: `PLAY`."""

import asyncio
import json
import os
import subprocess
import sys
import threading
import time

import pravega_client

counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


def manager() -> pravega_client.StreamManager:
    return pravega_client.StreamManager("tcp://127.0.0.1:9090")


def writes(name: str, most: str) -> None:
    """Writes events one after the other, with a new writer after each failure."""
    own = manager()
    writer, number = own.create_writer("farm", name), 0
    while number < int(most):
        try:
            writer.write_event(f"harvest {number} of {name}", routing_key="field")
            writer.flush()
        except BaseException:  # noqa: BLE001 - a panic of the library is no Exception
            print("failed", flush=True)
            time.sleep(0.3)
            writer = own.create_writer("farm", name)
        else:
            print("written", flush=True)
            number += 1
        time.sleep(0.12)


def child(name: str, most: int, seconds: float) -> None:
    """A program of its own that writes, and is ended after some seconds."""
    command = [sys.executable, __file__, "writes", name, str(most)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        time.sleep(seconds)
        program.kill()
        said = (program.stdout or sys.stdin).read().splitlines()
        for what in ("written", "failed"):
            count(what, said.count(what))


def sealed(*, moves: bool) -> None:
    """Somebody seals the stream of a program; it goes on there, or in the next one."""
    own = manager()
    own.create_scope("farm")
    for name in ("day-1", "day-2"):
        own.create_stream("farm", name, 1)
    timer = threading.Timer(4, lambda: own.seal_stream("farm", "day-1"))
    timer.start()
    child("day-1", 14 if moves else 60, 5 if moves else 11)
    timer.join()
    if moves:
        child("day-2", 16, 5)


async def takes(reader: object, seconds: float, most: int, *, releases: bool) -> list[object]:
    """Reads slices for some time; gives those that it keeps."""
    kept, end, read = [], time.time() + seconds, 0
    while time.time() < end and read < most:
        try:
            part = await asyncio.wait_for(reader.get_segment_slice_async(), end - time.time())
        except TimeoutError:
            break
        for _ in part or ():
            read += 1
            count("read")
            time.sleep(0.015)  # noqa: ASYNC251 - works on the event
        if part and releases:
            reader.release_segment(part)
        elif part:
            kept.append(part)
    return kept


def shifts(*, releases: bool) -> None:
    """Three readers of a group, one after the other, while events are written."""
    own = manager()
    own.create_scope("farm")
    own.create_stream("farm", "jobs", 2)
    group = own.create_reader_group("workers", "farm", "jobs")
    writer = own.create_writer("farm", "jobs")
    for shift in range(3):
        for number in range(24):
            writer.write_event(f"job {shift}-{number}", routing_key=f"k{number % 8}")
            count("written")
        writer.flush()
        reader = group.create_reader(f"shift-{shift}")
        kept = asyncio.run(takes(reader, 2.0, 24 if releases else 90, releases=releases))
        count("kept", len(kept))
        reader.reader_offline()
        KEPT.append((reader, kept))
        time.sleep(0.4)


KEPT: list[tuple[object, list[object]]] = []
"""Slices that nobody gives back."""


def scopes(*, makes: bool) -> None:
    """Creates streams in a scope that is not there, and creates the scope when that is said."""
    own = manager()
    own.create_scope("other")
    own.create_stream("other", "log", 1)
    log = own.create_writer("other", "log")
    made = 0
    for attempt in range(14):
        try:
            if own.create_stream("plant", f"line-{made}", 1):
                made += 1
                count("created")
            else:
                count("refused")
        except Exception:  # noqa: BLE001
            count("refused")
            if makes and not made:
                own.create_scope("plant")
        log.write_event(f"attempt {attempt}", routing_key="k")
        log.flush()
        if made == 3:
            break
        time.sleep(0.35)


if sys.argv[1] == "writes":
    writes(*sys.argv[2:])
    os._exit(0)
{
    "sealed_stream_written_again": lambda: sealed(moves=False),
    "next_stream_written": lambda: sealed(moves=True),
    "slices_never_released": lambda: shifts(releases=False),
    "slices_released": lambda: shifts(releases=True),
    "stream_in_no_scope": lambda: scopes(makes=False),
    "scope_made_first": lambda: scopes(makes=True),
}[sys.argv[1]]()
print(json.dumps(counted), flush=True)
time.sleep(0.2)
os._exit(0)
