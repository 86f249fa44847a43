"""What the Python client is made to do in the ninth round of the blind test: `PLAY[:NAME]`."""

import json
import os
import subprocess
import sys
import time

import pravega_client

counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


def camera(name: str, stream: str) -> None:
    """Writes blocks to a byte stream, and takes the tail again after a failure."""
    manager = pravega_client.StreamManager("tcp://127.0.0.1:9090")
    video = manager.create_byte_stream("farm", stream)
    video.seek_to_tail()
    for number in range(24):
        try:
            video.write(f"{name} block {number} ".encode() * 12)
            video.flush()
            print("written", flush=True)
        except BaseException:  # noqa: BLE001 - a panic of the library is no Exception
            print("failed", flush=True)
            video.seek_to_tail()
        time.sleep(0.25)


def cameras(*, shared: bool) -> None:
    """Two programs write bytes at the same time, to one stream or each to its own."""
    manager = pravega_client.StreamManager("tcp://127.0.0.1:9090")
    manager.create_scope("farm")
    names = ("gate", "barn")
    for name in ("video",) if shared else names:
        manager.create_stream("farm", name, 1)
    programs = [
        subprocess.Popen(
            [sys.executable, __file__, f"camera:{name}:{'video' if shared else name}"],
            stdout=subprocess.PIPE, text=True,
        )
        for name in names
    ]  # fmt: skip
    for program in programs:
        said = program.communicate()[0].splitlines()
        for what in ("written", "failed"):
            count(what, said.count(what))


play, *rest = sys.argv[1].split(":")
if play == "camera":
    camera(*rest)
else:
    cameras(shared=play == "byte_stream_of_two_cameras")
    print(json.dumps(counted), flush=True)
time.sleep(0.2)
os._exit(0)
