"""A network of a test's own: servers listen on their usual ports, and nobody else talks there."""

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

_NEW_NETWORK = 0x40000000


@contextmanager
def own_network() -> Iterator[None]:
    """Put this thread, and the programs that it starts, into a network with a loopback alone."""
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
