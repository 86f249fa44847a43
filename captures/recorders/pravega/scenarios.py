"""Scenarios of the Java and Python clients against servers of three releases."""

from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import NEW, OLD, OLDEST, PYTHON, Facts, scenario


@scenario(
    "Events are written and read, by the Java client 0.13",
    peer=NEW,
    healthy=True,
    shows="HELLO, a scope and a stream, events one by one and in bursts (blocks that grow, "
    "PADDING, PARTIAL_EVENT), empty and of 12 KB; reads to the tail and behind it; truncated, "
    "sealed and deleted. The controller's own traffic with the store, and its gRPC.",
)
def events_java() -> Facts:
    return clients.drive(NEW, "Plays", "events")


@scenario(
    "Transactions, by the Java client 0.13",
    peer=NEW,
    healthy=True,
    shows="One with five events is committed, one aborted, an empty one committed: segments of "
    "their own, MERGE_SEGMENTS_BATCH.",
)
def transactions_java() -> Facts:
    return clients.drive(NEW, "Plays", "transactions")


@scenario(
    "A byte stream, by the Java client 0.13",
    peer=NEW,
    healthy=True,
    shows="Blocks without event heads, reads of plain bytes to the end of a sealed segment.",
)
def byte_stream_java() -> Facts:
    return clients.drive(NEW, "Plays", "bytes")


@scenario(
    "A revisioned stream, by the Java client 0.13",
    peer=NEW,
    healthy=True,
    shows="CONDITIONAL_APPEND that is stored and one that fails, attributes, TRUNCATE_SEGMENT.",
)
def revisioned_stream_java() -> Facts:
    return clients.drive(NEW, "Plays", "revisions")


@scenario(
    "Events that are stored together, by the Java client 0.13",
    peer=NEW,
    healthy=True,
    shows="Three events in one append with one event number, others behind them.",
)
def batches_java() -> Facts:
    return clients.drive(NEW, "NewPlays", "batches")


@scenario(
    "An event of 9 MiB, by the Java client 0.13",
    peer=NEW,
    healthy=True,
    shows="CREATE_TRANSIENT_SEGMENT, CONDITIONAL_BLOCK_END with 8 MiB and with the rest, "
    "MERGE_SEGMENTS. The event is zeros, so that the file packs well.",
)
def large_event_java() -> Facts:
    return clients.drive(NEW, "NewPlays", "large")


@scenario(
    "A key-value table, by the Java client 0.13",
    peer=NEW,
    healthy=True,
    shows="Entries inserted, put, refused by their version, read, listed, removed.",
)
def key_value_table_java() -> Facts:
    return clients.drive(NEW, "NewPlays", "table")


@scenario(
    "A segment is sealed under its writer, by the Java client 0.13",
    peer=NEW,
    healthy=True,
    shows="The stream is scaled: SEGMENT_IS_SEALED, and the writer goes on in two others.",
)
def scale_java() -> Facts:
    return clients.drive(NEW, "NewPlays", "scale")


@scenario(
    "Connections without traffic, by the Java client 0.13",
    peer=NEW,
    healthy=True,
    shows="KEEP_ALIVE from clients, echoed, in 45 seconds between two events.",
)
def keep_alive_java() -> Facts:
    return clients.drive(NEW, "NewPlays", "idle")


@scenario(
    "Tokens and credentials, by the Java client 0.13",
    peer=NEW,
    healthy=True,
    auth=True,
    shows="Delegation tokens in requests, and Basic credentials in calls to the controller.",
)
def tokens_java() -> Facts:
    return clients.drive(NEW, "NewPlays", "token")


@scenario(
    "A wrong password in a call to the controller, by the Java client 0.13",
    peer=NEW,
    healthy=False,
    auth=True,
    faults={"GRPC-G1": "the controller refuses the credentials of createScope"},
    shows="Basic credentials of a user with another password, and the status of the refused call.",
)
def wrong_password_java() -> Facts:
    return clients.drive(NEW, "NewPlays", "refused")


@scenario(
    "Events are written and read, by the Python client",
    peer=PYTHON,
    healthy=True,
    shows="APPEND_BLOCK_END without a block, reads, from wire version 15; truncated and deleted.",
)
def events_py() -> Facts:
    return clients.drive(PYTHON, "py_plays.py", "events")


@scenario(
    "Transactions, by the Python client",
    peer=PYTHON,
    healthy=True,
    shows="One is committed, one aborted.",
)
def transactions_py() -> Facts:
    return clients.drive(PYTHON, "py_plays.py", "transactions")


@scenario(
    "A byte stream, by the Python client",
    peer=PYTHON,
    healthy=True,
    shows="CONDITIONAL_BLOCK_END for each write, reads from the middle.",
)
def byte_stream_py() -> Facts:
    return clients.drive(PYTHON, "py_plays.py", "bytes")


@scenario(
    "Transactions, client and server 0.5.1",
    peer=OLD,
    server=OLD,
    healthy=True,
    shows="MERGE_SEGMENTS by the controller.",
)
def transactions_java_0_5() -> Facts:
    return clients.drive(OLD, "Plays", "transactions")


@scenario(
    "Events and a transaction, client and server 0.4.0",
    peer=OLDEST,
    server=OLDEST,
    healthy=True,
    shows="Wire version 6: no request ids in appends, acknowledgements and reads.",
)
def events_java_0_4() -> Facts:
    return clients.drive(OLDEST, "OldestPlays", "events")


@scenario(
    "A client of 0.5.1 and a server of 0.13",
    peer=OLD,
    server=NEW,
    healthy=False,
    faults={"PRV-P32": "a writer is set up again after what was acknowledged"},
    shows="The client takes the last member of DATA_APPENDED for the next head, fails its session "
    "and sets it up again after every acknowledgement (pravega issue 4211).",
)
def old_client_java() -> Facts:
    return clients.drive(OLD, "Plays", "events")
