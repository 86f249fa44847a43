"""Programs that were written after the rules: bugs told in public issues, and healthy ones.

No rule was made for them; what a rule was to say stands here before anything of ours read them.
"""

import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.scenarios_broker_3 import bodies, fill, made
from captures.recorders.rabbitmq_stream.scenarios_broker_4 import answer_update, filtered, publish_2
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import string, u8, u16, u32, u64


@scenario(
    "A subscription that is ended twice",
    healthy=False,
    setup=fill("twice-ended", 2),
    shows="Unsubscribe by the close of the consumer, and half a second later by its finalizer.",
    faults={"RMQ-I5": "the second Unsubscribe", "RMQ-X6": "its answer, 4"},
)
def bug_unsubscribes_twice(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(3, "twice-ended")
    client.drain(0.5)
    client.unsubscribe(3)
    time.sleep(0.5)
    code = client.unsubscribe(3).code
    stage.blame("I5", client)
    client.close()
    return {"code": code}


@scenario(
    "Credit as a negative number",
    healthy=False,
    setup=fill("credit-negative", 4),
    shows="A balance that has gone below zero in the client is granted: 0xffff.",
    faults={"RMQ-C6": "Credit 65535, which brokers read as -1"},
)
def bug_credit_negative(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "credit-negative", credit=2)
    delivered = sum(f.key == wire.DELIVER for f in client.drain(1))
    client.credit(0, 0xFFFF)
    stage.blame("C6", client)
    delivered += sum(f.key == wire.DELIVER for f in client.drain(2))
    client.unsubscribe(0)
    client.close()
    return {"delivered": delivered}


@scenario(
    "A single active consumer without a name",
    healthy=False,
    release="4",
    setup=fill("nameless", 2),
    shows="Subscribe with single-active-consumer and no name: code 17.",
    faults={"RMQ-A2": "no name", "RMQ-X6": "the answer, 17"},
)
def bug_single_active_without_name(stage: Stage) -> Facts:
    client = stage.client().login()
    code = client.subscribe(0, "nameless", properties={"single-active-consumer": "true"}).code
    stage.blame("A2", client)
    client.close()
    return {"code": code}


@scenario(
    "A property that is spelt wrong",
    healthy=False,
    setup=fill("spelt", 1),
    shows="Create with max-lenght-bytes, which the broker ignores: the stream has no limit.",
    faults={"RMQ-S4": "an unknown argument"},
)
def bug_argument_spelt_wrong(stage: Stage) -> Facts:
    client = stage.client().login()
    code = client.create("spelt-wrong", {"max-lenght-bytes": "1000000"}).code
    stage.blame("S4", client)
    client.delete("spelt-wrong")
    client.close()
    return {"code": code}


@scenario(
    "Another user on an open connection",
    healthy=False,
    release="4",
    setup=lambda stage: stage.ctl("add_user other secret"),
    shows="SaslAuthenticate after Open for another user, as for a token that was refreshed.",
    faults={"RMQ-N7": "the user changes"},
)
def bug_user_changes(stage: Stage) -> Facts:
    client = stage.client().login()
    client.correlation += 1
    secret = b"\0other\0secret"
    body = u32(client.correlation) + string("PLAIN") + u32(len(secret)) + secret
    client.send(wire.SASL_AUTHENTICATE, body)
    stage.blame("N7", client)
    keys = [frame.key for frame in client.drain(3)]
    client.drop()
    return {"keys": keys}


@scenario(
    "A consumer that keeps its connection and stops reading",
    healthy=False,
    setup=fill("stops", 3),
    shows="The process hangs: nothing is read or sent any more, with a heartbeat of a second.",
    faults={"RMQ-H1": "silence for three intervals", "RMQ-K2": "the end without a Close"},
)
def bug_hangs(stage: Stage) -> Facts:
    client = stage.client().login(heartbeat=1)
    client.subscribe(0, "stops", credit=10)
    client.drain(0.5)
    stage.blame("H1", client)
    time.sleep(6)
    client.drop()
    return {}


@scenario(
    "A mechanism that the broker does not offer",
    healthy=False,
    shows="SaslAuthenticate with SCRAM-SHA-256: code 7, and the end.",
    faults={"RMQ-N2": "not offered", "RMQ-N6": "refused"},
)
def bug_mechanism_not_offered(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    answer = client.request(wire.SASL_AUTHENTICATE, string("SCRAM-SHA-256") + u32(0))
    stage.blame("N2", client)
    client.ended(3)
    return {"code": answer.code}


@scenario(
    "A time that is to come",
    healthy=False,
    setup=fill("future", 2),
    shows="Subscribe from a point in time in microseconds, read as milliseconds.",
    faults={"RMQ-D14": "a time in the far future"},
)
def bug_timestamp_in_microseconds(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "future", wire.timestamp(int(time.time() * 1e6)))
    stage.blame("D14", client)
    client.drain(1)
    client.unsubscribe(0)
    client.close()
    return {}


@scenario(
    "Ids that go down within a batch",
    healthy=False,
    setup=made("downwards"),
    shows="A named publisher whose threads put messages into a batch out of order: 5 4 3 2 1; the "
    "broker confirms all of them.",
    faults={"RMQ-I6": "ids do not rise"},
)
def bug_ids_out_of_order(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "downwards", "orders")
    client.publish(0, 10, bodies(3))
    confirmed = client.confirmed(3)
    entries = [wire.entry(n, wire.message(b"x")) for n in (9, 8, 7, 6, 5)]
    client.send(wire.PUBLISH, u8(0) + u32(len(entries)) + b"".join(entries))
    stage.blame("I6", client)
    confirmed += client.confirmed(5, 3)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"confirmed": confirmed}


@scenario(
    "Metadata of a stream that is not there, and a publisher on it all the same",
    healthy=False,
    shows="Metadata says 2; the client declares its publisher and publishes without a look.",
    faults={
        "RMQ-I1": "Publish of a publisher that was refused",
        "RMQ-M2": "the metadata",
        "RMQ-X6": "the refusal",
        "RMQ-U7": "the PublishError",
    },
)
def bug_publishes_after_refusal(stage: Stage) -> Facts:
    client = stage.client().login()
    client.request(wire.METADATA, wire.strings(["nowhere"]))
    code = client.declare(0, "nowhere").code
    client.publish(0, 1, bodies(2))
    stage.blame("I1", client)
    keys = [frame.key for frame in client.drain(1)]
    client.close()
    return {"code": code, "keys": keys}


@scenario(
    "A subscription that is begun again while it lives",
    healthy=False,
    setup=fill("again-alive", 2),
    shows="A consumer that believes it was cut off subscribes again with its id: code 3.",
    faults={"RMQ-I4": "the id is in use", "RMQ-X6": "the answer, 3"},
)
def bug_subscribes_again(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(5, "again-alive")
    client.drain(0.5)
    code = client.subscribe(5, "again-alive").code
    stage.blame("I4", client)
    client.unsubscribe(5)
    client.close()
    return {"code": code}


@scenario(
    "Publish version 2 to a broker that does not know it",
    healthy=False,
    setup=made("newer"),
    shows="A filter value on 3.10: Close 13.",
    faults={"RMQ-V5": "version 2", "RMQ-K1": "the broker's Close"},
)
def bug_publish_2_on_3_10(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "newer")
    publish_2(client, 0, [filtered(1, "a", b"x")])
    stage.blame("V5", client)
    client.until(wire.CLOSE, wait=3)
    client.drop()
    return {}


# Healthy ones


@scenario(
    "All correlation ids are zero, one request at a time",
    healthy=True,
    setup=fill("zeros", 2),
    shows="A client that waits for each answer needs no numbers.",
)
def strange_correlation_zero(stage: Stage) -> Facts:
    client = stage.client().login()
    for key, body in (
        (wire.METADATA, wire.strings(["zeros"])),
        (wire.SUBSCRIBE, u8(0) + string("zeros") + wire.FIRST + u16(5)),
        (wire.UNSUBSCRIBE, u8(0)),
        (wire.DECLARE_PUBLISHER, u8(0) + string("") + string("zeros")),
        (wire.DELETE_PUBLISHER, u8(0)),
    ):
        client.correlation = -1
        client.request(key, body)
    client.close()
    return {}


@scenario(
    "Requests without waiting, all answered in their order",
    healthy=True,
    shows="Create, DeclarePublisher, Publish and Subscribe in one segment.",
)
def strange_pipelined(stage: Stage) -> Facts:
    client = stage.client().login()
    stream = "pipelined"
    publish = u8(0) + u32(2) + b"".join(wire.entry(n, wire.message(b"x")) for n in (1, 2))
    client.together(
        client.frame(wire.CREATE, u32(50) + string(stream) + wire.pairs({})),
        client.frame(wire.DECLARE_PUBLISHER, u32(51) + u8(0) + string("") + string(stream)),
        client.frame(wire.PUBLISH, publish),
        client.frame(wire.SUBSCRIBE, u32(52) + u8(0) + string(stream) + wire.FIRST + u16(5)),
    )
    keys = [frame.key for frame in client.drain(2)]
    client.unsubscribe(0)
    client.correlation = 60
    client.delete(stream)
    client.close()
    return {"keys": keys}


@scenario(
    "One subscription id, used for ten subscriptions one after the other",
    healthy=True,
    setup=fill("ten-times", 2),
    shows="Subscribe, all messages, Unsubscribe, ten times with the id 0.",
)
def strange_id_in_turns(stage: Stage) -> Facts:
    client = stage.client().login()
    consumed = 0
    for _ in range(10):
        client.subscribe(0, "ten-times", credit=5)
        consumed += 5 * sum(f.key == wire.DELIVER for f in client.drain(0.2))
        client.unsubscribe(0)
    client.close()
    return {"consumed": consumed}


@scenario(
    "Publishers and subscriptions of one connection, mixed",
    healthy=True,
    setup=made("mixed-a", "mixed-b"),
    shows="Two publishers with the same publishing ids, two subscriptions, credit by credit.",
)
def strange_mixed(stage: Stage) -> Facts:
    client = stage.client().login()
    for number, stream in enumerate(("mixed-a", "mixed-b")):
        client.declare(number, stream, "same")
        client.subscribe(number, stream, credit=3)
    for n in range(10):
        for number in (0, 1):
            client.publish(number, 1 + 3 * n, bodies(3))
        for frame in client.drain(0.1):
            if frame.key == wire.DELIVER:
                client.credit(frame.body[0])
    for frame in client.drain(1):
        if frame.key == wire.DELIVER:
            client.credit(frame.body[0])
    for number in (0, 1):
        client.unsubscribe(number)
        client.request(wire.DELETE_PUBLISHER, u8(number))
    client.close()
    return {}


@scenario(
    "A named publisher that comes back and sends again what was not confirmed",
    healthy=True,
    setup=made("comes-back"),
    shows="The connection is dropped behind a batch; on the next one the sequence is asked for and "
    "the ids above it are published.",
)
def strange_comes_back(stage: Stage) -> Facts:
    following = 1
    for turn in range(3):
        client = stage.client().login()
        client.declare(0, "comes-back", "ledger")
        answer = client.request(wire.QUERY_SEQUENCE, string("ledger") + string("comes-back"))
        following = int.from_bytes(answer.body[6:14], "big") + 1
        client.publish(0, following, bodies(20))
        if turn < 2:
            client.confirmed(20)
            client.publish(0, following + 20, bodies(5))
            time.sleep(0.3)
            client.close()
        else:
            client.confirmed(20)
            client.request(wire.DELETE_PUBLISHER, u8(0))
            client.close()
    return {"following": following}


@scenario(
    "Large messages and small ones",
    healthy=True,
    setup=made("large"),
    shows="Messages of 1 to 900,000 bytes, then all of them consumed.",
)
def strange_large(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "large")
    for number, length in enumerate((1, 900, 90_000, 900_000, 1)):
        client.publish(0, number, [bytes(length)])
    client.confirmed(5)
    client.subscribe(0, "large", credit=2)
    consumed = client.consume(0, 5)
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"consumed": consumed}


@scenario(
    "A quiet connection whose heartbeats are sent every second",
    healthy=True,
    setup=made("quiet"),
    shows="Eight seconds without anything else.",
)
def strange_quiet(stage: Stage) -> Facts:
    client = stage.client().login(heartbeat=2)
    for _ in range(8):
        time.sleep(1)
        client.send(wire.HEARTBEAT)
    client.close()
    return {}


@scenario(
    "The operator closes the connection",
    healthy=True,
    setup=fill("operated", 2),
    shows="close_all_connections: Close of the broker, answered; then the client connects again.",
)
def strange_operator(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "operated", credit=5)
    client.drain(0.5)
    stage.ctl("close_all_connections maintenance")
    frame = client.until(wire.CLOSE, wait=5)
    if frame is not None:
        client.send(wire.CLOSE | wire.RESPONSE, frame.body[:4] + u16(1))
    client.ended(3)
    again = stage.client().login()
    again.subscribe(0, "operated", wire.offset(5), credit=5)
    again.drain(0.5)
    again.unsubscribe(0)
    again.close()
    return {"closed": frame is not None}


@scenario(
    "Two single active consumers take turns",
    healthy=True,
    release="4",
    setup=fill("turns", 3),
    shows="The active one leaves, the standby becomes active and goes on from the stored offset.",
)
def strange_turns(stage: Stage) -> Facts:
    alone = {"single-active-consumer": "true", "name": "turns"}
    one, other = stage.client().login(), stage.client().login()
    one.subscribe(0, "turns", credit=5, properties=alone)
    first = answer_update(one, wire.FIRST)
    other.subscribe(0, "turns", credit=5, properties=alone)
    one.drain(0.5)
    one.send(wire.STORE_OFFSET, string("turns") + string("turns") + u64(9))
    time.sleep(0.2)
    one.unsubscribe(0)
    second = answer_update(other, wire.offset(10))
    other.drain(0.5)
    other.unsubscribe(0)
    one.close()
    other.close()
    return {"first": first, "second": second}


@scenario(
    "Credit in large and small numbers",
    healthy=True,
    setup=fill("uneven", 30),
    shows="Initial credit 10, then 5 whenever half is used, then 1 by 1.",
)
def strange_uneven_credit(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "uneven", credit=10)
    delivered = 0
    while frames := [f for f in client.drain(0.6) if f.key == wire.DELIVER]:
        delivered += len(frames)
        if delivered < 20:
            client.credit(0, len(frames))
        else:
            for _ in frames:
                client.credit(0, 1)
    client.unsubscribe(0)
    client.close()
    return {"delivered": delivered}


@scenario(
    "Filters on both sides",
    healthy=True,
    release="4",
    setup=made("filters"),
    shows="Publish version 2 with and without values, Subscribe with filters, Deliver version 2.",
)
def strange_filters(stage: Stage) -> Facts:
    client = stage.client().login()
    mine = u32(2) + u16(wire.PUBLISH) + u16(1) + u16(2) + u16(wire.DELIVER) + u16(1) + u16(2)
    client.request(wire.EXCHANGE_VERSIONS, mine)
    client.declare(0, "filters")
    publish_2(client, 0, [filtered(n, "ab"[n % 2], b"x") for n in range(10)])
    publish_2(client, 0, [filtered(10, None, b"y")])
    client.confirmed(11)
    chosen = {"filter.0": "a", "match-unfiltered": "true"}
    client.subscribe(0, "filters", credit=5, properties=chosen)
    delivered = sum(f.key == wire.DELIVER for f in client.drain(1))
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"delivered": delivered}
