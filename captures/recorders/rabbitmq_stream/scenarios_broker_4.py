"""Scenarios on a 4.x broker, played by hand: what 3.10 does not know."""

import ssl
import struct
import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.scenarios_broker_3 import bodies, fill, made
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import string, u8, u16, u32, u64

NOTHING = u16(0)
NULL = u16(0xFFFF)
DELIVER_2 = u32(1) + u16(wire.DELIVER) + u16(1) + u16(2)


def filtered(publishing_id: int, value: str | None, body: bytes) -> bytes:
    """An entry of Publish version 2."""
    data = wire.message(body)
    tag = NULL if value is None else string(value)
    return u64(publishing_id) + tag + u32(len(data)) + data


def publish_2(client: wire.Client, publisher: int, entries: list[bytes]) -> None:
    """Publish version 2."""
    body = u8(publisher) + u32(len(entries)) + b"".join(entries)
    client.send(wire.PUBLISH, body, version=2)


def answer_update(client: wire.Client, spec: bytes = NOTHING, wait: float = 10) -> int:
    """Answers the next ConsumerUpdate; gives what it said, or -1."""
    update = client.until(wire.CONSUMER_UPDATE, wait=wait)
    if update is None:
        return -1
    client.send(wire.CONSUMER_UPDATE | wire.RESPONSE, update.body[:4] + u16(1) + spec)
    return update.body[5]


@scenario(
    "ExchangeCommandVersions: what the server lists",
    release="4",
    healthy=True,
    shows="The client lists Deliver 1 to 2; on a second connection an empty list; on a third what "
    "it knows. The server lists what a client may send, Publish with maximum 2.",
)
def exchange_command_versions(stage: Stage) -> Facts:
    known = [
        (wire.PUBLISH, 2),
        (wire.DELIVER, 2),
        (wire.STREAM_STATS, 1),
        (wire.CONSUMER_UPDATE, 1),
    ]
    everything = u32(len(known)) + b"".join(u16(k) + u16(1) + u16(v) for k, v in known)
    listed = []
    for body in (DELIVER_2, u32(0), everything):
        client = stage.client().login()
        answer = client.request(wire.EXCHANGE_VERSIONS, body)
        listed.append(int.from_bytes(answer.body[6:10], "big"))
        client.close()
    return {"commands_listed": listed}


@scenario(
    "A command in the client's list that the broker does not know",
    release="4",
    healthy=False,
    shows="ExchangeCommandVersions with key 40: the end of the connection, no answer, no Close.",
    faults={"RMQ-V2": "key 40", "RMQ-K2": "no Close at the end", "RMQ-X2": "no answer"},
)
def exchange_unknown_command(stage: Stage) -> Facts:
    client = stage.client().login()
    client.send(wire.EXCHANGE_VERSIONS, u32(5) + u32(1) + u16(40) + u16(1) + u16(1))
    return {"server_ended": client.ended(5)}


@scenario(
    "Messages with filter values, and a consumer that filters",
    release="4",
    healthy=True,
    setup=made("filtered"),
    shows="Publish version 2 with filter values, with a null one (0xffff), version 1 on the same "
    "connection; Subscribe with filter.0 and match-unfiltered; Deliver version 1 of the chunks "
    "that may match, with a bloom size that no bytes follow.",
)
def publish_filter_v2(stage: Stage) -> Facts:
    client = stage.client().login()
    client.request(wire.EXCHANGE_VERSIONS, u32(1) + u16(wire.PUBLISH) + u16(1) + u16(2))
    client.declare(0, "filtered")
    publish_2(client, 0, [filtered(n, "invoices", b"invoice %d" % n) for n in range(5)])
    client.confirmed(5)
    publish_2(client, 0, [filtered(n, "orders", b"order %d" % n) for n in range(5, 10)])
    client.confirmed(5)
    mixed = [filtered(10, "invoices", b"one more"), filtered(11, None, b"no value")]
    publish_2(client, 0, mixed)
    client.confirmed(2)
    client.publish(0, 12, [b"version 1"])
    client.confirmed(1)
    client.subscribe(0, "filtered", properties={"filter.0": "invoices"})
    matching = sum(1 for f in client.drain(1.5) if f.key == wire.DELIVER)
    more = {"filter.0": "orders", "match-unfiltered": "true"}
    client.subscribe(1, "filtered", properties=more)
    unfiltered = sum(1 for f in client.drain(1.5) if f.key == wire.DELIVER)
    for subscription in (0, 1):
        client.unsubscribe(subscription)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 13, "confirmed": 13, "chunks_delivered": [matching, unfiltered]}


@scenario(
    "A sub-batch inside Publish version 2",
    release="4",
    healthy=False,
    setup=made("filtered-batch"),
    shows="The end of the connection without a Close.",
    faults={"RMQ-U2": "a sub-batch in version 2", "RMQ-K2": "no Close at the end"},
)
def sub_batch_in_publish_v2(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "filtered-batch")
    inside = wire.records([b"a", b"bc"])
    head = u8(0x80) + u16(2) + u32(len(inside)) + u32(len(inside)) + inside
    publish_2(client, 0, [u64(1) + string("invoices") + head])
    return {"server_ended": client.ended(5)}


@scenario(
    "Deliver version 2, agreed with ExchangeCommandVersions",
    release="4",
    healthy=True,
    setup=fill("second-version", 3),
    shows="Deliver version 2 with the committed chunk id, for a reader of the past and then live.",
)
def deliver_v2(stage: Stage) -> Facts:
    client = stage.client().login()
    client.request(wire.EXCHANGE_VERSIONS, DELIVER_2)
    client.subscribe(0, "second-version")
    consumed = client.consume(0, 15)
    client.declare(0, "second-version")
    client.publish(0, 100, bodies(4, "live"))
    client.confirmed(4)
    consumed += client.consume(0, 4)
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 4, "confirmed": 4, "consumed": consumed}


@scenario(
    "A client that says Deliver up to version 3",
    release="4",
    healthy=False,
    setup=fill("third-version"),
    shows="ExchangeCommandVersions with maximum 3: Deliver stays at version 1.",
    faults={"RMQ-V4": "the maximum is not exactly 2"},
)
def deliver_maximum_3(stage: Stage) -> Facts:
    client = stage.client().login()
    client.request(wire.EXCHANGE_VERSIONS, u32(1) + u16(wire.DELIVER) + u16(1) + u16(3))
    client.subscribe(0, "third-version")
    consumed = client.consume(0, 5)
    client.unsubscribe(0)
    client.close()
    return {"consumed": consumed}


@scenario(
    "Single active consumer: two of them, one leaves, the other takes over",
    release="4",
    healthy=True,
    setup=fill("single", 2),
    shows="ConsumerUpdate (active 1) to the first, answered with type first; nothing to the second "
    "until the first unsubscribes; then ConsumerUpdate to it, answered with an offset.",
)
def consumer_update_single_active_consumer(stage: Stage) -> Facts:
    alone = {"single-active-consumer": "true", "name": "group"}
    first = stage.client().login()
    first.subscribe(0, "single", properties=alone)
    active = [answer_update(first, wire.FIRST)]
    consumed = first.consume(0, 10)
    first.send(wire.STORE_OFFSET, string("group") + string("single") + u64(9))
    second = stage.client().login()
    second.subscribe(5, "single", properties=alone)
    active.append(answer_update(second, wait=2))
    first.declare(0, "single")
    first.publish(0, 100, bodies(3, "late"))
    first.confirmed(3)
    consumed += first.consume(0, 3)
    first.request(wire.DELETE_PUBLISHER, u8(0))
    first.unsubscribe(0)
    first.close()
    active.append(answer_update(second, wire.offset(10)))
    took = second.consume(5, 3)
    second.unsubscribe(5)
    second.close()
    return {"active": active, "consumed": [consumed, took]}


@scenario(
    "Single active consumers of a super stream: the active one is told to stop",
    release="4",
    healthy=True,
    shows="Two groups over three partitions: when more consumers come, the active of partition 1 "
    "gets ConsumerUpdate with active 0, answers, and the new one gets active 1.",
)
def consumer_update_super_stream(stage: Stage) -> Facts:
    names = [f"sales-{n}" for n in range(3)]
    keys = ["0", "1", "2"]
    first, second = stage.client().login(), stage.client().login()
    body = string("sales") + wire.strings(names) + wire.strings(keys) + u32(0)
    first.request(wire.CREATE_SUPER_STREAM, body)
    group = {"single-active-consumer": "true", "name": "group", "super-stream": "sales"}
    active: list[int] = []
    for number, name in enumerate(names):
        first.subscribe(number, name, wire.NEXT, properties=group)
        active.append(answer_update(first, wait=3))
    for number, name in enumerate(names):
        second.subscribe(number, name, wire.NEXT, properties=group)
        update = answer_update(first, wait=1.5)
        if update >= 0:
            active += [update, answer_update(second, wait=3)]
    for number in range(3):
        second.unsubscribe(number)
        if (update := answer_update(first, wait=1)) >= 0:
            active.append(update)
    for number in range(3):
        first.unsubscribe(number)
    first.request(wire.DELETE_SUPER_STREAM, string("sales"))
    second.close()
    first.close()
    return {"active": active}


@scenario(
    "ConsumerUpdate that is never answered",
    release="4",
    healthy=False,
    setup=fill("unanswered"),
    shows="ConsumerUpdate, then after 60 s the end of the connection without a Close.",
    faults={"RMQ-A1": "no answer to ConsumerUpdate", "RMQ-K2": "no Close at the end"},
)
def consumer_update_unanswered(stage: Stage) -> Facts:
    client = stage.client().login(heartbeat=0)
    alone = {"single-active-consumer": "true", "name": "silent"}
    client.subscribe(0, "unanswered", properties=alone)
    client.until(wire.CONSUMER_UPDATE)
    return {"server_ended": client.ended(75)}


@scenario(
    "Credit to a consumer that is not the active one; a single active consumer without a name",
    release="4",
    healthy=False,
    setup=fill("inactive"),
    shows="0x8009 with code 17 to the waiting consumer; Subscribe answered 17 without a name.",
    faults={"RMQ-C4": "code 17", "RMQ-A2": "no name"},
)
def credit_inactive_consumer(stage: Stage) -> Facts:
    alone = {"single-active-consumer": "true", "name": "pair"}
    first, second = stage.client().login(), stage.client().login()
    first.subscribe(0, "inactive", properties=alone)
    answer_update(first)
    second.subscribe(0, "inactive", properties=alone)
    second.credit(0, 3)
    refused = second.until(wire.CREDIT | wire.RESPONSE, wait=3)
    code = second.subscribe(1, "inactive", properties={"single-active-consumer": "true"}).code
    consumed = first.consume(0, 5)
    second.close()
    first.close()
    codes = [struct.unpack(">H", refused.body[:2])[0] if refused else 0, code]
    return {"codes": codes, "consumed": consumed}


@scenario(
    "An answer to ConsumerUpdate with eight bytes too many",
    release="4",
    healthy=False,
    setup=fill("too-many"),
    shows="Type first with an offset behind it, as one library writes it: the broker tolerates it.",
    faults={"RMQ-A4": "a value after type first"},
)
def consumer_update_extra_bytes(stage: Stage) -> Facts:
    client = stage.client().login()
    alone = {"single-active-consumer": "true", "name": "group"}
    client.subscribe(0, "too-many", properties=alone)
    answer_update(client, wire.FIRST + u64(0))
    consumed = client.consume(0, 5)
    client.unsubscribe(0)
    client.close()
    return {"consumed": consumed}


@scenario(
    "StreamStats of an empty stream, of a full one, of none",
    release="4",
    healthy=False,
    setup=lambda stage: (made("empty")(stage), fill("counted", 3)(stage)),
    shows="StreamStats with -1 for an empty stream, with numbers, and answered 2.",
    faults={"RMQ-X6": "code 2"},
)
def stream_stats(stage: Stage) -> Facts:
    client = stage.client().login()
    streams = ("empty", "counted", "nowhere")
    codes = [client.request(wire.STREAM_STATS, string(name)).code for name in streams]
    client.close()
    return {"codes": codes}


@scenario(
    "A super stream is made, routed to, and deleted",
    release="4",
    healthy=True,
    shows="CreateSuperStream with arguments, Partitions, Route (response bit set on 4.x), "
    "DeleteSuperStream.",
)
def create_delete_super_stream(stage: Stage) -> Facts:
    client = stage.client().login()
    names, keys = ["ss-0", "ss-1"], ["0", "1"]
    arguments = wire.pairs({"max-length-bytes": "10000000", "max-age": "6h"})
    body = string("ss") + wire.strings(names) + wire.strings(keys) + arguments
    codes = [
        client.request(wire.CREATE_SUPER_STREAM, body).code,
        client.request(wire.PARTITIONS, string("ss")).code,
        client.request(wire.ROUTE, string("1") + string("ss")).code,
        client.request(wire.DELETE_SUPER_STREAM, string("ss")).code,
    ]
    client.close()
    return {"codes": codes}


@scenario(
    "Super streams that the broker does not want to make, find or delete",
    release="4",
    healthy=False,
    shows="CreateSuperStream answered 5 and 17; Route with an unbound key (1, no stream); "
    "Partitions, Route and DeleteSuperStream answered 2.",
    faults={"RMQ-X6": "5, 17, 2", "RMQ-M9": "an unbound routing key", "RMQ-M8": "5 and 2"},
)
def super_stream_refused(stage: Stage) -> Facts:
    client = stage.client().login()

    def create(name: str, partitions: list[str], keys: list[str]) -> int:
        body = string(name) + wire.strings(partitions) + wire.strings(keys) + u32(0)
        return client.request(wire.CREATE_SUPER_STREAM, body).code

    codes = [
        create("twice", ["twice-0"], ["0"]),
        create("twice", ["twice-0"], ["0"]),
        create("", ["x-0"], ["0"]),
        create("odd", ["odd-0", "odd-0"], ["0", "1"]),
        client.request(wire.ROUTE, string("mars") + string("twice")).code,
        client.request(wire.PARTITIONS, string("nothing")).code,
        client.request(wire.ROUTE, string("0") + string("nothing")).code,
        client.request(wire.DELETE_SUPER_STREAM, string("nothing")).code,
        client.request(wire.DELETE_SUPER_STREAM, string("twice")).code,
    ]
    client.close()
    return {"codes": codes}


@scenario(
    "ResolveOffsetSpec of every kind",
    release="4",
    healthy=True,
    setup=lambda stage: (made("resolve-empty")(stage), fill("resolve", 3)(stage)),
    shows="First, last, next, offset 7 (answered with the start of its chunk), timestamp, with "
    "properties; on an empty stream.",
)
def resolve_offset_spec(stage: Stage) -> Facts:
    client = stage.client().login()
    now = int(time.time() * 1000)
    specs = [wire.FIRST, wire.LAST, wire.NEXT, wire.offset(7), wire.timestamp(now - 3600000)]
    asked = [string("resolve") + spec for spec in specs]
    asked.append(string("resolve") + wire.FIRST + wire.pairs({"chunk_selector": "all"}))
    asked.append(string("resolve-empty") + wire.FIRST)
    asked.append(string("resolve") + wire.offset(1000))
    answers = [client.request(wire.RESOLVE_OFFSET_SPEC, body) for body in asked]
    client.close()
    offsets = [int.from_bytes(a.body[8:16], "big") for a in answers]
    return {"codes": [a.code for a in answers], "offsets": offsets}


@scenario(
    "ResolveOffsetSpec of a stream that is not there",
    release="4",
    healthy=False,
    shows="ResolveOffsetSpec answered 2, with type and offset behind it.",
    faults={"RMQ-X6": "code 2"},
)
def resolve_offset_spec_missing(stage: Stage) -> Facts:
    client = stage.client().login()
    code = client.request(wire.RESOLVE_OFFSET_SPEC, string("nowhere") + wire.FIRST).code
    client.close()
    return {"codes": [code]}


@scenario(
    "A reader that wants every chunk, tracking ones too",
    release="4",
    healthy=True,
    setup=made("tracked"),
    shows="Subscribe with chunk_selector=all beside one without: tracking chunks (type 1), and "
    "chunks with a trailer that is really there for the one and only counted for the other.",
)
def chunk_selector_all(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "tracked", "billing")
    for n in range(3):
        client.publish(0, 1 + 3 * n, bodies(3))
        client.confirmed(3)
        client.send(wire.STORE_OFFSET, string("reader") + string("tracked") + u64(n))
        time.sleep(0.6)
    client.subscribe(0, "tracked", properties={"chunk_selector": "all"})
    client.subscribe(1, "tracked")
    chunks = [f.body for f in client.drain(2) if f.key == wire.DELIVER]
    types = [chunk[2] for chunk in chunks if chunk[0] == 0]
    plain = [chunk[2] for chunk in chunks if chunk[0] == 1]
    for subscription in (0, 1):
        client.unsubscribe(subscription)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 9, "confirmed": 9, "chunk_types": [types, plain]}


@scenario(
    "A client proves again who it is",
    release="4",
    healthy=True,
    setup=fill("again"),
    shows="SaslAuthenticate after Open, same user, answered 1, no Tune, in the middle of work.",
)
def reauthenticate(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "again")
    code = client.authenticate().code
    consumed = client.consume(0, 5)
    client.unsubscribe(0)
    client.close()
    return {"codes": [code], "consumed": consumed}


@scenario(
    "A client wants to become somebody else",
    release="4",
    healthy=False,
    setup=lambda stage: (stage.ctl("add_user other other"), stage.ctl("add_user closed closed")),
    shows="After Open: another user (21), another mechanism (20), a wrong password (8); what the "
    "broker answers and when it ends the connection.",
    faults={"RMQ-N7": "user and mechanism may not change", "RMQ-N6": "code 8"},
)
def reauthenticate_refused(stage: Stage) -> Facts:
    codes = []
    table = b"".join(u8(len(k)) + k + b"S" + u32(5) + b"guest" for k in (b"LOGIN", b"PASSWORD"))
    for mechanism, secret in (
        ("PLAIN", b"\0other\0other"),
        ("AMQPLAIN", table),
        ("PLAIN", b"\0guest\0wrong"),
    ):
        client = stage.client().login()
        codes.append(
            client.request(
                wire.SASL_AUTHENTICATE, string(mechanism) + u32(len(secret)) + secret
            ).code
        )
        client.ended(6)
    return {"codes": codes}


@scenario(
    "Wrong password on 4.x",
    release="4",
    healthy=False,
    shows="SaslAuthenticate answered 8 after three seconds, then the end of the connection.",
    faults={"RMQ-N6": "code 8"},
)
def login_fails_late(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    code = client.authenticate(password="wrong").code
    return {"codes": [code], "server_ended": client.ended(6)}


@scenario(
    "A virtual host that is not there, on 4.x",
    release="4",
    healthy=False,
    shows="Open answered 12 late, without properties, then the end of the connection.",
    faults={"RMQ-N6": "code 12", "RMQ-F12": "no map in an Open response with an error"},
)
def vhost_missing_late(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    client.authenticate()
    client.tune()
    code = client.request(wire.OPEN, string("/missing")).code
    return {"codes": [code], "server_ended": client.ended(6)}


@scenario(
    "A challenge during login, answered",
    release="4",
    healthy=True,
    variant="challenge",
    shows="SaslAuthenticate answered 10 with a challenge, its length in 16 bits, "
    "by the broker's own "
    "demonstration mechanism; a second SaslAuthenticate, answered 1; the rest of the handshake.",
)
def sasl_challenge(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    demo = string("RABBIT-CR-DEMO")
    codes = [client.request(wire.SASL_AUTHENTICATE, demo + u32(5) + b"guest").code]
    secret = b"My password is guest"
    codes.append(client.request(wire.SASL_AUTHENTICATE, demo + u32(len(secret)) + secret).code)
    client.tune()
    client.request(wire.OPEN, string("/"))
    client.close()
    return {"codes": codes}


def fallen(stage: Stage) -> None:
    """A stream whose processes are stopped and kept from coming back."""
    fill("fallen")(stage)
    stage.ctl(f"eval '{FALL}'")


FALL = (
    "[supervisor:terminate_child(osiris_server_sup, element(1, C)) || "
    "C <- supervisor:which_children(osiris_server_sup)], sys:suspend(osiris_server_sup)."
)


@scenario(
    "A stream without a leader",
    release="4",
    healthy=False,
    variant="fallen",
    setup=fallen,
    shows="Metadata, DeclarePublisher and Subscribe while the stream's processes are stopped "
    "(rabbitmqctl eval): what is answered 6.",
    faults={"RMQ-X6": "code 6", "RMQ-M2": "code 6, or no leader, in Metadata"},
)
def stream_not_available(stage: Stage) -> Facts:
    client = stage.client().login()
    client.request(wire.METADATA, wire.strings(["fallen"]))
    codes = [
        client.subscribe(0, "fallen").code,
        client.declare(0, "fallen").code,
        client.request(wire.STREAM_STATS, string("fallen")).code,
        client.request(wire.QUERY_OFFSET, string("r") + string("fallen")).code,
    ]
    client.close()
    return {"codes": codes}


@scenario(
    "Create with arguments that make no sense, on 4.x",
    release="4",
    healthy=False,
    shows="Create with max-age 'soon', with max-length-bytes 'many', with an unknown leader "
    "locator, one connection each: a code or the end of the connection.",
    faults={"RMQ-M8": "the broker refuses Create", "RMQ-S4": "values that are no values"},
)
def create_bad_argument_4(stage: Stage) -> Facts:
    codes = []
    for key, value in (
        ("max-age", "soon"),
        ("max-length-bytes", "many"),
        ("queue-leader-locator", "somewhere"),
        ("initial-cluster-size", "-3"),
        ("stream-filter-size-bytes", "5"),
    ):
        client = stage.client().login()
        client.send(wire.CREATE, u32(9) + string(f"bad-{key}") + wire.pairs({key: value}))
        answer = client.until(wire.CREATE | wire.RESPONSE, wait=4)
        codes.append(answer.code if answer else 0)
        if answer:
            client.close()
        else:
            client.ended(3)
    return {"codes": codes}


@scenario(
    "A frame larger than agreed",
    release="4",
    healthy=False,
    setup=made("agreed"),
    shows="Tune agreed at 4096, a Publish of 5000 bytes: Close 14 from the server.",
    faults={"RMQ-T3": "a frame above the agreed maximum", "RMQ-K1": "Close 14"},
)
def frame_too_large(stage: Stage) -> Facts:
    client = stage.client().login(frame_max=4096)
    client.declare(0, "agreed")
    client.publish(0, 0, [b"x" * 5000])
    closing = client.until(wire.CLOSE, wait=5)
    client.send(wire.CLOSE | wire.RESPONSE, u32(1) + u16(1))
    return {"server_closed": closing is not None, "server_ended": client.ended(12)}


@scenario(
    "A chunk larger than the frame maximum",
    release="4",
    healthy=True,
    setup=fill("small-frames", 1, 200),
    shows="Tune agreed at 4096, a Deliver above it: the broker never splits a chunk.",
)
def deliver_above_frame_max(stage: Stage) -> Facts:
    client = stage.client().login(frame_max=4096)
    client.subscribe(0, "small-frames")
    consumed = client.consume(0, 200)
    client.unsubscribe(0)
    client.close()
    return {"consumed": consumed}


@scenario(
    "A frame of size 0 on 4.x",
    release="4",
    healthy=False,
    shows="Four zero bytes after Open: Close 13.",
    faults={"RMQ-F2": "size 0", "RMQ-K1": "Close 13"},
)
def size_zero_4(stage: Stage) -> Facts:
    client = stage.client().login()
    client.raw(u32(0))
    closing = client.until(wire.CLOSE, wait=3)
    if closing:
        client.send(wire.CLOSE | wire.RESPONSE, u32(1) + u16(1))
    return {"server_closed": closing is not None, "server_ended": client.ended(12)}


@scenario(
    "Many credits wanted, few given at a time",
    release="4",
    healthy=False,
    setup=fill("gate", 14, 2),
    shows="Subscribe with credit 10, ten deliveries, then single credits: nothing comes until the "
    "sixth.",
    faults={"RMQ-C3": "the balance stays at or below half of the first credit"},
)
def credit_gate(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "gate", credit=10)
    came = [sum(1 for f in client.drain(1) if f.key == wire.DELIVER)]
    for _ in range(6):
        client.credit(0, 1)
        came.append(sum(1 for f in client.drain(0.7) if f.key == wire.DELIVER))
    client.unsubscribe(0)
    client.close()
    return {"delivered_per_step": came}


@scenario(
    "A credit that turns negative",
    release="4",
    healthy=False,
    setup=fill("negative", 8, 2),
    shows="Subscribe with credit 2, then Credit 40000, which the broker reads as "
    "-25536: no Deliver.",
    faults={"RMQ-C6": "credit 40000 is negative to the broker"},
)
def credit_negative(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "negative", credit=2)
    came = [sum(1 for f in client.drain(1) if f.key == wire.DELIVER)]
    client.credit(0, 40000)
    came.append(sum(1 for f in client.drain(2) if f.key == wire.DELIVER))
    client.unsubscribe(0)
    client.close()
    return {"delivered_per_step": came}


@scenario(
    "Names of more than 255 bytes",
    release="4",
    healthy=False,
    setup=made("names"),
    shows="DeclarePublisher and Subscribe answered 17 for a name of 300 bytes.",
    faults={"RMQ-S3": "a reference of 300 bytes", "RMQ-X6": "17"},
)
def reference_too_long(stage: Stage) -> Facts:
    client = stage.client().login()
    long = "x" * 300
    codes = [
        client.declare(0, "names", long).code,
        client.subscribe(0, "names", properties={"name": long}).code,
        client.request(wire.QUERY_OFFSET, string(long) + string("names")).code,
    ]
    client.close()
    return {"codes": codes}


@scenario(
    "A user without permissions, on 4.x",
    release="4",
    healthy=False,
    setup=lambda stage: (
        stage.ctl("add_user limited limited"),
        stage.ctl("set_permissions limited '^$' '^$' '^$'"),
        made("private")(stage),
    ),
    shows="Code 16 from what 3.10 does not have (StreamStats, CreateSuperStream, "
    "DeleteSuperStream, "
    "ResolveOffsetSpec), and inside Metadata.",
    faults={
        "RMQ-M8": "the broker refuses Create",
        "RMQ-X6": "code 16",
        "RMQ-M2": "code 16 in Metadata",
    },
)
def access_refused_4(stage: Stage) -> Facts:
    client = stage.client().login(user="limited", password="limited")
    body = string("ss") + wire.strings(["ss-0"]) + wire.strings(["0"]) + u32(0)
    codes = [
        client.request(wire.STREAM_STATS, string("private")).code,
        client.request(wire.CREATE_SUPER_STREAM, body).code,
        client.request(wire.DELETE_SUPER_STREAM, string("private")).code,
        client.request(wire.RESOLVE_OFFSET_SPEC, string("private") + wire.FIRST).code,
        client.request(wire.PARTITIONS, string("private")).code,
        client.request(wire.ROUTE, string("0") + string("private")).code,
    ]
    client.request(wire.METADATA, wire.strings(["private"]))
    client.close()
    return {"codes": codes}


@scenario(
    "A sub-batch that 4.x refuses",
    release="4",
    healthy=False,
    setup=made("checked"),
    shows="Publish with a sub-batch of an unknown compression and of no records: PublishError 17.",
    faults={"RMQ-U3": "a header that does not fit", "RMQ-U7": "17"},
)
def publish_error_sub_batch(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "checked")
    inside = wire.records([b"a", b"bc"])
    answers = []
    for number, flags, count in ((1, 0xD0, 2), (2, 0x80, 0)):
        head = u8(flags) + u16(count) + u32(len(inside)) + u32(len(inside)) + inside
        client.send(wire.PUBLISH, u8(0) + u32(1) + u64(number) + head)
        answer = client.until(wire.PUBLISH_ERROR, wire.CONFIRM, wait=3)
        answers.append(answer.key if answer else 0)
    client.close()
    return {"answers": answers}


@scenario(
    "A tracking snapshot at the start of a new segment",
    release="4",
    healthy=True,
    shows="A stream with small segments, a named publisher and stored offsets; a reader with "
    "chunk_selector=all gets the snapshot (chunk type 2) that the new segment starts with.",
)
def tracking_snapshot(stage: Stage) -> Facts:
    client = stage.client().login()
    client.create("snapshots", {"stream-max-segment-size-bytes": "2000"})
    client.declare(0, "snapshots", "billing")
    for n in range(4):
        client.publish(0, 1 + n, [b"0123456789" * 60])
        client.confirmed(1)
        client.send(wire.STORE_OFFSET, string("reader") + string("snapshots") + u64(n))
        time.sleep(0.6)
    client.subscribe(0, "snapshots", credit=50, properties={"chunk_selector": "all"})
    types = [f.body[2] for f in client.drain(2) if f.key == wire.DELIVER]
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 4, "confirmed": 4, "chunk_types": types}


@scenario(
    "A whole session over TLS, with its secrets",
    release="4",
    healthy=True,
    variant="tls",
    setup=made("private-line"),
    what="tcp port 5551",
    ports=(5551,),
    shows="TLS 1.3 on port 5551; the secrets are in the file, so tshark decrypts it. Frames are "
    "counted in what it decrypts, bytes are those of TLS.",
)
def tls_with_secrets(stage: Stage) -> Facts:
    context = ssl.create_default_context(cafile=str(stage.broker.certificate()))
    stage.secrets = stage.work / "secrets.txt"
    context.keylog_filename = str(stage.secrets)
    client = stage.client(port=5551, tls=context).login()
    client.declare(0, "private-line")
    client.publish(0, 0, bodies(10, "secret"))
    confirmed = client.confirmed(10)
    client.subscribe(0, "private-line")
    consumed = client.consume(0, 10)
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 10, "confirmed": confirmed, "consumed": consumed}


THREE = (5552, 5553, 5554)


def leader_of(answer: wire.Frame) -> tuple[int, list[int]]:
    """Port of the leader and ports of the replicas, of a Metadata response for one stream."""
    data = answer.body[4:]
    count, at = int.from_bytes(data[:4], "big"), 4
    ports = {}
    for _ in range(count):
        reference, length = struct.unpack_from(">HH", data, at)
        at += 4 + length
        ports[reference] = int.from_bytes(data[at : at + 4], "big")
        at += 4
    at += 4
    at += 2 + int.from_bytes(data[at : at + 2], "big") + 2
    leader, replicas = struct.unpack_from(">HI", data, at)
    others = struct.unpack_from(f">{replicas}H", data, at + 6)
    return ports.get(leader, 0), [ports[n] for n in others]


@scenario(
    "A stream on three nodes: its leader stops, and another takes over",
    release="4",
    healthy=False,
    variant="cluster",
    what="tcp portrange 5552-5554",
    ports=THREE,
    shows="Metadata with a leader and two replicas; a publisher on the leader, a consumer on a "
    "replica; the leader's node stops (rabbitmqctl stop_app): the publisher's connection ends "
    "without a Close; Metadata again with another leader, and the publisher goes on there.",
    faults={"RMQ-K2": "the stopped node ends the connection without a Close"},
)
def cluster_leader_stops(stage: Stage) -> Facts:
    first = stage.client().login()
    first.create("spread", {"initial-cluster-size": "3"})
    time.sleep(2)
    before, replicas = leader_of(first.request(wire.METADATA, wire.strings(["spread"])))
    publisher = stage.client(port=before).login()
    publisher.declare(0, "spread")
    reader = stage.client(port=replicas[0]).login()
    reader.subscribe(0, "spread")
    publisher.publish(0, 0, bodies(5, "before"))
    confirmed = publisher.confirmed(5)
    consumed = reader.consume(0, 5)
    stage.ctl("stop_app", node=before - 5552)
    ended = publisher.ended(10)
    updates = sum(1 for f in reader.drain(5) if f.key == wire.METADATA_UPDATE)
    after, left = leader_of(reader.request(wire.METADATA, wire.strings(["spread"])))
    again = stage.client(port=after).login()
    again.declare(0, "spread")
    again.publish(0, 5, bodies(5, "after"))
    confirmed += again.confirmed(5)
    if updates:
        reader.subscribe(1, "spread", wire.offset(5))
    consumed += reader.consume(1 if updates else 0, 5)
    for client in (again, reader):
        client.close()
    stage.ctl("start_app", node=before - 5552)
    return {
        "published": 10,
        "confirmed": confirmed,
        "consumed": consumed,
        "leaders": [before, after],
        "replicas": [len(replicas), len(left)],
        "metadata_updates": updates,
        "publisher_ended": ended,
    }


@scenario(
    "The wrong node of a cluster",
    release="4",
    healthy=False,
    variant="cluster",
    what="tcp portrange 5552-5554",
    ports=THREE,
    shows="A stream of one replica on the first node; on the second node Metadata points to the "
    "first, Subscribe is answered 6, DeclarePublisher and Publish work all the same.",
    faults={"RMQ-M7": "the node has no replica", "RMQ-X6": "code 6"},
)
def cluster_wrong_node(stage: Stage) -> Facts:
    first = stage.client().login()
    first.create("lonely", {"initial-cluster-size": "1", "queue-leader-locator": "client-local"})
    time.sleep(1)
    second = stage.client(port=5553).login()
    leader, replicas = leader_of(second.request(wire.METADATA, wire.strings(["lonely"])))
    codes = [second.subscribe(0, "lonely").code, second.declare(0, "lonely").code]
    second.publish(0, 0, bodies(3))
    confirmed = second.confirmed(3, wait=5)
    first.subscribe(0, "lonely")
    consumed = first.consume(0, 3)
    second.close()
    first.close()
    return {
        "codes": codes,
        "leaders": [leader],
        "replicas": [len(replicas)],
        "confirmed": confirmed,
        "consumed": consumed,
    }


@scenario(
    "Frames behind a Close",
    release="4",
    healthy=False,
    setup=fill("behind"),
    shows="Close, Metadata and Publish in one segment: the broker answers the Close alone.",
    faults={"RMQ-K4": "frames after Close"},
)
def frames_after_close(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "behind")
    frames = [
        client.frame(wire.CLOSE, u32(50) + u16(1) + string("OK")),
        client.frame(wire.METADATA, u32(51) + wire.strings(["behind"])),
        client.frame(wire.PUBLISH, u8(0) + u32(1) + wire.entry(9, wire.message(b"too late"))),
    ]
    client.raw(b"".join(frames))
    answers = [frame.key & 0x7FFF for frame in client.drain(2)]
    return {"answers": answers, "server_ended": client.ended(5)}


@scenario(
    "A PROXY protocol line before the first frame",
    release="4",
    healthy=True,
    variant="proxy",
    shows="A listener that expects PROXY protocol version 1, as behind a load balancer: the line, "
    "then an ordinary short session.",
)
def proxy_protocol(stage: Stage) -> Facts:
    client = stage.client()
    client.raw(b"PROXY TCP4 192.0.2.7 192.0.2.1 40000 5552\r\n")
    client.login()
    client.create("behind-proxy")
    client.declare(0, "behind-proxy")
    client.publish(0, 0, bodies(3))
    confirmed = client.confirmed(3)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 3, "confirmed": confirmed}
