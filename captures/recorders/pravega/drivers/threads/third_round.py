"""Streams that are deleted, sealed before or not; prints what it counted as JSON."""

import json
import os
import sys
import time

import pravega_client

manager = pravega_client.StreamManager("tcp://127.0.0.1:9090")
manager.create_scope("scope")
for n in range(3):
    manager.create_stream("scope", f"stream-{n}", 1)
writer = manager.create_writer("scope", "stream-2")
for n in range(4):
    writer.write_event(f"event {n}", routing_key="key")
writer.flush()
counted = {"deleted": 0, "refused": 0}
if sys.argv[1] == "deletes_unsealed_stream":
    for _ in range(12):
        try:
            manager.delete_stream("scope", "stream-0")
            counted["deleted"] += 1
        except BaseException:  # noqa: BLE001
            counted["refused"] += 1
        time.sleep(0.2)
else:
    for n in range(3):
        manager.seal_stream("scope", f"stream-{n}")
        counted["deleted"] += bool(manager.delete_stream("scope", f"stream-{n}"))
    manager.create_stream("scope", "stream-0", 1)
    writer = manager.create_writer("scope", "stream-0")
    writer.write_event("again", routing_key="key")
    writer.flush()
print(json.dumps(counted), flush=True)
os._exit(0)
