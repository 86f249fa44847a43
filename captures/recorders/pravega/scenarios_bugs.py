"""Clients that misbehave, by hand, against the real server."""

import struct
import time

from captures.recorders.pravega.stage import RAW, Facts, scenario
from captures.recorders.pravega.wire import Peer, connected, record, text

SEGMENT = "hand/stream/0.#epoch.0"
EVENT = record(0, b"event")


@scenario(
    "A client that does not greet, by hand",
    peer=RAW,
    healthy=False,
    shows="Requests without HELLO, which the server answers all the same.",
    faults={"PRV-P1": "the first frame is a request"},
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
        peer.ask(28, text(SEGMENT) + text(""), 29)
        for offset in (0, len(EVENT), len(EVENT)):
            peer.ids += 1
            read = text(SEGMENT) + struct.pack(">qi", offset, 4096) + text("")
            peer.say(9, read + struct.pack(">q", peer.ids))
            payload = peer.hear(10, 51)
            if len(payload) > len(SEGMENT) + 12 and payload[len(SEGMENT) + 11]:
                break
        peer.ids += 1
        read = text(SEGMENT) + struct.pack(">qi", len(EVENT), 4096) + text("")
        peer.say(9, read + struct.pack(">q", peer.ids))
        guilty = [peer.blame("PRV-P18")]
        peer.hear(10, 51)
    return {"guilty": guilty}
