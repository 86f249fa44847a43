"""What the Python client is made to do while a store hangs: `PLAY`."""

import json
import os
import sys
import threading
import time

import pravega_client

counted: dict[str, int] = {"written": 0}


def appends() -> None:
    """Writes orders, and ends when one is not stored in time."""
    manager = pravega_client.StreamManager("tcp://127.0.0.1:9090")
    manager.create_scope("shop")
    manager.create_stream("shop", "orders", 1)
    writer = manager.create_writer("shop", "orders")
    latest = [time.monotonic()]

    def watch() -> None:
        while time.monotonic() - latest[0] < 8:
            time.sleep(0.2)
        print(json.dumps(counted), flush=True)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    for number in range(60):
        writer.write_event(f"order {number}", routing_key="order")
        writer.flush()
        latest[0] = time.monotonic()
        counted["written"] += 1
        time.sleep(0.1)


appends()
print(json.dumps(counted), flush=True)
os._exit(0)
