"""Faults and healthy programs of the sixteenth blind round: see docs/checking.md."""

import ctypes
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from captures.recorders.marks import Shown
from captures.recorders.nats import peers
from captures.recorders.nats.line import line
from captures.recorders.nats.scenarios_clients import PLAIN, STORED
from captures.recorders.nats.setup import CLIENTS, Facts
from captures.recorders.nats.threads import Mark, fault, library, near_miss, restart, restarting

DRIVER = "sixteenth_round"
NEAR = 4223
"""The port of a line to the server, where its clients are recorded."""
SEED = "SUAFV7BMOGRVDUUJATW3TDXTEQU63TZSKHCQ5FBMFHTKPKXGNXQDNFHQ74"
PUBLIC = "UAQRKQHM6WDJIOYI56D7MP6MPYRA2HSSLQ27BD2ZIJMDMQVMC6NNI5LW"
"""Keys made for the recording."""
SIGNED = f"{PLAIN}authorization {{ users: [ {{ nkey: {PUBLIC} }} ] }}\n"
WITH_PASSWORD = f"{PLAIN}authorization {{ user: app, password: throwaway }}\n"
ATTACH_FILTER = 26
DROP = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
"""A filter of the kernel that lets no packet through."""


def refused_signature_go() -> Facts:
    """Servers of machines that sign; one by another key."""
    with peers.servers(SIGNED):
        return peers.drive("go", "refused_signature", SEED, driver=DRIVER)


fault(
    "refused_signature_for_ever_go",
    refused_signature_go,
    "A program presents a signature that is refused, again and again",
    peer="go",
    kind="credentials",
    thread="choria-io/go-choria#2049",
    shows="A broker, a machine that runs its orders, and one whose key is not the one it names.",
    says="node-2 signs the nonce by another key than the one that it names in CONNECT. The server "
    "refuses it each time (Authorization Violation), and node-2 begins again each half second, "
    "for ever. It has to stop at a refused signature, or to wait longer each time and report it.",
    marks=(Mark(None, "client", rb'^CONNECT .*"name":"node-2"', skip=1, across=True),),
)


@contextmanager
def dead_after(seconds: float) -> Iterator[None]:
    """A line that loses its connections without ending them."""
    with line(NEAR, CLIENTS) as opened:
        timer = threading.Timer(seconds, opened.loses)
        timer.start()
        yield
        timer.join()


def dead_line_unnoticed_js() -> Facts:
    """Screens and sensors beyond a line that goes dead."""
    with peers.servers(PLAIN), dead_after(6):
        return peers.drive("js", "dead_line_unnoticed", driver=DRIVER)


fault(
    "dead_line_unnoticed_js",
    dead_line_unnoticed_js,
    "A client that does not ping does not notice that its line is dead",
    peer="js",
    ports=(NEAR,),
    shows="Sensors and two screens beyond a line that loses all connections after 6 s; new "
    "ones are carried. Recorded at the clients.",
    says="From one packet on nothing arrives at screen-office any more. It sends no PING, so "
    "it does not notice that its connection is dead, for 20 s until the end; the other screen "
    "and the sensors ping each second, connect again and go on. It has to ping.",
    kind="reconnecting",
    thread="nats-io/nats.node#174",
    marks=(Mark(None, "client", rb'^CONNECT .*"name":"screen-office"'),),
)


def gives_up_at_a_proxy_py() -> Facts:
    """The server is away for some seconds; the line accepts and closes meanwhile."""
    facts: dict[str, object] = {}

    def drive() -> None:
        facts.update(peers.drive("py", driver=DRIVER))

    with peers.servers(PLAIN) as running, line(NEAR, CLIENTS):
        thread = threading.Thread(target=drive)
        thread.start()
        time.sleep(5)
        restart(running, 4)
        thread.join()
    return facts


fault(
    "gives_up_at_a_proxy_py",
    gives_up_at_a_proxy_py,
    "Programs give up reconnecting at a proxy that accepts and closes",
    peer="py",
    ports=(NEAR,),
    shows="A pump, a tank and a log beyond a proxy; the server is away for 4 s. Recorded at "
    "the clients.",
    says="While the server is away, the proxy accepts each connection and closes it before "
    "INFO. pump and tank try three times and then never again, though the server is back and "
    "the log is connected: nothing is published, nothing is consumed. They have to go on.",
    kind="reconnecting",
    thread="nats-io/nats.py#66",
    marks=(Mark(None, "client", rb'^CONNECT .*"name": ?"(pump|tank)"'),),
)
fault(
    "handler_stands_still_java",
    library("java", "handler_stands_still", DRIVER, PLAIN),
    "A handler does not return, and messages pile up in the client",
    peer="java",
    kind="handlers",
    thread="nats-io/nats.java#319",
    shows="A manager, two bridges that publish something after each message, and a screen.",
    says="bridge-1 publishes its state or what it has stored after each message, 13 times. After "
    "the 14th it publishes nothing any more, though 36 messages are delivered to it and it "
    "answers each PING: its handler does not return. It has to have a limit, or run elsewhere.",
    marks=(Mark(None, "server", rb"^MSG node\.1\.", skip=13),),
)
fault(
    "silent_after_reconnect_rust",
    restarting("rust_next", "silent_after_reconnect", DRIVER, WITH_PASSWORD, after=4, down=1.5),
    "A client does not send CONNECT when it reconnects",
    peer="rust_next",
    kind="reconnecting",
    thread="nats-io/nats.rs#578",
    shows="A tower, a drone and a map, whose credentials come from a callback; a restart.",
    says="After the restart the drone opens a connection, gets INFO, and sends no CONNECT: its "
    "callback for credentials waits for something that the client holds. The server ends the "
    "connection after two seconds (Authentication Timeout). The drone hears no order any more.",
    marks=(Mark(None, "server", rb"^-ERR 'Authentication Timeout'"),),
)
near_miss(
    "callback_takes_its_time_rust",
    restarting("rust_next", "callback_takes_its_time", DRIVER, WITH_PASSWORD, after=4, down=1.5),
    "Credentials come from a callback that takes 0.7 s",
    peer="rust_next",
    thread="nats-io/nats.rs#578",
    shows="A tower, a drone and a map, whose credentials come from a callback; a restart.",
)


def first_server_dead_c() -> Facts:
    """The kernel drops what is sent to the first server."""
    with peers.servers(PLAIN), socket.socket() as dead:
        dropping = struct.pack("HL", 1, ctypes.addressof(DROP))
        dead.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, dropping)
        dead.bind(("127.0.0.2", CLIENTS))
        dead.listen(1)
        return peers.drive("c", driver=DRIVER)


fault(
    "waits_for_a_dead_server_c",
    first_server_dead_c,
    "A client waits long for a server that does not answer before it tries the next one",
    peer="c",
    kind="timeouts",
    thread="nats-io/nats.c#723",
    shows="A console, and a gateway with two servers of which the first does not answer.",
    says="127.0.0.2 does not answer: the gateway sends SYN five times within 20 s and only then "
    "tries 127.0.0.1, which accepts at once. Its time limit for a connection has to be a few "
    "seconds, so that the next server is tried.",
    marks=(Shown("an attempt to connect", "tcp.flags == 0x2 && ip.dst == 127.0.0.2"),),
)


def object_read_cut_short_cli() -> Facts:
    """An object over a line of 6 kB/s."""
    with peers.servers(STORED), line(NEAR, CLIENTS, rate=6000):
        return peers.drive("cli_0_3", "object_read_cut_short", driver=DRIVER)


def object_over_a_slow_line_go() -> Facts:
    """The same, in pieces, and read to the end."""
    with peers.servers(STORED), line(NEAR, CLIENTS, rate=6000):
        return peers.drive("go", "object_over_a_slow_line", driver=DRIVER)


fault(
    "object_read_cut_short_cli",
    object_read_cut_short_cli,
    "A read of an object over a slow line is given up",
    peer="cli_0_3",
    ports=(NEAR,),
    shows="An object of 53 kB over a line of 6 kB/s, read by the default time limit. Recorded "
    "at the client.",
    says="The read of film ends after 5 s, while its bytes are on their way: the limit counts "
    "for the whole read, not for the next bytes. The limit has to be longer, or to begin "
    "again while bytes come.",
    kind="timeouts",
    thread="nats-io/natscli#1351",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.CREATE\.OBJ_films"),),
)
near_miss(
    "object_over_a_slow_line_go",
    object_over_a_slow_line_go,
    "A read of an object over a slow line takes its time",
    peer="go",
    ports=(NEAR,),
    shows="An object of 46 kB in chunks of 4 kB over a line of 6 kB/s. Recorded at the client.",
    thread="nats-io/natscli#1351",
)
near_miss(
    "bakery_day_js",
    restarting("js", "bakery_day", DRIVER, after=6, down=0.8),
    "A bakery with orders, stock and prices over a restart",
    peer="js",
    thread="a healthy program of many parts",
    shows="64 orders with an id each, three ovens, naks with a delay, messages in progress, a "
    "watched bucket, requests, a restart, and connections that are drained.",
)
near_miss(
    "clinic_day_java",
    library("java", "clinic_day", DRIVER),
    "A clinic with samples, results and a laboratory that closes",
    peer="java",
    thread="a healthy program of many parts",
    shows="56 samples of a work queue with an id each, two laboratories of which one is closed in "
    "order, results in a watched bucket, requests, and connections that are drained.",
)
