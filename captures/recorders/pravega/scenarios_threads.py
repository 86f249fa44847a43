"""Faults from issue threads of the clients, and healthy scenarios that look like them.

They are recorded by somebody who does not write rules: what is at fault is said from the thread,
the documents and the server. Each fault has its class, its thread and the sentence of a maintainer.
"""

import struct
import time

from captures.recorders.marks import Mark, Shown
from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import NEW, PYTHON, RAW, Blame, Facts, scenario
from captures.recorders.pravega.wire import WRITER, Peer, connected, entry, record, sized, text

SEGMENT = "hand/stream/0.#epoch.0"
SUCCESSOR = "hand/stream/1.#epoch.1"
TABLE = "hand/table"
LEFT: list[Peer] = []
"""Connections that nobody closes."""


def call(method: str) -> Shown:
    """Calls of a method of the controller."""
    return Shown(method, f'http2.headers.path contains "/{method}"')


def unnamed(peer: Peer, first: int = 0) -> Blame:
    """The frames from one of the client's to the last: they show a fault that has no rule yet."""
    nth, last = first or len(peer.sent), len(peer.sent) if first else 0
    return Blame("", peer.port, "client", nth, last, peer.sent[nth - 1])


@scenario(
    "Changes of a table are asked for without a pause, by hand",
    peer=RAW,
    healthy=False,
    category="storm",
    thread="pravega/pravega#1075; readers of the Python client 0.3.8 that wait do this too",
    fault="The client asks for changes of the table since one position (READ_TABLE_ENTRIES_DELTA) "
    "250 times without a pause, and there are none.",
    shows="A table of five keys, then the same request for what comes after them.",
)
def bug_delta_polled_by_hand() -> Facts:
    table = text(TABLE)
    with connected() as peer:
        peer.ask(70, table + text("") + b"\0" + struct.pack(">iq", 0, 0), 21)
        rows = b"".join(entry(b"reader %d" % n, b"position") for n in range(5))
        update = table + text("") + struct.pack(">i", 5) + rows
        peer.ask(74, update + struct.pack(">q", -1), 75)
        delta = peer.ask(88, table + text("") + struct.pack(">qi", 0, 10), 87)
        position = struct.unpack(">q", delta[-8:])[0]
        first = len(peer.sent) + 3
        for _ in range(250):
            peer.ask(88, table + text("") + struct.pack(">qi", position, 10), 87)
        return {"guilty": [unnamed(peer, first)], "position": position}


@scenario(
    "Connections that are opened for one request and left open, by hand",
    peer=RAW,
    healthy=False,
    category="leak",
    thread="pravega/pravega-client-rust#223, pravega/pravega#1373",
    fault="Each request for a segment's length opens a connection of its own that is never closed "
    "nor used again: twenty stay open.",
    shows="Twenty connections with HELLO and one GET_STREAM_SEGMENT_INFO each; the server ends "
    "them when it stops.",
)
def bug_connections_left_open() -> Facts:
    guilty = []
    with connected() as admin:
        admin.create(SEGMENT)
    for number in range(20):
        peer = Peer()
        LEFT.append(peer)
        peer.greet()
        peer.ask(11, text(SEGMENT) + text(""), 12)
        guilty += [unnamed(peer)] if number >= 3 else []
        time.sleep(0.1)
    time.sleep(3)
    return {"guilty": guilty, "connections": 20}


@scenario(
    "Updates are looked for without a pause, by the Java client",
    peer=NEW,
    healthy=False,
    driver="InfoBeforeRead.java",
    category="waste",
    thread="pravega/pravega#1892",
    fault="The client polls a revisioned stream sixty times for three updates, and asks "
    "GET_STREAM_SEGMENT_INFO before each read: nothing has changed in 57 of them.",
    shows="RevisionedStreamClient.readFrom in a loop.",
    marks=(Mark(None, "client", b"^\x00\x00\x00\x0b.*scope/state", skip=3),),
)
def bug_info_before_every_read_java() -> Facts:
    return clients.drive(NEW, "InfoBeforeRead")


@scenario(
    "Four thousand bytes, twenty at a time, by hand",
    peer=RAW,
    healthy=False,
    category="waste",
    thread="pravega/pravega-client-rust#153",
    fault="The reader asks for twenty bytes at a time of a segment that has four thousand, one "
    "round trip each: it reads without a buffer.",
    shows="200 READ_SEGMENT with a length of 20, each answered at once.",
)
def bug_tiny_reads() -> Facts:
    with connected() as peer:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        peer.append(1, bytes(n % 251 for n in range(4000)))
        peer.hear(7)
        first = len(peer.sent) + 3
        for offset in range(0, 4000, 20):
            peer.read(SEGMENT, offset, 20)
            peer.hear(10)
        return {"guilty": [unnamed(peer, first)], "reads": 200}


@scenario(
    "A transaction that nobody ends, by the Java client",
    peer=NEW,
    healthy=False,
    driver="Transactions.java",
    category="abandoned",
    thread="pravega/pravega#6117, #4147",
    fault="The client begins a transaction, writes three events into it and ends without commit or "
    "abort: the controller aborts it when the lease of ten seconds is over, the events are lost.",
    shows="createTransaction, three events in a segment of the transaction, then silence of 20 s, "
    "in which the controller deletes the segment.",
    marks=(call("createTransaction"), Mark(None, "client", b"^\x00\x00\x00\x01.*#transaction")),
)
def bug_transaction_abandoned_java() -> Facts:
    facts = clients.drive(NEW, "Transactions", "abandoned")
    time.sleep(20)
    return facts


@scenario(
    "A transaction that takes longer than its lease, by the Java client",
    peer=NEW,
    healthy=True,
    driver="Transactions.java",
    thread="the healthy twin of pravega/pravega#6117",
    shows="A lease of ten seconds, pinged in time for 25 seconds, then committed.",
)
def transaction_pinged_java() -> Facts:
    return clients.drive(NEW, "Transactions", "pinged")


@scenario(
    "A committed transaction is pinged, by the Java client",
    peer=NEW,
    healthy=False,
    driver="Transactions.java",
    category="limit",
    thread="pravega/pravega#3463",
    fault="The client goes on to ping a transaction that is committed: twelve pingTransaction, and "
    "each answer says so.",
    shows="commitTransaction, then pingTransaction of the same transaction for five seconds.",
    marks=(call("pingTransaction"),),
)
def bug_pings_committed_transaction_java() -> Facts:
    return clients.drive(NEW, "Transactions", "ended")


@scenario(
    "Requests that share an id, by hand",
    peer=RAW,
    healthy=False,
    category="sequence",
    thread="pravega/pravega#3909 (flows that share a connection)",
    fault="Four reads of different offsets are under way with one request id: which answer belongs "
    "to which cannot be told.",
    shows="READ_SEGMENT at 0, 100, 200 and 300 in one write, all with request id 77.",
)
def bug_request_id_reused() -> Facts:
    with connected() as peer:
        peer.create(SEGMENT)
        peer.set_up(SEGMENT)
        peer.append(1, bytes(400))
        peer.hear(7)
        for offset in range(0, 400, 100):
            body = text(SEGMENT) + struct.pack(">qi", offset, 100) + text("")
            peer.say(9, body + struct.pack(">q", 77))
        guilty = [unnamed(peer, len(peer.sent) - 2)]
        for _ in range(4):
            peer.hear(10)
        return {"guilty": guilty}


@scenario(
    "A listing that begins again each time, by hand",
    peer=RAW,
    healthy=False,
    category="sequence",
    thread="pravega/schema-registry#80, pravega/pravega#5272",
    fault="The client never passes the continuation token on: READ_TABLE_KEYS returns the same "
    "first keys twelve times, and it never gets to the others.",
    shows="A table of thirty keys, READ_TABLE_KEYS of three with an empty token each time.",
)
def bug_iteration_starts_again() -> Facts:
    table = text(TABLE)
    with connected() as peer:
        peer.ask(70, table + text("") + b"\0" + struct.pack(">iq", 0, 0), 21)
        rows = b"".join(entry(b"key %02d" % n, b"value") for n in range(30))
        update = table + text("") + struct.pack(">i", 30) + rows
        peer.ask(74, update + struct.pack(">q", -1), 75)
        first = len(peer.sent) + 2
        for _ in range(12):
            peer.ask(83, table + text("") + struct.pack(">i", 3) + sized(b"") * 4, 84)
        return {"guilty": [unnamed(peer, first)]}


@scenario(
    "Two reader groups read one stream, by the Java client",
    peer=NEW,
    healthy=True,
    driver="TwoGroups.java",
    thread="the healthy twin of pravega/pravega#567 (events that are read twice)",
    shows="Reader groups 'audit' and 'export', one after the other, both from the beginning.",
)
def two_reader_groups_java() -> Facts:
    return clients.drive(NEW, "TwoGroups")


@scenario(
    "A table in pages, by the Java client",
    peer=NEW,
    healthy=True,
    driver="Pages.java",
    thread="the healthy twin of pravega/schema-registry#80",
    shows="Forty keys put one by one, listed in pages of five, twice.",
)
def table_in_pages_java() -> Facts:
    return clients.drive(NEW, "Pages")


@scenario(
    "A sealed segment, and on in its successor, by hand",
    peer=RAW,
    healthy=True,
    thread="the healthy twin of pravega/pravega#4324",
    shows="Ten appends are under way when the segment is sealed; the client sends none after "
    "SEGMENT_IS_SEALED, and writes what was not acknowledged to the next segment.",
)
def sealed_and_onward_by_hand() -> Facts:
    with connected() as peer, connected() as admin:
        admin.create(SEGMENT)
        admin.create(SUCCESSOR)
        peer.set_up(SEGMENT)
        for number in range(1, 6):
            peer.append(number, record(0, b"event %d" % number))
        acknowledged = 0
        while acknowledged < 5:
            acknowledged = struct.unpack(">q", peer.hear(7)[16:24])[0]
        admin.seal(SEGMENT)
        for number in range(6, 11):
            peer.append(number, record(0, b"event %d" % number))
        peer.hear(51)
        peer.set_up(SUCCESSOR, WRITER[::-1])
        for number in range(6, 11):
            peer.append(number, record(0, b"event %d" % number), WRITER[::-1])
        while acknowledged < 10:
            payload = peer.hear()
            if peer.got[-1][0] == 7:
                acknowledged = struct.unpack(">q", payload[16:24])[0]
        return {"acknowledged": acknowledged}


@scenario(
    "A minute of an application, by the Java client",
    peer=NEW,
    healthy=True,
    driver="LongRun.java",
    thread="many operations in a row, to find false alarms",
    shows="Events while the stream is scaled and readers join and leave the group, a checkpoint, "
    "transactions of which one is aborted, a table, a byte stream, and what is deleted at the end.",
)
def long_run_java() -> Facts:
    return clients.drive(NEW, "LongRun")


@scenario(
    "A minute of an application, by the Python client",
    peer=PYTHON,
    healthy=True,
    driver="long_run.py",
    thread="many operations in a row, to find false alarms",
    shows="Four writers and readers one after the other, transactions of which one is aborted, a "
    "byte stream that is read from three places.",
)
def long_run_py() -> Facts:
    return clients.drive(PYTHON, "long_run.py")
