"""A line that loses packets: two TUN devices, and a thread that passes packets between them.

One device is in the recorder's network namespace, where the broker is, the other in a namespace
of its own, where the client is. The kernel's TCP on both ends does the rest: what is lost is sent
again by the real peers. It needs no queueing discipline of the kernel.
"""

import ctypes
import fcntl
import os
import select
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from captures.recorders import lab

NAME = "line"
NEAR, FAR = "192.0.2.1", "192.0.2.2"
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 1, 0x1000
CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


def tun(address: str) -> int:
    """A TUN device of this thread's namespace, up, with an address."""
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH14x", NAME.encode(), IFF_TUN | IFF_NO_PI))
    lab.run(f"ip address add {address}/30 dev {NAME}; ip link set {NAME} mtu 1500 up")
    return device


@dataclass
class Line:
    """What is lost: of the packets with payload each way, those whose number is in the set."""

    lost_to_server: set[int] = field(default_factory=set)
    lost_to_client: set[int] = field(default_factory=set)
    delay: float = 0.002
    passed: dict[str, int] = field(default_factory=lambda: {"client": 0, "server": 0})
    near: int = -1

    def prepare(self) -> None:
        """The near end, which is there before tcpdump starts."""
        self.near = tun(NEAR)

    def play(self, scene: Callable[[], object]) -> object:
        """Runs a scene whose sockets are at the far end, and gives its result."""
        result: list[object] = []
        thread = threading.Thread(target=self._far, args=(scene, result))
        thread.start()
        thread.join()
        if not result:
            raise SystemExit("the scene at the far end failed")
        return result[0]

    def _far(self, scene: Callable[[], object], result: list[object]) -> None:
        if LIBC.unshare(CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "unshare")
        far = tun(FAR)
        stop = threading.Event()
        pump = threading.Thread(target=self._pump, args=(far, stop), daemon=True)
        pump.start()
        try:
            result.append(scene())
        finally:
            time.sleep(0.5)
            stop.set()
            pump.join()
            os.close(far)

    def _pump(self, far: int, stop: threading.Event) -> None:
        ways = {
            far: (self.near, "client", self.lost_to_server),
            self.near: (far, "server", self.lost_to_client),
        }
        while not stop.is_set():
            for source in select.select(list(ways), [], [], 0.1)[0]:
                target, sender, lost = ways[source]
                packet = os.read(source, 65536)
                if packet[0] >> 4 != 4 or packet[9] != 6:
                    continue  # the kernel's own IPv6 packets
                self.passed[sender] += carries(packet)
                if carries(packet) and self.passed[sender] in lost:
                    continue
                time.sleep(self.delay)
                os.write(target, packet)


def carries(packet: bytes) -> bool:
    """Whether an IPv4 packet has TCP payload."""
    head = (packet[0] & 15) * 4
    return int.from_bytes(packet[2:4], "big") > head + (packet[head + 12] >> 4) * 4
