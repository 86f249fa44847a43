"""Bugs of the issue tracker that a small client can play again, and what is right beside them."""

import struct
import time
from contextlib import suppress

from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import OLD, OLDEST, RAW, Facts, scenario
from captures.recorders.pravega.wire import (
    KEEP_ALIVE,
    WRITER,
    Peer,
    connected,
    entry,
    record,
    sized,
    text,
)

SEGMENT = "hand/stream/0.#epoch.0"
EVENT = record(0, b"event")
SILENCE = 65
"""Seconds: a client should be heard every 20."""
MEBIBYTE = 1 << 20
TOO_OFTEN = 3
"""The time at which a writer that is set up in vain is told."""


@scenario(
    "A reader without KEEP_ALIVE, by hand",
    peer=RAW,
    healthy=False,
    shows="A read waits at the tail of an empty segment for 65 seconds, in which the client says "
    "nothing; then the server ends the connection (pravega issue 2746), here because it stops: "
    "0.4.0 and 0.5.1 leave a reader that is silent, or waits, alone for 200 seconds, 0.13.0 one "
    "that is silent; a read that is cancelled is answered by an empty SEGMENT_READ.",
    faults={"PRV-P41": "65 seconds of silence before the server ends the connection"},
)
def bug_idle_reader() -> Facts:
    peer = _waiting()
    guilty = [peer.blame("PRV-P41")]
    time.sleep(SILENCE)
    return {"guilty": guilty}


@scenario(
    "A reader with KEEP_ALIVE, by hand",
    peer=RAW,
    healthy=True,
    shows="The same with a KEEP_ALIVE every 20 seconds, each echoed; then the server stops.",
)
def idle_reader_by_hand() -> Facts:
    peer = _waiting()
    for _ in range(3):
        time.sleep(20)
        peer.say(KEEP_ALIVE)
        peer.hear(KEEP_ALIVE)
    time.sleep(SILENCE - 60)
    return {"sent": len(peer.sent), "received": len(peer.got)}


def _waiting() -> Peer:
    """A client that reads at the tail; it is left open for the server to end."""
    peer = Peer()
    peer.greet()
    peer.create(SEGMENT)
    peer.read(SEGMENT, 0)
    LEFT.append(peer)
    return peer


LEFT: list[Peer] = []
"""Clients that nobody closes."""


@scenario(
    "Events of 1 MiB, client and server 0.4.0",
    peer=OLDEST,
    server=OLDEST,
    healthy=True,
    shows="The client writes 1 MiB less 8 bytes, and refuses 1 MiB itself, since the head of the "
    "event counts (pravega issue 3550): of that no byte is on the wire. A second client, by hand, "
    "writes an event of 1 MiB, which the server takes.",
)
def events_of_1_mib_java_0_4() -> Facts:
    facts = clients.drive(OLDEST, "OldestPlays", "mebibyte")
    with connected(high=6) as peer:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        peer.append(1, record(0, bytes(MEBIBYTE)))
        peer.hear(7)
    return facts


@scenario(
    "An event of 8 MiB for a server of 0.5.1, by hand",
    peer=RAW,
    server=OLD,
    healthy=False,
    shows="As large as events may be since 0.7, in one block: the server resets the connection as "
    "soon as it has read the length. The frame that is named is the last one before it.",
    faults={"PRV-P34": "a frame of more than 8 MiB"},
)
def bug_event_too_large() -> Facts:
    with connected(high=8) as peer:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        guilty = [peer.blame("PRV-P34")]
        with suppress(ConnectionError):
            peer.append(1, record(0, bytes(8 * MEBIBYTE)))
        peer.closed()
    return {"guilty": guilty}


@scenario(
    "Members that a server of 0.4.0 does not know, by hand",
    peer=RAW,
    server=OLDEST,
    healthy=False,
    shows="A connection for each: CONDITIONAL_APPEND with a request id, as clients of 0.5 write it "
    "(pravega issue 3537), READ_SEGMENT with one, CREATE_SEGMENT with a size at which storage "
    "begins anew. The server takes what is too much for the next frame and closes.",
    faults={"PRV-P45": "members of later releases"},
)
def bug_newer_members_0_4() -> Facts:
    guilty = []
    with connected(high=6) as peer:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        peer.say(5, _condition(1, 0) + struct.pack(">q", peer.ids))
        guilty.append(peer.blame("PRV-P45"))
        peer.closed()
    read = text(SEGMENT) + struct.pack(">qi", 0, 4096) + text("")
    create = text("hand/stream/1.#epoch.0") + struct.pack(">ib", 0, 0) + text("")
    for code, body in ((9, read + bytes(8)), (20, bytes(8) + create + bytes(8))):
        with connected(high=6) as peer:
            peer.say(code, body)
            guilty.append(peer.blame("PRV-P45"))
            peer.closed()
    return {"guilty": guilty}


@scenario(
    "Members that a server of 0.5.1 does not know, by hand",
    peer=RAW,
    server=OLD,
    healthy=False,
    shows="A connection for each: a table that may be sorted, an update and a removal with the "
    "length of the table, a list of keys with a prefix, a merge with attributes: the server takes "
    "what is too much for the next frame and closes (pravega issue 4211, the other way).",
    faults={"PRV-P45": "members of later releases"},
)
def bug_newer_members_0_5() -> Facts:
    guilty = []
    head = struct.pack(">q", 9) + text("hand/table") + text("")
    one = struct.pack(">i", 1)
    key = entry(b"key", b"")[:-8]
    for code, body in (
        (70, struct.pack(">q", 9) + text("hand/other") + text("") + bytes(13)),
        (74, head + one + entry(b"key", b"value") + struct.pack(">q", -1)),
        (76, head + one + key + struct.pack(">q", -1)),
        (83, head + one + sized(b"") * 4),
        (58, struct.pack(">q", 9) + text(SEGMENT) + text("hand/other") + text("") + bytes(4)),
    ):
        with connected(high=8) as peer:
            peer.say(code, body)
            guilty.append(peer.blame("PRV-P45"))
            peer.closed()
    return {"guilty": guilty}


@scenario(
    "An append without a block for a server of 0.5.1, by hand",
    peer=RAW,
    server=OLD,
    healthy=False,
    shows="All of an event in APPEND_BLOCK_END, as the Rust client writes it for 0.13: the server "
    "says in its log that there is no block, as in pravega issue 3624, and closes.",
    faults={"PRV-P49": "an end without its block"},
)
def bug_end_without_block() -> Facts:
    with connected(high=8) as peer:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        peer.end(1, 0, EVENT)
        guilty = [peer.blame("PRV-P49")]
        peer.closed()
    return {"guilty": guilty}


@scenario(
    "The layouts of 0.4.0, by hand",
    peer=RAW,
    server=OLDEST,
    healthy=True,
    shows="The same requests without the members that came later: created, appended to on "
    "condition, once in vain, read, sealed, deleted.",
)
def older_layouts_by_hand() -> Facts:
    with connected(high=6) as peer:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        peer.say(5, _condition(1, 0))
        peer.hear(7)
        peer.say(5, _condition(2, 0))
        peer.hear(8)
        peer.read(SEGMENT, 0)
        peer.hear(10)
        peer.seal(SEGMENT)
        peer.ask(30, text(SEGMENT) + text(""), 31)
        return {"sent": len(peer.sent), "received": len(peer.got)}


def _condition(number: int, offset: int) -> bytes:
    """CONDITIONAL_APPEND without a request id."""
    return WRITER + struct.pack(">qq", number, offset) + bytes(4) + sized(b"event")


@scenario(
    "A segment is sealed under many appends, by hand",
    peer=RAW,
    healthy=True,
    shows="400 appends are on their way when somebody else seals the segment: the server "
    "acknowledges those before it and then says SEGMENT_IS_SEALED, never the other way round "
    "(pravega issues 4393 and 4418, whose error no published release makes).",
)
def sealed_under_appends_by_hand() -> Facts:
    with connected() as peer, connected() as admin:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        for number in range(1, 201):
            peer.append(number, EVENT)
        while struct.unpack(">q", peer.hear(7)[16:24])[0] < 100:
            pass
        admin.say(28, struct.pack(">q", 7) + text(SEGMENT) + text(""))
        for number in range(201, 401):
            peer.append(number, EVENT)
        admin.hear(29)
        peer.closed(until=2)
        return {"sent": len(peer.sent)}


@scenario(
    "The end of a sealed segment is read again and again, by hand",
    peer=RAW,
    healthy=False,
    shows="100 bytes, of which the last ten come with the mark of the end; the client takes the "
    "mark for an error and asks for them again (pravega-client-rust issue 163).",
    faults={"PRV-P47": "bytes that come with the mark of the end are dropped"},
)
def bug_end_read_again() -> Facts:
    with connected() as peer:
        _sealed(peer)
        guilty = []
        for number in range(6):
            peer.read(SEGMENT, 90, 20)
            peer.hear(10)
            if number == 1:
                guilty.append(peer.blamed("PRV-P47"))
    return {"guilty": guilty}


@scenario(
    "A sealed segment is read to its end, by hand",
    peer=RAW,
    healthy=True,
    shows="The same segment in reads of 20 bytes, each where the last one ended, up to the mark of "
    "the end; twice, for two readers.",
)
def end_read_by_hand() -> Facts:
    with connected() as peer:
        _sealed(peer)
        for _ in range(2):
            for offset in range(0, 100, 20):
                peer.read(SEGMENT, offset, 20)
                peer.hear(10)
        return {"sent": len(peer.sent), "received": len(peer.got)}


def _sealed(peer: Peer) -> None:
    """A segment of 100 bytes that is sealed."""
    peer.create(SEGMENT)
    peer.set_up(SEGMENT)
    peer.append(1, bytes(range(100)))
    peer.hear(7)
    peer.seal(SEGMENT)


@scenario(
    "A writer that is set up in vain, by hand",
    peer=RAW,
    healthy=False,
    shows="The client cannot write its append, as it is larger than a frame may be, takes that for "
    "a failure of the connection, and connects again (pravega-client-rust issue 168); at last it "
    "goes on behind a set-up that was refused: the server closes.",
    faults={
        "PRV-P6": "an append behind a set-up that was refused",
        "PRV-P48": "set up time after time, and nothing is appended",
    },
)
def bug_set_up_in_vain() -> Facts:
    with connected() as admin:
        admin.create(SEGMENT)
        guilty = []
        for number in range(4):
            with connected() as peer:
                peer.set_up(SEGMENT)
                if number == TOO_OFTEN - 1:
                    guilty.append(peer.blame("PRV-P48"))
    with connected() as peer:
        peer.ask(1, WRITER + text("hand/stream/9.#epoch.0") + text(""), 53)
        peer.block(EVENT)
        guilty.append(peer.blame("PRV-P6"))
        peer.end(1, len(EVENT), b"")
        peer.closed()
    return {"guilty": guilty}


@scenario(
    "A writer that connects for each append, by hand",
    peer=RAW,
    healthy=True,
    shows="Set up on four connections, one after the other, and each time it appends.",
)
def set_up_often_by_hand() -> Facts:
    with connected() as admin:
        admin.create(SEGMENT)
        for number in range(4):
            with connected() as peer:
                peer.set_up(SEGMENT)
                peer.append(number, EVENT)
                peer.hear(7)
    return {"sent": 4 * 4}
