"""Faults and healthy programs of the seventeenth blind round: see docs/checking.md."""

from captures.recorders.marks import Mark, Shown
from captures.recorders.nats.scenarios_clients import PLAIN, STORED
from captures.recorders.nats.threads import fault, library, near_miss, restarting

DRIVER = "seventeenth_round"
PINGED = f'{STORED}ping_interval: "2s"\nping_max: 2\n'
STRICT = f'{PLAIN}write_deadline: "700ms"\nmax_pending: 65536\nmax_payload: 32768\n'

SHOWS = "50 notices, and a desk whose connection is lost for five seconds."
THREAD = "quarkiverse/quarkus-reactive-messaging-nats-jetstream#343"
fault(
    "new_only_after_reconnect_java",
    library("java", "new_only_after_reconnect", DRIVER),
    "After a reconnect a consumer is made for new messages only",
    peer="java",
    kind="reconnecting",
    thread=THREAD,
    shows=SHOWS,
    says="When the desk is back it makes a new consumer with deliver_policy new: the 16 notices "
    "that were stored while it was away are never delivered to it. It has to go on with its "
    "consumer (a durable one), or to begin after the last sequence that it has read.",
    marks=(
        Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.CREATE\.NOTICES", skip=1, across=True),
    ),
)
near_miss(
    "from_last_read_after_reconnect_java",
    library("java", "from_last_read_after_reconnect", DRIVER),
    "After a reconnect a consumer begins after the last message that was read",
    peer="java",
    thread=THREAD,
    shows=SHOWS,
)
SHOWS = "Seven meetings, 2.6 s apart, and a worker of a queue."
fault(
    "leaves_after_a_second_py",
    library("py", "leaves_after_a_second", DRIVER),
    "A worker ends when no message has come within a second",
    peer="py",
    kind="timeouts",
    thread="nats-io/nats.py#578",
    shows=SHOWS,
    says="The worker ends when no meeting has come for one second, the default limit of next_msg, "
    "and is started again: a new connection each two or three seconds. Silence is no error; it "
    "has to wait on, or to give a longer limit.",
    marks=(Mark(None, "client", rb'^CONNECT .*"name": ?"worker"', skip=1, across=True),),
)
near_miss(
    "waits_through_silence_py",
    library("py", "waits_through_silence", DRIVER),
    "A worker waits on when no message has come within a second",
    peer="py",
    thread="nats-io/nats.py#578",
    shows=SHOWS,
)
fault(
    "loop_of_another_run_py",
    library("py", "loop_of_another_run", DRIVER, PINGED),
    "A connection is used in another event loop than the one that made it",
    peer="py",
    kind="handlers",
    thread="nats-io/nats.py#724",
    shows="Visits of a web server, and a screen that asks for the weather.",
    says="After its first visit web reads nothing any more: it answers no PING, and takes each "
    "publish for timed out after 1.5 s, although the server acks each within a millisecond. Its "
    "event loop has ended with the first call. The connection has to be used in the loop that made "
    "it.",
    marks=(Mark(0, "server", rb"^PING"),),
)
SHOWS = "Values of a meter, each 50 ms, and their board; the server is away for a while."
fault(
    "mixed_after_reconnect_py",
    restarting("py", "mixed_after_reconnect", DRIVER, PLAIN, after=4, down=1.5),
    "After a reconnect kept messages are mixed with new ones",
    peer="py",
    kind="ordering",
    thread="nats-io/nats.java#231",
    shows=SHOWS,
    says="After the restart meter publishes its new values before and among those that it had "
    "kept meanwhile: n goes 70, 100, 71, 72, 101 and so on. What was kept has to be sent first.",
    marks=(Mark(None, "client", rb"^PUB meter\.value", skip=71, most=60, across=True),),
)
near_miss(
    "kept_first_after_reconnect_py",
    restarting("py", "kept_first_after_reconnect", DRIVER, PLAIN, after=4, down=1.5),
    "After a reconnect kept messages are sent first",
    peer="py",
    thread="nats-io/nats.java#231",
    shows=SHOWS,
)
fault(
    "pong_after_the_flood_py",
    library("py", "pong_after_the_flood", DRIVER, STRICT),
    "A client gives up its connection as PONG comes after messages that it reads slowly",
    peer="py",
    kind="reconnecting",
    thread="nats-io/nats.java#191",
    shows="Ticks, a receiver that keeps up, and one by hand that reads too slowly.",
    says="receiver-1 subscribes before it pings, so PONG is queued after the messages, which it "
    "reads too slowly; it waits two seconds for PONG, ends the connection and begins again, for "
    "ever. It has to ping first, and to take fewer messages than it can read.",
    marks=(Mark(None, "client", rb'^CONNECT .*"receiver-1"', skip=1, across=True),),
)
fault(
    "closed_and_still_connecting_rust",
    restarting("rust_next", "closed_and_still_connecting", DRIVER, PLAIN, after=3, down=6),
    "Clients that were closed while the server was away still try to connect",
    peer="rust_next",
    kind="closing",
    thread="nats-io/nats.rs#1555",
    shows="A source, and three sessions that are closed while the server is away.",
    says="The sessions are closed while the server is away, but their attempts to connect do not "
    "end; when it is back they connect once more, for nothing. A closed client has to stop.",
    marks=(
        Shown("an attempt to connect", "tcp.flags == 0x2", skip=12, most=40),
        Mark(None, "client", rb'^CONNECT .*"session-', skip=3, across=True),
    ),
)
near_miss(
    "kitchen_day_py",
    library("py", "kitchen_day", DRIVER),
    "A restaurant with orders, two cooks, prices and a menu",
    peer="py",
    thread="a healthy program of many parts",
    shows="70 orders with an id each, cooks that fetch, naks with a delay, messages in progress, "
    "requests, a bucket, and connections that are drained.",
)
fault(
    "mixed_after_reconnect_go",
    restarting("go", "mixed_after_reconnect", DRIVER, PLAIN, after=4, down=1.5),
    "After a reconnect kept readings are mixed with new ones, by nats.go",
    peer="go",
    kind="ordering",
    thread="nats-io/nats.java#231",
    shows="Readings of a gauge, each 60 ms, and their panel; the server is away for a while.",
    says="After the restart the gauge publishes new readings before and among those that it had "
    "kept meanwhile: their numbers go back and forth. What was kept has to be sent first.",
    marks=(Mark(None, "client", rb"^PUB gauge\.reading", skip=60, most=40, across=True),),
)
