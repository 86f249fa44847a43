"""Faults and healthy scenarios of the blind test: recorded like those of `scenarios_threads`.

The authors of the rules did not know them before the score in docs/checking.md was taken.
"""

import struct
import time
from contextlib import suppress

from captures.recorders.marks import Mark
from captures.recorders.pravega import clients
from captures.recorders.pravega.scenarios_threads import SEGMENT, unnamed
from captures.recorders.pravega.setup import NEW, RAW, Facts, scenario
from captures.recorders.pravega.wire import Peer, connected, record, sized, text


@scenario(
    "The length of a segment that is not there, again and again, by hand",
    peer=RAW,
    healthy=False,
    category="storm",
    thread="pravega/pravega#1075",
    fault="The client asks for the length of a segment that does not exist sixty times without a "
    "pause, whatever the store answers (NO_SUCH_SEGMENT), and never asks the controller.",
    shows="GET_STREAM_SEGMENT_INFO of one segment, refused each time.",
)
def bug_segment_info_in_a_loop() -> Facts:
    with connected() as peer:
        first = len(peer.sent) + 6
        for _ in range(60):
            peer.ask(11, text("hand/gone/0.#epoch.0") + text(""), 53)
        return {"guilty": [unnamed(peer, first)]}


@scenario(
    "A reader that begins again after a reconnect, by hand",
    peer=RAW,
    healthy=False,
    category="sequence",
    thread="pravega/pravega#567, #3638 (readers and connections that fail)",
    fault="The reader had read the segment to 600; on a new connection it reads from 0 again, and "
    "all events are handed on twice.",
    faults={"PRV-P33": "the driver counts 27 events of one append as one, which was not meant"},
    shows="Reads of 200 up to 600, the connection is dropped, reads of 200 from 0 up to 1000.",
)
def bug_reader_goes_back() -> Facts:
    with connected() as admin:
        admin.create(SEGMENT)
        admin.set_up(SEGMENT)
        admin.append(1, b"".join(record(0, b"event %03d" % n * 3 + b"..") for n in range(27)))
        admin.hear(7)
        with connected() as peer:
            for offset in range(0, 600, 200):
                peer.read(SEGMENT, offset, 200)
                peer.hear(10)
        with connected() as peer:
            for offset in range(0, 800, 200):
                peer.read(SEGMENT, offset, 200)
                peer.hear(10)
            return {"guilty": [unnamed(peer, 2)]}


@scenario(
    "Events whose length is wrong, by hand",
    peer=RAW,
    healthy=False,
    category="second layer",
    thread="pravega/pravega#3624 (Invalid SizeOfWholeEvents in block); own variant of its content",
    fault="The head of the second event says 64 bytes where nine follow: the store takes it, and "
    "every reader waits for bytes that are the next events.",
    shows="Three appends of one event each, the second with a length that is too large; read back.",
)
def bug_event_length_wrong() -> Facts:
    with connected() as peer:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        peer.append(1, record(0, b"event one"))
        peer.hear(7)
        wrong = struct.pack(">ii", 0, 64) + b"event two"
        peer.block(wrong)
        guilty = [unnamed(peer)]
        peer.end(2, len(wrong), b"")
        guilty.append(unnamed(peer))
        peer.hear(7)
        peer.append(3, record(0, b"event three"))
        peer.hear(7)
        peer.read(SEGMENT, 0)
        peer.hear(10)
        return {"guilty": guilty}


@scenario(
    "A writer that goes on after the segment is sealed, by hand",
    peer=RAW,
    healthy=False,
    category="error ignored",
    thread="pravega/pravega#4324, #3901",
    fault="The store says SEGMENT_IS_SEALED; the writer does not look for the successors but sets "
    "itself up again on the sealed segment and appends, six times.",
    shows="SEGMENT_IS_SEALED after an append, then SETUP_APPEND and an append of the same event on "
    "a new connection, time after time.",
)
def bug_appends_after_sealed() -> Facts:
    guilty = []
    with connected() as admin:
        admin.create(SEGMENT)
        admin.set_up(SEGMENT)
        admin.append(1, record(0, b"event 1"))
        admin.hear(7)
        admin.seal(SEGMENT)
        admin.append(2, record(0, b"event 2"))
        admin.hear(51)
    for _ in range(6):
        peer = Peer()
        peer.greet()
        peer.ids += 1
        peer.say(1, struct.pack(">q", peer.ids) + bytes(range(1, 17)) + text(SEGMENT) + text(""))
        answer = peer.hear()
        kind = peer.got[-1][0]
        first = len(peer.sent)
        with suppress(ConnectionError, SystemExit):
            peer.append(2, record(0, b"event 2"))
            guilty.append(unnamed(peer, first))
            peer.hear()
        peer.socket.close()
        time.sleep(0.2)
    return {
        "guilty": guilty,
        "last_answer": peer.got[-1][0],
        "to_set_up": kind,
        "bytes": len(answer),
    }


@scenario(
    "A writer for each event, by the Java client",
    peer=NEW,
    healthy=False,
    driver="WriterPerEvent.java",
    category="churn",
    thread="pravega/pravega#2382",
    fault="The client makes a writer for each of twenty events and closes it: each has a new "
    "writer id, which the store keeps as an attribute of the segment, and costs a SETUP_APPEND.",
    shows="SETUP_APPEND with a new id, one append, twenty times.",
    marks=(Mark(None, "client", b"^\x00\x00\x00\x01.*scope/stream"),),
)
def bug_writer_per_event_java() -> Facts:
    return clients.drive(NEW, "WriterPerEvent")


@scenario(
    "Small reads at the tail, by hand",
    peer=RAW,
    healthy=True,
    thread="the healthy twin of pravega/pravega-client-rust#153",
    shows="A reader waits at the tail with reads of 256 kB; thirty events come one by one, each "
    "read returns what there is.",
)
def small_reads_at_the_tail() -> Facts:
    offset = 0
    with connected() as peer, connected() as reader:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        for number in range(1, 31):
            reader.read(SEGMENT, offset, 1 << 18)
            time.sleep(0.05)
            data = record(0, b"event %02d" % number)
            peer.append(number, data)
            peer.hear(7)
            reader.hear(10)
            offset += len(data)
        return {"read": offset}


@scenario(
    "A conditional append that is repeated where it belongs, by hand",
    peer=RAW,
    healthy=True,
    thread="the healthy twin of pravega/pravega#5767",
    shows="Two writers append on condition; the one that is too late reads the new length and "
    "appends there, five times.",
)
def conditional_append_repeated_by_hand() -> Facts:
    refused = 0
    with connected() as first, connected() as second:
        first.create(SEGMENT)
        length = 0
        writers = (bytes([1]) * 16, bytes([2]) * 16)
        first.set_up(SEGMENT, writers[0])
        second.set_up(SEGMENT, writers[1])
        for number in range(1, 6):
            for writer, peer in zip(writers, (first, second), strict=True):
                place = length
                for attempt in range(2):
                    peer.ids += 1
                    head = struct.pack(">qq", 2 * number + attempt, place)
                    body = writer + head + bytes(4) + sized(b"event") + struct.pack(">q", peer.ids)
                    peer.say(5, body)
                    peer.hear(7, 8)
                    if peer.got[-1][0] == 7:
                        break
                    refused += 1
                    info = peer.ask(11, text(SEGMENT) + text(""), 12)
                    place = struct.unpack(">q", info[-16:-8])[0]
            length += 26
        return {"refused": refused}


@scenario(
    "A monitor that looks at the length of three segments, by hand",
    peer=RAW,
    healthy=True,
    thread="the healthy twin of pravega/pravega#1075",
    shows="GET_STREAM_SEGMENT_INFO of three segments each 700 ms, while they grow.",
)
def info_by_a_monitor() -> Facts:
    names = [f"hand/stream/{n}.#epoch.0" for n in range(3)]
    with connected() as peer, connected() as monitor:
        for name in names:
            peer.create(name)
        for number in range(8):
            for place, name in enumerate(names):
                writer = bytes([place + 1]) * 16
                if not number:
                    peer.set_up(name, writer)
                peer.append(number + 1, record(0, b"event"), writer)
                peer.hear(7)
            for name in names:
                monitor.ask(11, text(name) + text(""), 12)
            time.sleep(0.7)
        return {"asked": 24}
