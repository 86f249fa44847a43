"""What the Python client is made to do in the eleventh round of the blind test: `PLAY`."""

import json
import os
import subprocess
import sys
import time

import pravega_client

counted: dict[str, int] = {"written": 0, "runs": 0}


def manager() -> pravega_client.StreamManager:
    return pravega_client.StreamManager("tcp://127.0.0.1:9090")


def imports(run: str, flushes: str) -> None:
    """Writes the lines of a file with many events in flight, and ends, after a flush or not."""
    own = manager()
    writer = own.create_writer("store", "sales", 80)
    for number in range(70):
        line = f"sale {number} of file {run}: " + "article " * (1 + number % 40)
        writer.write_event(line, routing_key=f"till-{number % 5}")
    if flushes == "True":
        writer.flush()
    os._exit(0)


def files(*, flushes: bool) -> None:
    """Five programs one after the other, each with a file, beside a writer that takes its time."""
    own = manager()
    own.create_scope("store")
    own.create_stream("store", "sales", 2)
    own.create_stream("store", "visits", 1)
    slow = own.create_writer("store", "visits")
    for run in range(5):
        subprocess.run([sys.executable, __file__, "imports", str(run), str(flushes)], check=False)
        counted["runs"] += 1
        counted["written"] += 70
        slow.write_event(f"visit {run}", routing_key="door")
        time.sleep(0.5)
    slow.flush()


if sys.argv[1] == "imports":
    imports(sys.argv[2], sys.argv[3])
files(flushes=sys.argv[1] == "flushed_at_the_end")
print(json.dumps(counted), flush=True)
os._exit(0)
