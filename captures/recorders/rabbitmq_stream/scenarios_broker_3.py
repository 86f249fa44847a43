"""Scenarios on a 3.10 broker, played by hand: what libraries do not say, and what goes wrong."""

import base64
import contextlib
import gzip
import http.client
import socket
import ssl
import time

from captures.recorders import lab
from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import string, u8, u16, u32, u64

UNKNOWN_KEY = 0x63
OUTSIDE = "192.0.2.1"
ALARM = "{{resource_limit, disk, node()}, []}"


def bodies(count: int, word: str = "message") -> list[bytes]:
    """Message bodies."""
    return [f"{word} {n}".encode() for n in range(count)]


def filled(stage: Stage, stream: str, chunks: int = 1, each: int = 5) -> None:
    """A stream with that many chunks; not recorded."""
    client = stage.client().login()
    client.create(stream)
    client.declare(0, stream)
    for n in range(chunks):
        client.publish(0, n * each, bodies(each, f"chunk {n} message"))
        client.confirmed(each)
    client.close()


def fill(stream: str, chunks: int = 1, each: int = 5):  # noqa: ANN201
    """A set-up step for a scenario."""
    return lambda stage: filled(stage, stream, chunks, each)


def made(*streams: str):  # noqa: ANN201
    """A set-up step: empty streams."""

    def setup(stage: Stage) -> None:
        client = stage.client().login()
        for stream in streams:
            client.create(stream)
        client.close()

    return setup


@scenario(
    "One publisher: single messages, batches, an empty message, all confirmed",
    healthy=True,
    setup=made("orders"),
    shows="DeclarePublisher, Publish with one entry, many, an empty body, several frames in one "
    "segment; PublishConfirm; DeletePublisher; Tune answered with 0x8014; Close and its answer.",
)
def publish_confirm(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "orders")
    client.publish(0, 0, [b"first"])
    confirmed = client.confirmed(1)
    client.publish(0, 1, bodies(10))
    confirmed += client.confirmed(10)
    empty = wire.entry(11, b"") + wire.entry(12, wire.message(b""))
    client.send(wire.PUBLISH, u8(0) + u32(2) + empty)
    three = b"".join(
        client.frame(wire.PUBLISH, u8(0) + u32(1) + wire.entry(n, wire.message(b"x" * n)))
        for n in (13, 14, 15)
    )
    client.raw(three)
    confirmed += client.confirmed(5)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 16, "confirmed": confirmed}


@scenario(
    "Ids in use are used again",
    healthy=False,
    setup=made("orders-ids"),
    shows="DeclarePublisher answered 17 for a used id and for a used reference; "
    "Subscribe answered 3; "
    "DeletePublisher answered 18 and Unsubscribe 4 for ids that are not there.",
    faults={
        "RMQ-I2": "publisher id 1 and reference 'billing' are declared twice",
        "RMQ-I4": "subscription id 1 is used twice",
        "RMQ-I5": "Unsubscribe of an id that was never subscribed",
        "RMQ-B164": "DeletePublisher of an id that was never declared",
    },
)
def duplicate_ids(stage: Stage) -> Facts:
    client = stage.client().login()
    codes = [
        client.declare(1, "orders-ids", "billing").code,
        client.declare(1, "orders-ids", "other").code,
        client.declare(2, "orders-ids", "billing").code,
        client.subscribe(1, "orders-ids").code,
        client.subscribe(1, "orders-ids").code,
        client.request(wire.DELETE_PUBLISHER, u8(9)).code,
        client.unsubscribe(9).code,
        client.unsubscribe(1).code,
        client.request(wire.DELETE_PUBLISHER, u8(1)).code,
    ]
    client.close()
    return {"codes": codes}


@scenario(
    "A client publishes with an id that was never declared",
    healthy=False,
    setup=made("orders-unknown"),
    shows="PublishError with code 18 for two ids, and an empty PublishError for a batch of none.",
    faults={"RMQ-I1": "publisher id 200 was never declared", "RMQ-U7": "the broker answers 18"},
)
def publish_error_unknown_publisher(stage: Stage) -> Facts:
    client = stage.client().login()
    client.publish(200, 7, bodies(2))
    client.until(wire.PUBLISH_ERROR)
    client.send(wire.PUBLISH, u8(200) + u32(0))
    client.until(wire.PUBLISH_ERROR, wait=3)
    client.close()
    return None


@scenario(
    "A named publisher asks how far it came and goes on from there",
    healthy=True,
    setup=made("orders-sequence"),
    shows="QueryPublisherSequence before anything (1, 0), after five messages, and on the next "
    "connection, which continues with the next id.",
)
def publisher_sequence(stage: Stage) -> Facts:
    sequences = []
    for start in (1, 6):
        client = stage.client().login()
        answer = client.request(wire.QUERY_SEQUENCE, string("billing") + string("orders-sequence"))
        sequences.append(int.from_bytes(answer.body[6:], "big"))
        client.declare(0, "orders-sequence", "billing")
        client.publish(0, start, bodies(5))
        client.confirmed(5)
        client.request(wire.DELETE_PUBLISHER, u8(0))
        client.close()
        time.sleep(0.5)
    return {"published": 10, "confirmed": 10, "sequences": sequences}


@scenario(
    "A named publisher starts again at a low id: confirmed, but not stored",
    healthy=False,
    setup=made("orders-again"),
    shows="Ids 5, then 3 and 4 with the same reference: all are confirmed, a consumer gets one.",
    faults={"RMQ-I6": "ids 3 and 4 are not above the stored 5, so they are confirmed and dropped"},
)
def publisher_starts_too_low(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "orders-again", "billing")
    client.publish(0, 5, [b"five"])
    client.confirmed(1)
    client.publish(0, 3, [b"three", b"four"])
    confirmed = 1 + client.confirmed(2)
    client.subscribe(0, "orders-again")
    consumed = client.consume(0, 3, wait=2)
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 3, "confirmed": confirmed, "consumed": consumed}


@scenario(
    "A consumer stores how far it read and finds it again",
    healthy=True,
    setup=fill("orders-offset", 3),
    shows="QueryOffset with nothing stored (19), StoreOffset (never answered), QueryOffset with "
    "the offset, on the same and on a later connection; Subscribe at offset + 1.",
)
def offset_tracking(stage: Stage) -> Facts:
    what = string("reader") + string("orders-offset")
    client = stage.client().login()
    codes = [client.request(wire.QUERY_OFFSET, what).code]
    client.subscribe(0, "orders-offset")
    consumed = client.consume(0, 15)
    client.send(wire.STORE_OFFSET, what + u64(9))
    time.sleep(0.5)
    answer = client.request(wire.QUERY_OFFSET, what)
    client.unsubscribe(0)
    client.close()
    client = stage.client().login()
    again = client.request(wire.QUERY_OFFSET, what)
    client.subscribe(0, "orders-offset", wire.offset(10))
    consumed += client.consume(0, 5)
    client.unsubscribe(0)
    client.close()
    offsets = [int.from_bytes(a.body[6:], "big") for a in (answer, again)]
    return {"codes": codes, "stored": offsets, "consumed": consumed}


@scenario(
    "Streams are made, with and without arguments, and deleted",
    healthy=True,
    shows="Create with no arguments, with each documented one, with an unknown one; Delete; "
    "Metadata between.",
)
def create_delete_stream(stage: Stage) -> Facts:
    client = stage.client().login()
    client.create("plain")
    arguments = {
        "max-length-bytes": "20000000",
        "max-age": "6h",
        "stream-max-segment-size-bytes": "1000000",
        "initial-cluster-size": "1",
        "queue-leader-locator": "client-local",
    }
    client.create("full", arguments)
    client.create("größe-日本語", {"max-age": "1D"})
    client.request(wire.METADATA, wire.strings(["plain", "full", "größe-日本語"]))
    for stream in ("plain", "full", "größe-日本語"):
        client.delete(stream)
    client.close()
    return None


@scenario(
    "Streams that the broker does not want to make or delete",
    healthy=False,
    setup=made("there"),
    shows="Create answered 5 (exists) and 17 (other arguments, bad name); an unknown "
    "argument is ignored; Delete answered 2.",
    faults={
        "RMQ-M8": "5, 17 and 2 to Create and Delete",
        "RMQ-S3": "empty name, and one that starts with amq.",
        "RMQ-S4": "an argument key that nobody knows",
    },
)
def create_refused(stage: Stage) -> Facts:
    client = stage.client().login()
    codes = [
        client.create("there").code,
        client.create("there", {"max-age": "1h"}).code,
        client.create("").code,
        client.create("amq.mine").code,
        client.create("odd", {"max-lenght-bytes": "1000"}).code,
        client.delete("not-there").code,
        client.delete("odd").code,
    ]
    client.close()
    return {"codes": codes}


@scenario(
    "Create with a max-age that is no time",
    healthy=False,
    shows="No answer: the broker's stream manager crashes and takes the connection along.",
    faults={"RMQ-S4": "max-age 'soon'", "RMQ-X2": "no answer", "RMQ-K2": "no Close at the end"},
)
def create_bad_argument(stage: Stage) -> Facts:
    client = stage.client().login()
    client.send(wire.CREATE, u32(9) + string("bad-age") + wire.pairs({"max-age": "soon"}))
    return {"server_ended": client.ended(8)}


@scenario(
    "Everything about a stream that is not there",
    healthy=False,
    shows="Code 2 from DeclarePublisher, Subscribe, QueryOffset, QueryPublisherSequence, Delete, "
    "and inside Metadata; StoreOffset stays silent.",
    faults={"RMQ-X6": "code 2 everywhere", "RMQ-M2": "code 2 in Metadata"},
)
def missing_stream(stage: Stage) -> Facts:
    client = stage.client().login()
    what = string("someone") + string("nowhere")
    client.send(wire.STORE_OFFSET, what + u64(1))
    codes = [
        client.declare(0, "nowhere").code,
        client.subscribe(0, "nowhere").code,
        client.request(wire.QUERY_OFFSET, what).code,
        client.request(wire.QUERY_SEQUENCE, what).code,
        client.delete("nowhere").code,
    ]
    client.request(wire.METADATA, wire.strings(["nowhere"]))
    client.close()
    return {"codes": codes}


@scenario(
    "Metadata of streams that are there, are not there, and of none at all",
    healthy=False,
    setup=made("st", "second"),
    shows="A Metadata response with code 1 and 2 side by side, leader 0xffff with no replicas; and "
    "one with no brokers and no streams.",
    faults={"RMQ-M2": "'nope' has code 2"},
)
def metadata_of_missing_stream(stage: Stage) -> Facts:
    client = stage.client().login()
    client.request(wire.METADATA, wire.strings(["st", "nope"]))
    client.request(wire.METADATA, wire.strings(["st", "second"]))
    client.request(wire.METADATA, wire.strings([]))
    client.close()
    return None


@scenario(
    "Wrong password",
    healthy=False,
    shows="SaslAuthenticate answered 8, at once on 3.10, then the end of the connection.",
    faults={"RMQ-N6": "code 8"},
)
def login_fails(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    code = client.authenticate(password="wrong").code
    return {"codes": [code], "server_ended": client.ended(5)}


@scenario(
    "A SASL mechanism that was not offered",
    healthy=False,
    shows="SaslAuthenticate answered 7.",
    faults={"RMQ-N2": "SCRAM-SHA-256 was not offered", "RMQ-N6": "code 7"},
)
def mechanism_not_offered(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    code = client.request(wire.SASL_AUTHENTICATE, string("SCRAM-SHA-256") + u32(2) + b"n,").code
    return {"codes": [code], "server_ended": client.ended(5)}


@scenario(
    "SASL data that makes no sense, and none at all",
    healthy=False,
    shows="SaslAuthenticate PLAIN with garbage (9) and with null data (length -1).",
    faults={"RMQ-N6": "code 9"},
)
def sasl_garbage(stage: Stage) -> Facts:
    codes = []
    for data in (u32(7) + b"garbage", u32(0xFFFFFFFF)):
        client = stage.client()
        client.hello()
        client.correlation += 1
        body = u32(client.correlation) + string("PLAIN") + data
        client.send(wire.SASL_AUTHENTICATE, body)
        answer = client.until(wire.SASL_AUTHENTICATE | wire.RESPONSE, wait=5)
        codes.append(answer.code if answer else 0)
        client.ended(5)
    return {"codes": codes}


@scenario(
    "Login with AMQPLAIN, and the client answers Tune with the request key",
    healthy=True,
    shows="SaslAuthenticate with an AMQP table as data; Tune 0x0014 both ways.",
)
def login_amqplain(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    table = b"".join(
        u8(len(k)) + k + b"S" + u32(5) + b"guest" for k in (b"LOGIN", b"PASSWORD")
    )  # fmt: skip
    body = string("AMQPLAIN") + u32(len(table)) + table
    code = client.request(wire.SASL_AUTHENTICATE, body).code
    client.tune(key=wire.TUNE)
    client.request(wire.OPEN, string("/"))
    client.close()
    return {"codes": [code]}


def outside(stage: Stage) -> None:
    """Another address of this host, which is not loopback."""
    del stage
    lab.run(f"ip address show dev lo | grep -q {OUTSIDE} || ip address add {OUTSIDE}/32 dev lo")


@scenario(
    "The user guest from an address that is not loopback",
    healthy=False,
    setup=outside,
    shows="SaslAuthenticate answered 11, from an address for documentation (192.0.2.1) on lo.",
    faults={"RMQ-N6": "code 11"},
)
def loopback_user_from_outside(stage: Stage) -> Facts:
    client = stage.client(host=OUTSIDE, source=OUTSIDE)
    client.hello()
    code = client.authenticate().code
    return {"codes": [code], "server_ended": client.ended(5)}


@scenario(
    "A virtual host that is not there",
    healthy=False,
    shows="Open answered 12, without properties, then the end of the connection.",
    faults={"RMQ-N6": "code 12", "RMQ-F12": "no map in an Open response with an error"},
)
def vhost_missing(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    client.authenticate()
    client.tune()
    code = client.request(wire.OPEN, string("/missing")).code
    return {"codes": [code], "server_ended": client.ended(5)}


def limited(stage: Stage) -> None:
    """A user that may enter and do nothing; a stream it may not touch."""
    stage.ctl("add_user limited limited")
    stage.ctl("set_permissions limited '^$' '^$' '^$'")
    made("private")(stage)


@scenario(
    "A user without permissions",
    healthy=False,
    setup=limited,
    shows="Code 16 from Create, Delete, DeclarePublisher, Subscribe, QueryOffset and "
    "QueryPublisherSequence.",
    faults={"RMQ-M8": "the broker refuses Create", "RMQ-X6": "code 16"},
)
def access_refused(stage: Stage) -> Facts:
    client = stage.client().login(user="limited", password="limited")
    what = string("someone") + string("private")
    codes = [
        client.create("mine").code,
        client.delete("private").code,
        client.declare(0, "private").code,
        client.subscribe(0, "private").code,
        client.request(wire.QUERY_OFFSET, what).code,
        client.request(wire.QUERY_SEQUENCE, what).code,
        client.request(wire.PARTITIONS, string("private")).code,
        client.request(wire.ROUTE, string("key") + string("private")).code,
    ]
    client.request(wire.METADATA, wire.strings(["private"]))
    client.close()
    return {"codes": codes}


@scenario(
    "Heartbeats of both sides, every second of two agreed",
    healthy=True,
    shows="Heartbeat from the server and from the client, alone on the connection.",
)
def heartbeats(stage: Stage) -> Facts:
    client = stage.client().login(heartbeat=2)
    end = time.monotonic() + 7
    while time.monotonic() < end:
        client.send(wire.HEARTBEAT)
        client.drain(1)
    client.close()
    return None


@scenario(
    "A client that never sends a heartbeat",
    healthy=False,
    shows="Heartbeats of the server alone, then the end of the connection after three times two "
    "seconds, without a Close.",
    faults={"RMQ-H1": "the client is silent for 6 s of 2 agreed", "RMQ-K2": "no Close at the end"},
)
def heartbeat_missed(stage: Stage) -> Facts:
    client = stage.client().login(heartbeat=2)
    return {"server_ended": client.ended(12)}


@scenario(
    "Nothing after the TCP handshake",
    healthy=False,
    shows="The server ends the connection after ten seconds; no frame at all.",
    faults={"RMQ-N5": "no first frame within 10 s"},
)
def handshake_timeout(stage: Stage) -> Facts:
    return {"server_ended": stage.client().ended(15)}


@scenario(
    "A frame with a key that does not exist",
    healthy=False,
    shows="Close from the server: correlation id 1, code 13, reason 'unknown frame'; the client "
    "answers it.",
    faults={"RMQ-F5": "key 0x0063", "RMQ-K1": "Close 13"},
)
def server_close_unknown_frame(stage: Stage) -> Facts:
    client = stage.client().login()
    client.send(UNKNOWN_KEY, u32(1))
    closing = client.until(wire.CLOSE)
    client.send(wire.CLOSE | wire.RESPONSE, u32(1) + u16(1))
    return {"server_closed": closing is not None, "server_ended": client.ended(12)}


@scenario(
    "A client sends what only a server may send",
    healthy=False,
    shows="PublishConfirm from the client; Close 13 from the server, not answered.",
    faults={"RMQ-F8": "PublishConfirm by the client", "RMQ-K1": "Close 13"},
)
def wrong_direction(stage: Stage) -> Facts:
    client = stage.client().login()
    client.send(wire.CONFIRM, u8(0) + u32(1) + u64(0))
    closing = client.until(wire.CLOSE)
    return {"server_closed": closing is not None, "server_ended": client.ended(12)}


@scenario(
    "A version that does not exist",
    healthy=False,
    setup=made("versions"),
    shows="DeclarePublisher of version 3: Close 13.",
    faults={"RMQ-F6": "version 3", "RMQ-K1": "Close 13"},
)
def version_unknown(stage: Stage) -> Facts:
    client = stage.client().login()
    body = u32(9) + u8(0) + string("") + string("versions")
    client.send(wire.DECLARE_PUBLISHER, body, version=3)
    closing = client.until(wire.CLOSE)
    client.send(wire.CLOSE | wire.RESPONSE, u32(1) + u16(1))
    return {"server_closed": closing is not None, "server_ended": client.ended(12)}


@scenario(
    "A client made for a newer broker",
    healthy=False,
    setup=made("newer"),
    shows="To 3.10: ExchangeCommandVersions, StreamStats, CreateSuperStream, Publish version 2, "
    "each on a connection of its own, each answered with Close 13.",
    faults={"RMQ-V3": "0x001b before 3.11", "RMQ-V5": "keys not offered", "RMQ-K1": "Close 13"},
)
def newer_client_to_old_broker(stage: Stage) -> Facts:
    versions = u32(5) + u32(1) + u16(8) + u16(1) + u16(2)
    super_stream = u32(5) + string("ss") + wire.strings(["ss-0"]) + wire.strings(["0"]) + u32(0)
    closed = 0
    for key, body, version in (
        (wire.EXCHANGE_VERSIONS, versions, 1),
        (wire.STREAM_STATS, u32(5) + string("newer"), 1),
        (wire.CREATE_SUPER_STREAM, super_stream, 1),
        (wire.PUBLISH, u8(0) + u32(1) + u64(1) + string("red") + u32(1) + b"x", 2),
    ):
        client = stage.client().login()
        client.send(key, body, version)
        closed += client.until(wire.CLOSE) is not None
        client.send(wire.CLOSE | wire.RESPONSE, u32(1) + u16(1))
        client.ended(12)
    return {"server_closed": closed}


@scenario(
    "The operator closes all connections under a consumer",
    healthy=False,
    setup=fill("closing"),
    shows="Deliveries, then FIN from the server without a Close (rabbitmqctl "
    "close_all_connections).",
    faults={"RMQ-K2": "the server ends the connection without a Close"},
)
def connection_closed_by_admin(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "closing")
    consumed = client.consume(0, 5)
    stage.ctl("close_all_connections maintenance")
    return {"consumed": consumed, "server_ended": client.ended(5)}


@scenario(
    "A consumer whose credit runs out and is renewed late",
    healthy=False,
    setup=fill("credits", 6),
    shows="Six chunks, credit two: two deliveries, four seconds of nothing, Credit 10, the rest.",
    faults={"RMQ-C2": "no credit for four seconds while the stream has data"},
)
def credit_runs_out(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "credits", credit=2)
    first = [f for f in client.drain(4) if f.key == wire.DELIVER]
    client.credit(0, 10)
    rest = [f for f in client.drain(2) if f.key == wire.DELIVER]
    client.unsubscribe(0)
    client.close()
    return {"delivered": [len(first), len(rest)], "consumed": 5 * (len(first) + len(rest))}


@scenario(
    "No credit at all",
    healthy=False,
    setup=fill("no-credit"),
    shows="Subscribe with credit 0 and no Credit: no Deliver.",
    faults={"RMQ-C7": "credit 0 and never any"},
)
def credit_zero(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "no-credit", credit=0)
    delivered = len(client.drain(3))
    client.unsubscribe(0)
    client.close()
    return {"delivered": delivered}


@scenario(
    "Credit for a subscription that has ended",
    healthy=False,
    setup=fill("ended"),
    shows="0x8009 with code 4 and no correlation id, twice; Unsubscribe answered "
    "4 the second time.",
    faults={"RMQ-C4": "code 4", "RMQ-I5": "Credit after Unsubscribe"},
)
def unsubscribe_then_credit(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(77, "ended")
    consumed = client.consume(77, 5)
    client.unsubscribe(77)
    client.credit(77, 1)
    client.credit(78, 10)
    client.unsubscribe(77)
    client.close()
    return {"consumed": consumed}


@scenario(
    "All five ways to say where a subscription starts",
    healthy=True,
    setup=fill("places", 4),
    shows="Subscribe first, last, next, offset 7 (inside a chunk, which comes whole), timestamp; "
    "with no property list, with an empty one, with one.",
)
def subscribe_offsets(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "places")
    now = int(time.time() * 1000)
    specs = [wire.FIRST, wire.LAST, wire.NEXT, wire.offset(7), wire.timestamp(now)]
    properties = [None, {}, {"name": "next"}, None, {"name": "later"}]
    for number, (spec, more) in enumerate(zip(specs, properties, strict=True)):
        client.subscribe(number, "places", spec, 10, more)
    time.sleep(0.5)
    client.publish(0, 100, bodies(5, "late"))
    client.confirmed(5)
    consumed = {}
    for frame in client.drain(2):
        if frame.key == wire.DELIVER:
            name = str(frame.body[0])
            consumed[name] = consumed.get(name, 0) + int.from_bytes(frame.body[5:9], "big")
            client.credit(frame.body[0])
    for number in range(5):
        client.unsubscribe(number)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {
        "published": 5,
        "confirmed": 5,
        "messages_per_subscription": dict(sorted(consumed.items())),
    }


@scenario(
    "A stream is deleted while one client publishes to it and reads it",
    healthy=False,
    setup=fill("doomed"),
    shows="MetadataUpdate with code 6; then Publish answered with PublishError 18, Credit with "
    "0x8009 code 4, Unsubscribe 4, DeletePublisher 18.",
    faults={
        "RMQ-M6": "the client goes on with ids that MetadataUpdate ended",
        "RMQ-I1": "Publish after it",
        "RMQ-I5": "Credit and Unsubscribe after it",
        "RMQ-U7": "18",
        "RMQ-C4": "4",
    },
)
def delete_stream_under_consumer(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(3, "doomed")
    client.subscribe(4, "doomed")
    consumed = client.consume(4, 5)
    other = stage.client().login()
    other.delete("doomed")
    other.close()
    update = client.until(wire.METADATA_UPDATE)
    client.publish(3, 50, bodies(2))
    client.until(wire.PUBLISH_ERROR)
    client.credit(4)
    client.until(wire.CREDIT | wire.RESPONSE)
    client.unsubscribe(4)
    client.request(wire.DELETE_PUBLISHER, u8(3))
    client.close()
    return {"consumed": consumed, "metadata_updates": int(update is not None)}


@scenario(
    "A stream is deleted by the connection that uses it",
    healthy=False,
    faults={"RMQ-M2": "code 2 in Metadata, since the stream is gone"},
    setup=fill("own"),
    shows="Delete answered 1 and MetadataUpdate 6 on the same connection; the "
    "client asks Metadata.",
)
def delete_own_stream(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "own")
    client.subscribe(0, "own")
    consumed = client.consume(0, 5)
    client.delete("own")
    update = client.until(wire.METADATA_UPDATE)
    client.request(wire.METADATA, wire.strings(["own"]))
    client.close()
    return {"consumed": consumed, "metadata_updates": int(update is not None)}


def invoices(stage: Stage) -> None:
    """A super stream of three partitions."""
    stage.ctl("add_super_stream invoices --partitions 3", "rabbitmq-streams")
    stage.ctl("add_super_stream regions --routing-keys amer,emea,apac", "rabbitmq-streams")


@scenario(
    "Route and Partitions on 3.10, which answers with the response bit clear",
    healthy=True,
    setup=invoices,
    shows="Route and Partitions of two super streams: answers with key 0x0018 and 0x0019 from the "
    "server. That is the broker's way on 3.10, not a fault.",
)
def super_stream_route_partitions(stage: Stage) -> Facts:
    client = stage.client().login()
    client.request(wire.PARTITIONS, string("invoices"))
    client.request(wire.ROUTE, string("0") + string("invoices"))
    client.request(wire.ROUTE, string("2") + string("invoices"))
    client.request(wire.PARTITIONS, string("regions"))
    client.request(wire.ROUTE, string("emea") + string("regions"))
    client.close()
    return None


@scenario(
    "Routing keys that lead nowhere, and a super stream that is not there, on 3.10",
    healthy=False,
    setup=lambda stage: (invoices(stage), made("alone")(stage)),
    shows="Route with an unbound key (code 1 and an empty list, or an error), Route and Partitions "
    "of a missing super stream and of a plain stream; response bit clear.",
    faults={"RMQ-M9": "a routing key that is not bound", "RMQ-X6": "code 2"},
)
def super_stream_missing(stage: Stage) -> Facts:
    client = stage.client().login()
    codes = [
        client.request(wire.ROUTE, string("mars") + string("regions")).code,
        client.request(wire.PARTITIONS, string("nothing")).code,
        client.request(wire.ROUTE, string("0") + string("nothing")).code,
        client.request(wire.PARTITIONS, string("alone")).code,
    ]
    client.close()
    return {"codes": codes}


# Two records "a" and "bc" (00000001 61 00000002 6263) as cramjam 2 packs them in snappy's framing
# format and lz4's frame format, and zstd 1.5.4 in its own.
PACKED = {
    2: "/wYAAHNOYVBwWQEPAAAcl8krAAAAAWEAAAACYmM=",
    3: "BCJNGFRArgsAAIAAAAABYQAAAAJiY8y0evQAAAAAzLR69A==",
    4: "KLUv/QRYWQAAAAAAAWEAAAACYmMQ7bcL",
}


@scenario(
    "Sub-batches: not compressed, gzip, snappy, lz4, zstd, and beside simple entries",
    healthy=True,
    setup=made("packed"),
    shows="Publish with sub-batch entries of compression 0 to 4, one frame with a simple entry "
    "between two of them; the chunks come back untouched.",
)
def sub_batches(stage: Stage) -> Facts:
    pair = [b"a", b"bc"]
    several = [wire.message(b) for b in bodies(20, "the same words again and again, number")]
    client = stage.client().login()
    client.declare(0, "packed")
    packed = gzip.compress(wire.records(several), mtime=0)
    entries = [
        wire.sub_batch(1, 0, pair, wire.records(pair)),
        wire.sub_batch(2, 1, several, packed),
        *(wire.sub_batch(1 + k, k, pair, base64.b64decode(v)) for k, v in PACKED.items()),
    ]
    for one in entries:
        client.send(wire.PUBLISH, u8(0) + u32(1) + one)
        client.confirmed(1)
    mixed = [
        wire.sub_batch(6, 0, several, wire.records(several)),
        wire.entry(7, wire.message(b"between")),
        wire.sub_batch(8, 1, several, packed),
    ]
    client.send(wire.PUBLISH, u8(0) + u32(3) + b"".join(mixed))
    client.confirmed(3)
    client.subscribe(0, "packed")
    consumed = client.consume(0, 69)
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"publishing_ids": 8, "published": 69, "confirmed": 8, "consumed": consumed}


@scenario(
    "Sub-batches whose headers are wrong",
    healthy=False,
    setup=made("wrong-packed"),
    shows="A record count that is too high, an uncompressed size that is too large, a compression "
    "that nobody has (5): 3.10 checks nothing, stores and delivers them.",
    faults={"RMQ-U3": "headers that do not fit", "RMQ-D9": "the same in Deliver"},
)
def sub_batch_wrong_header(stage: Stage) -> Facts:
    pair = [b"a", b"bc"]
    inside = wire.records(pair)
    client = stage.client().login()
    client.declare(0, "wrong-packed")
    packed = gzip.compress(inside, mtime=0)
    for head in (
        u8(0x80) + u16(3) + u32(11) + u32(11) + inside,
        u8(0x90) + u16(2) + u32(99) + u32(len(packed)) + packed,
        u8(0xD0) + u16(2) + u32(11) + u32(11) + inside,
    ):
        client.send(wire.PUBLISH, u8(0) + u32(1) + u64(1) + head)
        client.confirmed(1)
    client.subscribe(0, "wrong-packed")
    consumed = client.consume(0, 7)
    client.unsubscribe(0)
    client.close()
    return {"confirmed": 3, "consumed": consumed}


@scenario(
    "Six hundred messages, and the chunks they come back in",
    healthy=True,
    setup=made("many"),
    shows="Publish with 150 entries each, confirms of many ids, chunks of many entries over "
    "several segments.",
)
def many_messages(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "many")
    for n in range(4):
        client.publish(0, 150 * n, bodies(150, f"batch {n} with a longer text in it, message"))
    confirmed = client.confirmed(600)
    client.subscribe(0, "many")
    consumed = client.consume(0, 600)
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 600, "confirmed": confirmed, "consumed": consumed}


@scenario(
    "A message of 40 000 bytes over many segments",
    healthy=True,
    setup=made("large"),
    shows="One Publish and one Deliver, each over some thirty segments.",
)
def large_message(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "large")
    client.publish(0, 0, [b"0123456789" * 4000])
    client.confirmed(1)
    client.subscribe(0, "large")
    consumed = client.consume(0, 1)
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 1, "confirmed": 1, "consumed": consumed}


@scenario(
    "Every byte of the client after Open in a segment of its own",
    healthy=True,
    setup=made("dribble"),
    shows="DeclarePublisher, Publish and Close in one-byte segments: heads and "
    "bodies cut everywhere. "
    "The handshake is whole, since 3.10 refuses a cut one (see handshake_frame_cut).",
)
def one_byte_segments(stage: Stage) -> Facts:
    client = stage.client().login()
    whole = client.raw

    def slowly(data: bytes) -> None:
        for n in range(len(data)):
            whole(data[n : n + 1])
            time.sleep(0.002)

    client.raw = slowly  # type: ignore[method-assign]
    client.declare(0, "dribble")
    client.publish(0, 0, [b"a", b"b"])
    client.confirmed(2)
    client.close()
    return {"published": 2, "confirmed": 2}


@scenario(
    "A handshake frame in two segments",
    healthy=False,
    shows="PeerProperties whose second half comes 200 ms later: the broker takes a read that "
    "completes no frame for a wrong step and ends the connection ('invalid transition from "
    "tcp_connected to tcp_connected' in its log). The client did nothing wrong.",
    faults={
        "RMQ-K2": "the server ends the connection without a Close",
        "RMQ-N16": "the server does not answer PeerProperties",
    },
)
def handshake_frame_cut(stage: Stage) -> Facts:
    client = stage.client()
    frame = client.frame(wire.PEER_PROPERTIES, u32(1) + wire.pairs({"product": "two segments"}))
    client.raw(frame[:20])
    time.sleep(0.2)
    with contextlib.suppress(OSError):
        client.raw(frame[20:])
    return {"server_ended": client.ended(12)}


@scenario(
    "Publish whose count does not fit its entries",
    healthy=False,
    setup=made("miscounted"),
    shows="A count of 5 and of 0 with two entries: the broker reads to the end "
    "of the frame, stores "
    "and confirms them.",
    faults={"RMQ-F10": "count and entries differ"},
)
def publish_wrong_count(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "miscounted")
    for count, first in ((5, 0), (0, 2)):
        two = b"".join(wire.entry(first + n, wire.message(b"x")) for n in range(2))
        client.send(wire.PUBLISH, u8(0) + u32(count) + two)
        client.confirmed(2, wait=3)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return None


@scenario(
    "A Publish whose last entry is cut",
    healthy=False,
    setup=made("cut-entry"),
    shows="The frame is whole, its last entry is not: the broker ends the connection, no Close.",
    faults={"RMQ-U4": "an entry longer than the frame", "RMQ-K2": "no Close at the end"},
)
def publish_truncated_entry(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "cut-entry")
    client.send(wire.PUBLISH, u8(0) + u32(1) + u64(1) + u32(100) + b"only this")
    return {"server_ended": client.ended(5)}


@scenario(
    "Requests with bytes too many, an offset type that does not exist, a null name",
    healthy=False,
    setup=made("bad-bodies"),
    shows="One connection each: Metadata with a byte after its list and Subscribe with offset type "
    "0 end without a Close; DeletePublisher with a byte too many and DeclarePublisher with a null "
    "reference get Close 13.",
    faults={
        "RMQ-F3": "bytes after the body",
        "RMQ-F4": "half a string in a list",
        "RMQ-D15": "offset type 0",
        "RMQ-S2": "a null string",
        "RMQ-K1": "Close 13",
        "RMQ-K2": "no Close at the end",
        "RMQ-B164": "DeletePublisher of an id that was never declared",
    },
)
def bad_bodies(stage: Stage) -> Facts:
    closed = []
    for key, body in (
        (wire.METADATA, wire.strings(["bad-bodies"]) + b"\x00"),
        (wire.SUBSCRIBE, u8(0) + string("bad-bodies") + u16(0) + u16(10)),
        (wire.DELETE_PUBLISHER, u8(0) + b"\x00"),
        (wire.DECLARE_PUBLISHER, u8(0) + u16(0xFFFF) + string("bad-bodies")),
    ):
        client = stage.client().login()
        client.send(key, u32(7) + body)
        closing = client.until(wire.CLOSE, wait=3)
        closed.append(closing is not None)
        if closing:
            client.send(wire.CLOSE | wire.RESPONSE, u32(1) + u16(1))
        client.ended(12)
    return {"server_closed": closed}


@scenario(
    "A frame of size 0",
    healthy=False,
    shows="Four zero bytes after Open: 3.10 ends the connection without a Close.",
    faults={"RMQ-F2": "size 0", "RMQ-K2": "no Close at the end"},
)
def size_zero(stage: Stage) -> Facts:
    client = stage.client().login()
    client.raw(u32(0))
    closing = client.until(wire.CLOSE, wait=3)
    return {"server_closed": closing is not None, "server_ended": client.ended(5)}


@scenario(
    "Three requests in flight with one correlation id",
    healthy=False,
    setup=made("twins"),
    shows="Metadata twice and QueryOffset, sent together with id 42: all are answered with 42.",
    faults={"RMQ-X3": "an id used twice while in flight"},
)
def correlation_id_reused(stage: Stage) -> Facts:
    client = stage.client().login()
    ask = client.frame(wire.METADATA, u32(42) + wire.strings(["twins"]))
    offset = client.frame(wire.QUERY_OFFSET, u32(42) + string("r") + string("twins"))
    client.raw(ask + ask + offset)
    answers = len(client.drain(1))
    client.close()
    return {"answers": answers}


@scenario(
    "Many requests sent before the first answer",
    healthy=True,
    setup=made("pipeline"),
    shows="Tune and Open in one segment, then six requests in one segment; the answers in order.",
)
def pipelined_requests(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    client.authenticate()
    client.until(wire.TUNE)
    opening = client.frame(wire.OPEN, u32(90) + string("/"))
    client.raw(client.frame(wire.TUNE | wire.RESPONSE, u32(1048576) + u32(60)) + opening)
    client.until(wire.OPEN | wire.RESPONSE)
    frames = [
        client.frame(wire.METADATA, u32(100 + n) + wire.strings(["pipeline"])) for n in range(5)
    ]
    reference = string("r") + string("pipeline")
    client.raw(b"".join(frames) + client.frame(wire.QUERY_SEQUENCE, u32(105) + reference))
    answers = len(client.drain(1))
    client.close()
    return {"answers": answers}


@scenario(
    "A client that asks before it has opened",
    healthy=False,
    shows="Metadata in place of SaslHandshake: the server ends the connection.",
    faults={"RMQ-N4": "Metadata before Open", "RMQ-N1": "steps left out"},
)
def request_before_open(stage: Stage) -> Facts:
    client = stage.client()
    client.request(wire.PEER_PROPERTIES, wire.pairs({"product": "hasty"}))
    client.send(wire.METADATA, u32(2) + wire.strings(["x"]))
    return {"server_ended": client.ended(12)}


@scenario(
    "The client says why it closes",
    healthy=True,
    shows="Close with code 1 and a reason, Close with code 1 and no reason.",
)
def close_with_reason(stage: Stage) -> Facts:
    client = stage.client().login()
    client.close(1, "all work is done, thank you")
    client = stage.client().login()
    client.close(1, "")
    return None


@scenario(
    "The client closes with a code that is an error, and with none of the table",
    healthy=False,
    shows="Close with code 15, and with 541: the broker answers 1 to both.",
    faults={"RMQ-K5": "codes 15 and 541"},
)
def close_with_error_code(stage: Stage) -> Facts:
    client = stage.client().login()
    client.close(15, "internal error in the client")
    client = stage.client().login()
    client.close(541, "a code of another protocol")
    return None


@scenario(
    "A client goes away without a Close",
    healthy=False,
    setup=fill("left"),
    shows="FIN of the client in the middle of its subscription, nothing unsubscribed, no Close.",
    faults={"RMQ-K3": "the socket is dropped"},
)
def client_leaves_without_close(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "left")
    consumed = client.consume(0, 5)
    client.drop()
    return {"consumed": consumed}


@scenario(
    "A client crashes: RST",
    healthy=False,
    setup=fill("crashed"),
    shows="RST of the client with deliveries unread.",
    faults={"RMQ-K3": "the socket is reset"},
)
def client_resets(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "crashed")
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    client.drop()
    return None


@scenario(
    "The same over IPv6",
    healthy=True,
    setup=made("six"),
    shows="A short session between ::1 and ::1.",
    what="tcp port 5552",
)
def ipv6(stage: Stage) -> Facts:
    client = stage.client(host="::1").login()
    client.declare(0, "six")
    client.publish(0, 0, bodies(3))
    confirmed = client.confirmed(3)
    client.subscribe(0, "six")
    consumed = client.consume(0, 3)
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 3, "confirmed": confirmed, "consumed": consumed}


@scenario(
    "A web client on the stream port",
    healthy=False,
    shows="GET / HTTP/1.1 where PeerProperties belongs.",
    faults={"RMQ-P1": "HTTP on the stream port"},
)
def http_on_stream_port(stage: Stage) -> Facts:
    del stage
    web = http.client.HTTPConnection("broker", 5552, timeout=15)
    try:
        web.request("GET", "/", headers={"User-Agent": "web"})
        web.getresponse()
    except (OSError, http.client.HTTPException):
        pass
    web.close()
    return None


@scenario(
    "TLS on the plain stream port",
    healthy=False,
    shows="A TLS ClientHello where PeerProperties belongs.",
    faults={"RMQ-P1": "TLS on the plain port"},
)
def tls_on_plain_port(stage: Stage) -> Facts:
    client = stage.client()
    context = ssl.create_default_context()
    client.socket.settimeout(15)
    try:
        context.wrap_socket(client.socket, server_hostname="broker").close()
    except OSError:
        client.socket.close()
    return None


@scenario(
    "A disk alarm: no new publishers, and the old ones are not read",
    healthy=False,
    setup=made("alarm"),
    shows="DeclarePublisher answered 17 while the alarm lasts; of an older "
    "publisher one more Publish is "
    "read, the next is confirmed only after the alarm.",
    faults={"RMQ-I9": "a publisher is blocked", "RMQ-X6": "17"},
)
def disk_alarm(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "alarm")
    client.publish(0, 0, bodies(3))
    client.confirmed(3)
    reader = stage.client().login()
    stage.ctl(f"eval 'rabbit_alarm:set_alarm({ALARM}).'")
    time.sleep(2)
    client.publish(0, 3, bodies(3))
    time.sleep(0.5)
    client.publish(0, 6, bodies(3, "while blocked"))
    code = reader.declare(1, "alarm").code
    early = client.confirmed(6, wait=3)
    stage.ctl("eval 'rabbit_alarm:clear_alarm({resource_limit, disk, node()}).'")
    late = client.confirmed(6 - early)
    reader.close()
    client.close()
    return {"codes": [code], "confirmed_during_alarm": early, "confirmed_after": late}


@scenario(
    "Payloads that are not AMQP 1.0",
    healthy=False,
    faults={"RMQ-Q3": "a payload that is cut after the descriptor of a section"},
    setup=made("plain-bytes"),
    shows="Raw text, JSON and bytes as messages; the last looks like the start "
    "of an AMQP 1.0 section and is not.",
)
def raw_payloads(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "plain-bytes")
    payloads = [b"plain text", b'{"order": 7, "paid": true}', bytes(range(256)), b"\x00\x53\x75"]
    entries = b"".join(wire.entry(n, data) for n, data in enumerate(payloads))
    client.send(wire.PUBLISH, u8(0) + u32(len(payloads)) + entries)
    client.confirmed(len(payloads))
    client.subscribe(0, "plain-bytes")
    consumed = client.consume(0, len(payloads))
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": len(payloads), "confirmed": len(payloads), "consumed": consumed}


@scenario(
    "Three publishers and three consumers on one connection",
    healthy=True,
    setup=made("red", "green"),
    shows="Publishes of three publishers to two streams in turn, confirms of each, three "
    "subscriptions fed at once, ids and credits kept apart.",
)
def several_on_one_connection(stage: Stage) -> Facts:
    client = stage.client().login()
    streams = ("red", "red", "green")
    for number, stream in enumerate(streams):
        client.declare(number, stream, f"publisher {number}")
        client.subscribe(10 + number, stream, wire.FIRST, 5)
    for first in (1, 6, 11):
        for number in range(3):
            client.publish(number, first, bodies(5, f"publisher {number} message"))
    confirmed = {str(number): 0 for number in range(3)}
    consumed = {str(10 + number): 0 for number in range(3)}
    for frame in client.drain(2):
        name = str(frame.body[0])
        if frame.key == wire.CONFIRM:
            confirmed[name] += int.from_bytes(frame.body[1:5], "big")
        if frame.key == wire.DELIVER:
            consumed[name] += int.from_bytes(frame.body[5:9], "big")
            client.credit(frame.body[0])
    for number in range(3):
        client.request(wire.DELETE_PUBLISHER, u8(number))
        client.unsubscribe(10 + number)
    client.close()
    return {"published": 45, "confirmed_per_publisher": confirmed, "per_subscription": consumed}
