"""Streams that are listed, and a byte stream that is flushed; prints what it counted as JSON."""

import json
import os
import sys
import time

import pravega_client

manager = pravega_client.StreamManager("tcp://127.0.0.1:9090")
counted = {"found": 0, "flushed": 0}
play = sys.argv[1]
if play == "streams_listed_to_find_one":
    manager.create_scope("fleet")
    for n in range(24):
        manager.create_stream("fleet", f"device-{n}", 1)
    for n in range(20):
        counted["found"] += f"device-{n}" in str(manager.list_stream("fleet"))
        time.sleep(0.08)
else:
    manager.create_scope("files")
    manager.create_stream("files", "access-log", 1)
    stream, block = manager.create_byte_stream("files", "access-log"), b""
    for n in range(120):
        block += b"GET /index.html 200 %d\n" % n
        if play == "bytes_flushed_per_line" or n % 40 == 39:
            stream.write(block)
            stream.flush()
            counted["flushed"] += 1
            block = b""
        time.sleep(0.01)
    time.sleep(0.5)
print(json.dumps(counted), flush=True)
os._exit(0)
