"""Captures with scapy's sniffer, for systems without dumpcap and tcpdump: a program of its own.

    python -m streamshark.capture.scapy_sniffer [OPTION]... -w - [-- FILTER]

takes the options of tcpdump that `capture` gives it, and writes pcap to standard output and
tcpdump's messages to standard error. It needs the right to capture itself, and drops packets at
rates at which the others do not.
"""

import argparse
import contextlib
import re
import signal
import struct
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, Final

from scapy.all import AsyncSniffer, conf, get_if_list
from scapy.error import Scapy_Exception
from scapy.packet import Packet

SNAPLEN: Final = 262_144
_PORTS: Final = re.compile(r"tcp port (\d+(?: or \d+)*)")
"""A filter that is tried here if libpcap is missing."""
_STATISTICS: Final = struct.Struct("II")
_PACKET, _PACKET_STATISTICS = 263, 6
"""SOL_PACKET and PACKET_STATISTICS of Linux: packets and drops since they were asked for."""


class PcapWriter:
    """Writes packets as pcap; `most` are the bytes of each that are kept."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self.count = 0
        self._stream, self._most = stream, most or SNAPLEN

    def begin(self, link: int) -> None:
        """Write the header of the file."""
        head = struct.pack("=IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, self._most, link)
        self._stream.write(head)
        self._stream.flush()

    def packet(self, packet: Packet) -> None:
        """Write a packet as it was captured."""
        data = bytes(packet.original or packet)
        seconds, fraction = divmod(int(float(packet.time) * 1_000_000), 1_000_000)
        kept = data[: self._most]
        self._stream.write(struct.pack("=IIII", seconds, fraction, len(kept), len(data)) + kept)
        self._stream.flush()
        self.count += 1


def has_port(expression: str) -> Callable[[Packet], bool] | None:
    """Return what tries a filter of TCP ports; None for a filter of another form."""
    found = _PORTS.fullmatch(expression)
    if not expression or not found:
        return None
    ports = set(map(int, found[1].split(" or ")))

    def takes(packet: Packet) -> bool:
        return "TCP" in packet and bool({packet["TCP"].sport, packet["TCP"].dport} & ports)

    return takes


def main(arguments: Sequence[str]) -> int:
    """Capture until a signal, or list interfaces; return the exit code."""
    parser = argparse.ArgumentParser(add_help=False)
    for option in ("-U", "--immediate-mode", "-p", "-D", "-L"):
        parser.add_argument(option, action="store_true")
    for option in ("-s", "-c", "-B"):
        parser.add_argument(option, type=int, default=0)
    parser.add_argument("-i")
    parser.add_argument("-w")
    parser.add_argument("filter", nargs="?", default="")
    given = parser.parse_args(arguments)
    if given.D or given.L:
        names = get_if_list() if given.D else ["Data link types: as the interface has them"]
        lines = [f"{at}.{name} []" for at, name in enumerate(names, 1)] if given.D else names
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        return 0
    try:
        return _captured(given)
    except (OSError, ImportError, Scapy_Exception, ValueError) as error:
        _say(f"tcpdump: {error}")
        return 1


def _captured(given: argparse.Namespace) -> int:
    """Capture until a signal or enough packets; return the exit code."""
    ends: list[int] = []
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda number, _frame: ends.append(number))
    interface = given.i or str(conf.iface)
    if interface not in get_if_list():
        raise ValueError(f"{interface}: No such device exists")
    listening, takes = _listening(interface, given)
    dropped = _Drops(listening)
    writer = PcapWriter(sys.stdout.buffer, given.s)
    writer.begin(conf.l2types.layer2num.get(listening.LL, 1))
    _say(f"tcpdump: listening on {interface}, link-type by scapy")
    sniffer = AsyncSniffer(
        opened_socket=listening, store=False, prn=writer.packet, lfilter=takes, count=given.c
    )
    sniffer.start()
    signal.signal(
        signal.SIGUSR1,
        lambda *_: _say(
            f"tcpdump: {writer.count} packets captured, {writer.count} packets received by filter,"
            f" {dropped()} packets dropped by kernel"
        ),
    )
    while not ends and sniffer.thread is not None and sniffer.thread.is_alive():
        time.sleep(0.05)
    if sniffer.running:
        sniffer.stop()
    _say(f"{writer.count} packets captured")
    _say(f"{dropped()} packets dropped by kernel")
    listening.close()
    return 0


def _listening(
    interface: str, given: argparse.Namespace
) -> tuple[Any, Callable[[Packet], bool] | None]:
    """Return the socket, and what has to be tried of the filter because libpcap is missing."""
    promiscuous = not given.p
    try:
        return conf.L2listen(
            iface=interface, filter=given.filter or None, promisc=promiscuous
        ), None
    except (ImportError, Scapy_Exception):
        takes = has_port(given.filter)
        if takes is None:
            raise
        return conf.L2listen(iface=interface, promisc=promiscuous), takes


class _Drops:
    """Counts the packets that the kernel has dropped, where it says so."""

    def __init__(self, listening: Any) -> None:  # noqa: ANN401 - scapy's socket
        self._socket = listening.ins
        self._count = 0

    def __call__(self) -> int:
        """Return the packets dropped so far; the kernel counts anew after each question."""
        with contextlib.suppress(OSError):
            found = self._socket.getsockopt(_PACKET, _PACKET_STATISTICS, _STATISTICS.size)
            self._count += int(_STATISTICS.unpack(found)[1])
        return self._count


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
