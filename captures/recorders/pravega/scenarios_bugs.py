"""Clients that misbehave, by hand, against the real server."""

import struct
import time

from captures.recorders.pravega.setup import RAW, Blame, Facts, scenario
from captures.recorders.pravega.wire import (
    HELLO,
    KEEP_ALIVE,
    Peer,
    connected,
    key,
    record,
    sized,
    text,
)

SEGMENT = "hand/stream/0.#epoch.0"
EVENT = record(0, b"event")


@scenario(
    "A client that does not greet, by hand",
    peer=RAW,
    healthy=False,
    shows="Requests without HELLO, which the server answers all the same.",
    faults={
        "PRV-P1": "the first frame is a request",
        "PRV-B150": "the store answers without a HELLO of its own",
    },
)
def bug_hello_missing() -> Facts:
    peer = Peer()
    peer.ask(11, text("hand/stream/9.#epoch.0") + text(""), 53)
    guilty = [peer.blame("PRV-P1")]
    time.sleep(0.3)
    peer.socket.close()
    return {"guilty": guilty}


@scenario(
    "A writer that is not set up, by hand",
    peer=RAW,
    healthy=False,
    shows="An append on a new connection, as after a failed one, without SETUP_APPEND: the server "
    "closes.",
    faults={"PRV-P6": "an append without set-up"},
)
def bug_append_without_set_up() -> Facts:
    with connected() as peer:
        peer.create(SEGMENT)
        peer.block(EVENT)
        guilty = [peer.blame("PRV-P6")]
        peer.end(0, len(EVENT), b"")
        peer.closed()
    return {"guilty": guilty}


@scenario(
    "A command between a block and its end, by hand",
    peer=RAW,
    healthy=False,
    shows="A question behind APPEND_BLOCK: the server closes.",
    faults={"PRV-P7": "a block that is not ended at once"},
)
def bug_block_interrupted() -> Facts:
    with connected() as peer:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        peer.block(EVENT)
        peer.say(11, struct.pack(">q", 99) + text(SEGMENT) + text(""))
        guilty = [peer.blame("PRV-P7")]
        peer.closed()
    return {"guilty": guilty}


@scenario(
    "A block that another writer ends, by hand",
    peer=RAW,
    healthy=False,
    shows="APPEND_BLOCK_END of a second writer: the server closes.",
    faults={"PRV-P7": "a block ended by another writer"},
)
def bug_block_of_another_writer() -> Facts:
    other = bytes(range(33, 49))
    with connected() as peer:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT, other)
        peer.set_up(SEGMENT)
        peer.block(EVENT)
        peer.end(0, len(EVENT), b"", other)
        guilty = [peer.blame("PRV-P7")]
        peer.closed()
    return {"guilty": guilty}


@scenario(
    "Event numbers go back, by hand",
    peer=RAW,
    healthy=False,
    shows="An event with a number below the one before, on one connection: the server closes.",
    faults={"PRV-P10": "event numbers go back"},
)
def bug_event_number_goes_back() -> Facts:
    with connected() as peer:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        peer.append(5, EVENT)
        peer.hear(7)
        peer.append(4, EVENT)
        guilty = [peer.blame("PRV-P10")]
        peer.closed()
    return {"guilty": guilty}


@scenario(
    "Two connections append for one writer, by hand",
    peer=RAW,
    healthy=False,
    shows="The second one gets ahead; the server answers the first with INVALID_EVENT_NUMBER "
    "(pravega issue 5767).",
    faults={"PRV-P31": "an event number behind the stored one"},
)
def bug_two_connections_of_a_writer() -> Facts:
    with connected() as first:
        first.create(SEGMENT)
        first.set_up(SEGMENT)
        with connected() as second:
            second.set_up(SEGMENT)
            second.append(9, EVENT)
            second.hear(7)
        first.append(3, EVENT)
        first.hear(55)
        guilty = [first.blamed("PRV-P31")]
        first.closed()
    return {"guilty": guilty}


@scenario(
    "A read behind the end of a sealed segment, by hand",
    peer=RAW,
    healthy=False,
    shows="The client goes on reading at the end although it was told of it (pravega issue 3833).",
    faults={"PRV-P18": "a read behind the end"},
)
def bug_read_behind_the_end() -> Facts:
    with connected() as peer:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        peer.append(0, EVENT)
        peer.hear(7)
        peer.seal(SEGMENT)
        for offset in (0, len(EVENT), len(EVENT)):
            peer.read(SEGMENT, offset)
            payload = peer.hear(10, 51)
            if len(payload) > len(SEGMENT) + 12 and payload[len(SEGMENT) + 11]:
                break
        peer.read(SEGMENT, len(EVENT))
        guilty = [peer.blame("PRV-P18")]
        peer.hear(10, 51)
    return {"guilty": guilty}


@scenario(
    "Appends that are wrong, by hand",
    peer=RAW,
    healthy=False,
    shows="A connection for each: a request id in APPEND_BLOCK (pravega issue 3624), a conditional "
    "append without the head of its event (3625), a block smaller than its events (3657), more "
    "events than are said, a cut event that lost a byte, KEEP_ALIVE of another thread inside a "
    "block (4192), a writer that goes on behind SEGMENT_IS_SEALED.",
    faults={
        "PRV-P3": "what follows a frame that another one stands in is no frame",
        "PRV-P6": "the writer is a request id and half of the writer",
        "PRV-P8": "more bytes of whole events than the block has",
        "PRV-P11": "a byte of a cut event is lost",
        "PRV-P19": "appends behind SEGMENT_IS_SEALED",
        "PRV-P33": "two events, one is said",
        "PRV-P43": "the event has no head",
    },
)
def bug_appends() -> Facts:
    guilty = []
    with connected() as peer:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        peer.say(3, struct.pack(">q", peer.ids) + bytes(range(1, 17)) + EVENT)
        guilty.append(peer.blame("PRV-P6"))
        peer.end(0, len(EVENT), b"")
        peer.closed()
    with connected() as peer:
        peer.set_up(SEGMENT)
        peer.say(5, bytes(range(1, 17)) + struct.pack(">qq", 1, 0) + sized(b"event"))
        guilty.append(peer.blame("PRV-P43"))
        peer.closed()
    with connected() as peer:
        peer.set_up(SEGMENT)
        peer.block(EVENT)
        peer.end(0, len(EVENT) + 8, b"")
        guilty.append(peer.blame("PRV-P8"))
        peer.closed()
    with connected() as peer:
        peer.set_up(SEGMENT, bytes(range(50, 66)))
        peer.append(1, EVENT * 2, bytes(range(50, 66)))
        guilty.append(peer.blame("PRV-P33"))
        peer.hear(7)
        peer.block(EVENT + record(-2, EVENT[:9]), bytes(range(50, 66)))
        peer.end(3, len(EVENT), EVENT[10:], bytes(range(50, 66)), count=2)
        guilty.append(peer.blame("PRV-P11"))
        peer.hear(7)
    with connected() as peer:
        peer.set_up(SEGMENT)
        head = struct.pack(">ii", 3, 16 + len(EVENT)) + bytes(range(1, 17))
        alive = struct.pack(">ii", KEEP_ALIVE, 0)
        begin = peer.sent[-1][1]
        peer.raw(3, head + EVENT[:5] + alive + EVENT[5:])
        whole = 3, begin + len(head) + len(EVENT)
        guilty.append(Blame("PRV-P3", peer.port, "client", len(peer.sent), 0, whole))
        peer.closed()
    guilty.append(_written_behind_the_seal("hand/stream/1.#epoch.0"))
    return {"guilty": guilty}


def _written_behind_the_seal(segment: str) -> Blame:
    """A writer that goes on two seconds after it was told that its segment is sealed."""
    with connected() as peer:
        peer.create(segment)
        peer.set_up(segment)
        peer.append(1, EVENT)
        peer.hear(7)
        with connected() as admin:
            admin.seal(segment)
        peer.append(2, EVENT)
        peer.hear(51)
        time.sleep(2.5)
        peer.append(3, EVENT)
        blame = peer.blame("PRV-P19")
        peer.closed()
    return blame


@scenario(
    "Requests that are wrong, by hand",
    peer=RAW,
    healthy=False,
    shows="A connection for each: versions that do not overlap (pravega issue 2008), an unknown "
    "type code, commands that releases have removed, a reply by the client, a name in plain UTF-8, "
    "an empty key with a version, as the Rust client writes it, a scaling policy that is none, a "
    "segment merged into itself.",
    faults={
        "PRV-P2": "a client of release 0.2",
        "PRV-P4": "an unknown type code",
        "PRV-P24": "four bytes for a character",
        "PRV-P25": "a version behind an empty key",
        "PRV-P28": "scale type 7",
        "PRV-P29": "a segment merged into itself",
        "PRV-P35": "transactions of releases before 0.3, tables of 0.5 to 0.9",
        "PRV-P36": "APPEND_SETUP of the client",
    },
)
def bug_requests() -> Facts:
    guilty = []
    old = Peer()
    old.say(HELLO, struct.pack(">ii", 4, 1))
    old.hear(HELLO)
    guilty.append(old.blamed("PRV-P2"))
    old.closed()
    old.socket.close()
    with connected() as peer:
        peer.say(6, b"what")
        guilty.append(peer.blame("PRV-P4"))
        peer.closed()
    transaction = text(SEGMENT) + bytes(range(16))
    for code in (13, 22, 24, 26):
        with connected() as peer:
            peer.say(code, struct.pack(">q", 1) + transaction)
            guilty.append(peer.blame("PRV-P35"))
            peer.closed()
    for code, body in ((72, text(SEGMENT) * 2), (73, text(SEGMENT))):
        with connected() as peer:
            peer.say(code, struct.pack(">q", 1) + body + text(""))
            guilty.append(peer.blame("PRV-P35"))
            peer.closed()
    with connected() as peer:
        peer.ask(11, text("hand/stream/9.#epoch.0") + text(""), 53)
        peer.say(2, struct.pack(">q", 1) + text(SEGMENT) + bytes(range(1, 17)) + bytes(8))
        guilty.append(peer.blame("PRV-P36"))
        peer.closed()
    with connected() as peer:
        peer.say(11, struct.pack(">q", 1) + text("hand/stream/\U0001f988") + text(""))
        guilty.append(peer.blame("PRV-P24"))
        peer.closed()
    with connected() as peer:
        peer.create(SEGMENT)
        peer.ask(70, text("hand/table") + text("") + bytes(13), 21)
        wrong = key(b"") + struct.pack(">q", -(1 << 63))
        peer.say(
            78, struct.pack(">q", 9) + text("hand/table") + text("") + struct.pack(">i", 1) + wrong
        )
        guilty.append(peer.blame("PRV-P25"))
        peer.hear(79, 53, 61)
    with connected() as peer:
        policy = struct.pack(">ib", 1, 7) + text("") + bytes(8)
        peer.say(20, struct.pack(">q", 1) + text("hand/stream/2.#epoch.0") + policy)
        guilty.append(peer.blame("PRV-P28"))
        peer.hear()
    with connected() as peer:
        peer.say(58, struct.pack(">q", 1) + text(SEGMENT) * 2 + text(""))
        guilty.append(peer.blame("PRV-P29"))
        peer.hear()
    return {"guilty": guilty}
