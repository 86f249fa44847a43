"""A network for one test: servers use their usual ports, and no other program is in it."""

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

_NEW_NETWORK = 0x40000000


@contextmanager
def own_network() -> Iterator[None]:
    """Move this thread, and the programs that it starts, into a network with only loopback."""
    system = ctypes.CDLL(None, use_errno=True)
    before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    try:
        if system.unshare(_NEW_NETWORK):
            raise OSError(ctypes.get_errno(), "a network of its own needs root")
        try:
            subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
            yield
        finally:
            assert system.setns(before, _NEW_NETWORK) == 0
    finally:
        os.close(before)
