"""Faults that come from the broker or from between: a relay changes real bytes on their way."""

import struct
import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.relay import Change, at, chunk, only, relay, sized
from captures.recorders.rabbitmq_stream.scenarios_broker_3 import bodies, fill, made
from captures.recorders.rabbitmq_stream.scenarios_broker_4 import DELIVER_2
from captures.recorders.rabbitmq_stream.scenarios_bugs import ALONE
from captures.recorders.rabbitmq_stream.setup import RELAY, Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import u8, u16, u32, u64

DAY = 86400000
DELIVER_HEAD = 9
"""Bytes of a Deliver of version 1 before its chunk."""


def nth_of(client: wire.Client, key: int, nth: int) -> int:
    """Place among all received frames of the nth with a key."""
    return [n for n, one in enumerate(client.received, 1) if one.key == key][nth - 1]


def read_chunks(stage: Stage, stream: str, change: Change, rules: str, nth: int = 2) -> Facts:
    """Reads a stream of three chunks through a relay; the nth delivery is the guilty one."""
    with relay(change):
        client = stage.client(port=RELAY).login()
        client.subscribe(0, stream)
        frames = client.drain(1.5)
        stage.blame(rules, client, "server", nth=nth_of(client, wire.DELIVER, nth))
        client.unsubscribe(0)
        client.close()
    return {"delivered": sum(f.key == wire.DELIVER for f in frames)}


def flip(frame: bytes) -> list[bytes]:
    """Turns one bit of the last byte."""
    return [frame[:-1] + bytes([frame[-1] ^ 1])]


@scenario(
    "A chunk with one bit changed in its data",
    healthy=False,
    setup=fill("bug-crc", 3),
    relay="it turns the last bit of the second Deliver.",
    shows="The checksum of the second chunk does not match its data.",
    faults={"RMQ-D5": "CRC-32"},
)
def bug_chunk_checksum(stage: Stage) -> Facts:
    return read_chunks(stage, "bug-crc", only(wire.DELIVER, 2, flip), "D5")


@scenario(
    "A chunk that claims more records than it holds",
    healthy=False,
    setup=fill("bug-records", 3),
    relay="it adds two to the number of records in the second Deliver.",
    shows="NumRecords 7 over five entries.",
    faults={"RMQ-D3": "7 records where there are 5"},
)
def bug_chunk_record_count(stage: Stage) -> Facts:
    return read_chunks(stage, "bug-records", chunk(2, 4, ">I", lambda n: n + 2), "D3")


@scenario(
    "A chunk that claims fewer entries than it holds",
    healthy=False,
    setup=fill("bug-entries", 3),
    relay="it takes one from the number of entries in the second Deliver.",
    shows="NumEntries 4 over five entries.",
    faults={"RMQ-D2": "4 entries where there are 5"},
)
def bug_chunk_entry_count(stage: Stage) -> Facts:
    return read_chunks(stage, "bug-entries", chunk(2, 2, ">H", lambda n: n - 1), "D2")


@scenario(
    "A chunk that does not begin with the magic number",
    healthy=False,
    setup=fill("bug-magic", 3),
    relay="it writes 0x60 over the first byte of the second chunk.",
    shows="Magic 6 where 5 belongs.",
    faults={"RMQ-D1": "magic 6"},
)
def bug_chunk_magic(stage: Stage) -> Facts:
    return read_chunks(stage, "bug-magic", chunk(2, 0, ">B", lambda _: 0x60), "D1")


@scenario(
    "A chunk whose data length does not fit the frame",
    healthy=False,
    setup=fill("bug-length", 3),
    relay="it takes four from the data length of the second chunk.",
    shows="Four bytes more in the frame than data and trailer say.",
    faults={"RMQ-D4": "the frame goes on behind the data"},
)
def bug_chunk_data_length(stage: Stage) -> Facts:
    return read_chunks(stage, "bug-length", chunk(2, 36, ">I", lambda n: n - 4), "D4")


@scenario(
    "A chunk from the day after tomorrow",
    healthy=False,
    setup=fill("bug-future", 3),
    relay="it adds two days to the timestamp of the second chunk.",
    shows="A timestamp two days ahead of the capture's clock.",
    faults={"RMQ-D10": "two days in the future"},
)
def bug_chunk_from_the_future(stage: Stage) -> Facts:
    return read_chunks(stage, "bug-future", chunk(2, 8, ">q", lambda n: n + 2 * DAY), "D10")


@scenario(
    "A tracking chunk for a consumer that did not ask for one",
    healthy=False,
    setup=fill("bug-type", 3),
    relay="it writes chunk type 1 into the second Deliver.",
    shows="Chunk type 1 without chunk_selector.",
    faults={"RMQ-D11": "chunk type 1 without chunk_selector=all"},
)
def bug_chunk_type(stage: Stage) -> Facts:
    return read_chunks(stage, "bug-type", chunk(2, 1, ">B", lambda _: 1), "D11")


@scenario(
    "A delivery comes twice",
    healthy=False,
    setup=fill("bug-again", 3),
    relay="it passes the second Deliver on twice.",
    shows="The same chunk id twice in a row.",
    faults={"RMQ-D6": "the chunk id does not rise"},
)
def bug_deliver_twice(stage: Stage) -> Facts:
    twice = only(wire.DELIVER, 2, lambda frame: [frame, frame])
    return read_chunks(stage, "bug-again", twice, "D6", 3)


@scenario(
    "More deliveries than credit",
    healthy=False,
    setup=fill("bug-overrun", 3),
    relay="it passes the first Deliver on twice.",
    shows="Credit 1, two deliveries.",
    faults={"RMQ-C1": "the balance is 0", "RMQ-D6": "the chunk id does not rise"},
)
def bug_deliver_without_credit(stage: Stage) -> Facts:
    with relay(only(wire.DELIVER, 1, lambda frame: [frame, frame])):
        client = stage.client(port=RELAY).login()
        client.subscribe(0, "bug-overrun", credit=1)
        frames = client.drain(1.5)
        stage.blame("C1 D6", client, "server", key=wire.DELIVER)
        client.unsubscribe(0)
        client.close()
    return {"delivered": sum(f.key == wire.DELIVER for f in frames)}


def swap(first: int) -> Change:
    """Sends the nth Deliver after the next one."""
    held: list[bytes] = []
    seen = 0

    def change(frame: bytes) -> list[bytes]:
        nonlocal seen
        if int.from_bytes(frame[4:6], "big") != wire.DELIVER:
            return [frame]
        seen += 1
        if seen == first:
            held.append(frame)
            return []
        return [frame, held.pop()] if held else [frame]

    return change


@scenario(
    "Two deliveries in the wrong order",
    healthy=False,
    setup=fill("bug-order", 4),
    relay="it passes the second Deliver on behind the third.",
    shows="The chunk id goes back.",
    faults={"RMQ-D6": "the chunk id goes back"},
)
def bug_deliver_out_of_order(stage: Stage) -> Facts:
    return read_chunks(stage, "bug-order", swap(2), "D6", 3)


def second_version(frame: bytes) -> list[bytes]:
    """A Deliver of version 1 as version 2, its own chunk id as the committed one."""
    own = frame[DELIVER_HEAD + 24 : DELIVER_HEAD + 32]
    head, rest = frame[:DELIVER_HEAD], frame[DELIVER_HEAD:]
    return [sized(at(head, 6, u16(2)) + own + rest)]


@scenario(
    "Deliver version 2 for a client that did not ask for it",
    healthy=False,
    setup=fill("bug-version", 3),
    relay="it makes version 2 of the second Deliver, with its own chunk id as the committed one.",
    shows="No ExchangeCommandVersions, and a Deliver of version 2.",
    faults={"RMQ-D8": "version 2 was not agreed"},
)
def bug_deliver_v2_unasked(stage: Stage) -> Facts:
    change = only(wire.DELIVER, 2, second_version)
    return read_chunks(stage, "bug-version", change, "D8")


@scenario(
    "A committed chunk id that goes back",
    release="4",
    healthy=False,
    setup=fill("bug-committed", 3),
    relay="it writes 0 over the committed chunk id of the third Deliver.",
    shows="Deliver version 2 with a committed chunk id below the chunk's own.",
    faults={"RMQ-D7": "0 behind 10"},
)
def bug_committed_id_goes_back(stage: Stage) -> Facts:
    with relay(only(wire.DELIVER, 3, lambda frame: [at(frame, 9, u64(0))])):
        client = stage.client(port=RELAY).login()
        client.request(wire.EXCHANGE_VERSIONS, DELIVER_2)
        client.subscribe(0, "bug-committed")
        frames = client.drain(1.5)
        stage.blame("D7", client, "server", nth=nth_of(client, wire.DELIVER, 3))
        client.unsubscribe(0)
        client.close()
    return {"delivered": sum(f.key == wire.DELIVER for f in frames)}


@scenario(
    "Deliveries to a consumer that was told to stop",
    release="4",
    healthy=False,
    setup=fill("bug-inactive", 3),
    relay="it writes active 0 into ConsumerUpdate.",
    shows="ConsumerUpdate with active 0, answered; the deliveries come all the same.",
    faults={"RMQ-A3": "a Deliver to an inactive consumer"},
)
def bug_deliver_to_inactive(stage: Stage) -> Facts:
    with relay(only(wire.CONSUMER_UPDATE, 1, lambda frame: [at(frame, 13, b"\0")])):
        client = stage.client(port=RELAY).login()
        client.subscribe(0, "bug-inactive", properties=ALONE)
        update = client.until(wire.CONSUMER_UPDATE)
        assert update
        client.send(wire.CONSUMER_UPDATE | wire.RESPONSE, update.body[:4] + u16(1) + u16(0))
        frames = client.drain(1.5)
        places = [nth_of(client, wire.DELIVER, n) for n in (1, 3)]
        stage.blame("A3", client, "server", nth=places[0], last=places[1])
        client.unsubscribe(0)
        client.close()
    return {"active": [update.body[5]], "delivered": sum(f.key == wire.DELIVER for f in frames)}


def publishes(stage: Stage, stream: str, change: Change) -> wire.Client:
    """Publishes three batches of five through a relay; the confirms are in its inbox."""
    with relay(change):
        client = stage.client(port=RELAY).login()
        client.declare(0, stream)
        for n in range(3):
            client.publish(0, 5 * n, bodies(5))
            time.sleep(0.3)
        client.inbox = client.drain(1)
    return client


@scenario(
    "A confirm comes twice",
    healthy=False,
    setup=made("bug-confirm-twice"),
    relay="it passes the first PublishConfirm on twice.",
    shows="Ids that are confirmed already are confirmed again.",
    faults={"RMQ-I8": "the ids are confirmed already"},
)
def bug_confirm_twice(stage: Stage) -> Facts:
    twice = only(wire.CONFIRM, 1, lambda frame: [frame, frame])
    client = publishes(stage, "bug-confirm-twice", twice)
    stage.blame("I8", client, "server", nth=nth_of(client, wire.CONFIRM, 2))
    confirmed = client.confirmed(20)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 15, "confirmed": confirmed}


@scenario(
    "A confirm for a publisher that the connection does not have",
    healthy=False,
    setup=made("bug-confirm-other"),
    relay="it writes publisher id 7 into the second PublishConfirm.",
    shows="Publisher 7 was never declared; five ids of publisher 0 stay without a confirm.",
    faults={"RMQ-I8": "publisher 7 published nothing", "RMQ-I7": "five ids without a confirm"},
)
def bug_confirm_of_another(stage: Stage) -> Facts:
    other = only(wire.CONFIRM, 2, lambda frame: [at(frame, 8, b"\7")])
    client = publishes(stage, "bug-confirm-other", other)
    stage.blame("I8", client, "server", nth=nth_of(client, wire.CONFIRM, 2))
    second = [n for n, one in enumerate(client.sent, 1) if one.key == wire.PUBLISH][1]
    stage.blame("I7", client, nth=second)
    confirmed = client.confirmed(15)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 15, "confirmed": confirmed}


@scenario(
    "A confirm is lost",
    healthy=False,
    setup=made("bug-confirm-lost"),
    relay="it keeps the second PublishConfirm back.",
    shows="Three batches are published, two confirmed; the publisher is deleted and the connection "
    "closed.",
    faults={"RMQ-I7": "five ids without a confirm"},
)
def bug_confirm_lost(stage: Stage) -> Facts:
    client = publishes(stage, "bug-confirm-lost", only(wire.CONFIRM, 2, lambda _: []))
    second = [n for n, one in enumerate(client.sent, 1) if one.key == wire.PUBLISH][1]
    stage.blame("I7", client, nth=second)
    confirmed = client.confirmed(15, wait=1)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 15, "confirmed": confirmed}


def ask(client: wire.Client, stream: str, correlation: int) -> None:
    """Sends QueryOffset."""
    body = u32(correlation) + wire.string("reader") + wire.string(stream)
    client.send(wire.QUERY_OFFSET, body)


ANSWER = wire.QUERY_OFFSET | wire.RESPONSE


@scenario(
    "An answer is lost",
    healthy=False,
    setup=made("bug-answer-lost"),
    relay="it keeps the first QueryOffset response back.",
    shows="QueryOffset without an answer for eleven seconds; then the client drops the connection.",
    faults={"RMQ-X2": "no answer", "RMQ-K3": "the socket is dropped"},
)
def bug_answer_lost(stage: Stage) -> Facts:
    with relay(only(ANSWER, 1, lambda _: [])):
        client = stage.client(port=RELAY).login()
        ask(client, "bug-answer-lost", 50)
        stage.blame("X2", client)
        answers = len(client.drain(11))
        client.drop()
        time.sleep(0.5)
    return {"answers": answers}


@scenario(
    "An answer with a correlation id that nobody asked with",
    healthy=False,
    setup=made("bug-answer-id"),
    relay="it adds 1000 to the correlation id of the first QueryOffset response.",
    shows="QueryOffset with id 50, the answer with 1050; after eleven seconds the client drops the "
    "connection.",
    faults={"RMQ-X1": "1050 was never asked", "RMQ-X2": "50 has no answer"},
)
def bug_answer_with_wrong_id(stage: Stage) -> Facts:
    def change(frame: bytes) -> list[bytes]:
        return [at(frame, 8, u32(struct.unpack_from(">I", frame, 8)[0] + 1000))]

    with relay(only(ANSWER, 1, change)):
        client = stage.client(port=RELAY).login()
        ask(client, "bug-answer-id", 50)
        stage.blame("X2", client)
        answers = len(client.drain(11))
        stage.blame("X1", client, "server", key=ANSWER)
        client.drop()
        time.sleep(0.5)
    return {"answers": answers}


def late(seconds: float) -> Change:
    """Holds back a frame and all after it."""

    def change(frame: bytes) -> list[bytes]:
        time.sleep(seconds)
        return [frame]

    return change


@scenario(
    "An answer after eleven seconds",
    healthy=False,
    setup=made("bug-answer-late"),
    relay="it holds the first QueryOffset response back for eleven seconds.",
    shows="A client with a timeout of ten seconds would not know the answer any more.",
    faults={"RMQ-X4": "an answer after 11 s"},
)
def bug_answer_late(stage: Stage) -> Facts:
    with relay(only(ANSWER, 1, late(11))):
        client = stage.client(port=RELAY).login()
        ask(client, "bug-answer-late", 50)
        client.until(ANSWER)
        stage.blame("X4", client, "server")
        client.close()
    return None


@scenario(
    "Metadata whose leader is no broker of the same answer",
    healthy=False,
    setup=made("bug-leader"),
    relay="it writes reference 9 over the leader's in the Metadata response.",
    shows="One broker with reference 0, a stream whose leader is 9.",
    faults={"RMQ-M1": "reference 9 is no broker"},
)
def bug_metadata_dangling_leader(stage: Stage) -> Facts:
    def change(frame: bytes) -> list[bytes]:
        return [frame[:-6] + u16(9) + frame[-4:]]

    with relay(only(wire.METADATA | wire.RESPONSE, 1, change)):
        client = stage.client(port=RELAY).login()
        answer = client.request(wire.METADATA, wire.strings(["bug-leader"]))
        stage.blame("M1", client, "server")
        client.close()
    return {"leader": int.from_bytes(answer.body[-6:-4], "big")}


@scenario(
    "A server that falls silent under a client that does not watch",
    healthy=False,
    relay="it keeps back all that the server sends after Open.",
    shows="Heartbeat of two seconds agreed; nothing from the server for fourteen, and the client "
    "goes on sending its own.",
    faults={"RMQ-H1": "the server is silent", "RMQ-H2": "the client does not end the connection"},
)
def bug_silent_server_unnoticed(stage: Stage) -> Facts:
    opened = False

    def mute(frame: bytes) -> list[bytes]:
        nonlocal opened
        if opened:
            return []
        opened = int.from_bytes(frame[4:6], "big") == wire.OPEN | wire.RESPONSE
        return [frame]

    with relay(mute):
        client = stage.client(port=RELAY).login(heartbeat=2)
        stage.blame("H1 H2", client, "server")
        for _ in range(14):
            client.send(wire.HEARTBEAT)
            client.drain(1)
        client.drop()
        time.sleep(0.5)
    return {"heartbeats": 14}


def port_of(frame: bytes) -> list[bytes]:
    """A Metadata response of one broker, its port the relay's."""
    length = int.from_bytes(frame[18:20], "big")
    return [at(frame, 20 + length, u32(RELAY))]


@scenario(
    "A proxy that rewrites Metadata and forgets Open",
    healthy=False,
    setup=made("bug-proxied"),
    relay="it writes its own port over the broker's in Metadata responses, and not in Open's.",
    shows="Metadata says port 5553, Open on that port says 5552: the client takes it for the wrong "
    "node, closes, and tries again, ten times.",
    faults={"RMQ-M4": "Open never shows the port that Metadata named"},
)
def bug_proxy_forgets_open(stage: Stage) -> Facts:
    rewritten = only_key(wire.METADATA | wire.RESPONSE, port_of)
    with relay(rewritten):
        locator = stage.client(port=RELAY).login()
        locator.request(wire.METADATA, wire.strings(["bug-proxied"]))
        for _ in range(10):
            client = stage.client(port=RELAY).login()
            stage.blame("M4", client, nth=1, last=len(client.sent))
            client.close()
            time.sleep(0.2)
        locator.close()
    return {"connections": len(stage.connections)}


def only_key(wanted: int, change: Change) -> Change:
    """The change of every frame with that key."""
    return lambda frame: change(frame) if int.from_bytes(frame[4:6], "big") == wanted else [frame]
