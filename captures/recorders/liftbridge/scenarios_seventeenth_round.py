"""Faults and healthy programs of the seventeenth blind round: see docs/checking.md."""

import ctypes
import socket
import struct

from captures.recorders.liftbridge import clients
from captures.recorders.liftbridge.relay import Relay, through_a_relay
from captures.recorders.liftbridge.setup import BUS, GO, PYTHON, Facts
from captures.recorders.liftbridge.threads import Shown, fault, near_miss

DRIVER = "seventeenth_round"
ATTACH_FILTER = 26
DROP = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
"""A filter of the kernel that lets no packet through."""

fault(
    "pings_too_often_py",
    "A client with keepalive of half a second",
    driver=DRIVER,
    peer=PYTHON,
    kind="keepalive",
    thread="grpc/grpc#25722",
    shows="A watcher with keepalive and a log without it; four alarms after 24 s.",
    says="The watcher is set to ping each half second, though servers allow one in five minutes; "
    "its library sends two PINGs and then none, so a dead line would not be noticed. It has to be "
    "set to ten seconds or more, with a server that allows it.",
    marks=(Shown("a PING", "http2.type == 6 && http2.flags == 0 && tcp.dstport == 9292"),),
)


def dies(relay: Relay) -> None:
    """Nothing that clients send on their connections arrives any more, not even for TCP."""
    for near, _ in relay.open:
        dropping = struct.pack("HL", 1, ctypes.addressof(DROP))
        near.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, dropping)


def written_on_a_dead_line_py() -> Facts:
    """By gRPC for Python."""
    python, script = clients.folder_of(PYTHON) / "bin/python", clients.DRIVERS / f"py_{DRIVER}.py"
    return through_a_relay("dead", dies, str(python), str(script), "written_on_a_dead_line_py")


def written_on_a_dead_line_go() -> Facts:
    """By go-liftbridge."""
    return through_a_relay("dead", dies, str(clients.folder_of(GO) / DRIVER))


fault(
    "written_on_a_dead_line_py",
    "A client writes on a dead line and does not notice",
    peer=PYTHON,
    server=BUS,
    play=written_on_a_dead_line_py,
    kind="keepalive",
    thread="grpc/grpc#14717",
    shows="56 measures on one call of PublishAsync; after twelve of them the line goes dead. A "
    "console opens a new connection, which works.",
    says="From one packet on nothing that the machine sends is acknowledged, for 22 s until the "
    "end: TCP sends the same bytes again with longer and longer pauses. There is no PING and no "
    "new connection; its measures are not stored. It needs keepalive with a time limit.",
    marks=(Shown("bytes sent again", "tcp.analysis.retransmission && tcp.dstport == 9292"),),
)
near_miss(
    "exchange_py",
    "An exchange with two publishers and two readers, one of which leaves",
    driver=DRIVER,
    peer=PYTHON,
    thread="a healthy program of many parts",
    shows="80 rates, each with a deadline, and two subscriptions that are cancelled in order.",
)
fault(
    "written_on_a_dead_line_go",
    "A client of go-liftbridge writes on a dead line and does not notice",
    driver=DRIVER,
    server=BUS,
    play=written_on_a_dead_line_go,
    kind="keepalive",
    thread="grpc/grpc#14717",
    shows="50 levels, after twelve of which the line goes dead; a map opens a new connection.",
    says="From one packet on nothing that the well sends is acknowledged, for 19 s until the end: "
    "TCP sends the same bytes again. There is no PING and no new connection.",
    marks=(Shown("bytes sent again", "tcp.analysis.retransmission && tcp.dstport == 9292"),),
)
