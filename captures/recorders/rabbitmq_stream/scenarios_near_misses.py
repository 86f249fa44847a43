"""Healthy near misses: what comes close to a bug of `scenarios_bugs` and is none."""

import time

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.relay import only, relay
from captures.recorders.rabbitmq_stream.scenarios_broker_3 import bodies, fill, made
from captures.recorders.rabbitmq_stream.scenarios_bugs import ALONE
from captures.recorders.rabbitmq_stream.scenarios_bugs_relayed import ANSWER, ask, late
from captures.recorders.rabbitmq_stream.setup import RELAY, Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import string, u8, u16, u32, u64


@scenario(
    "A consumer that renews its credit late, but in time",
    healthy=True,
    setup=fill("near-credit", 8),
    shows="Credit 2 of eight chunks; each pair of deliveries is worked on for a second before the "
    "next two credits.",
)
def credit_late_in_time(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "near-credit", credit=2)
    consumed = 0
    for _ in range(4):
        frames = [f for f in client.drain(1) if f.key == wire.DELIVER]
        consumed += 5 * len(frames)
        client.credit(0, len(frames))
    client.unsubscribe(0)
    client.close()
    return {"consumed": consumed}


@scenario(
    "A consumer at the end of its stream, its credit used up",
    healthy=True,
    setup=fill("near-end", 2),
    shows="Two chunks, credit two: both are delivered, there is no more, and the client has no "
    "reason to hurry.",
)
def credit_used_up_at_the_end(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "near-end", credit=2)
    delivered = sum(f.key == wire.DELIVER for f in client.drain(5))
    client.unsubscribe(0)
    client.close()
    return {"consumed": 5 * delivered}


@scenario(
    "Credit on its way while the subscription ends",
    healthy=True,
    setup=fill("near-race", 2),
    shows="Unsubscribe and Credit in one segment: 0x8009 with code 4, the usual race.",
    faults={
        "RMQ-I5": "Credit in the moment after Unsubscribe: a note",
        "RMQ-C4": "its answer: a note",
    },
)
def credit_races_with_unsubscribe(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(3, "near-race")
    consumed = client.consume(3, 10)
    client.together(
        client.frame(wire.UNSUBSCRIBE, u32(50) + u8(3)),
        client.frame(wire.CREDIT, u8(3) + u16(1)),
    )
    answers = sorted(f.key for f in client.drain(1) if f.key != wire.DELIVER)
    client.close()
    return {"consumed": consumed, "answers": answers}


@scenario(
    "ConsumerUpdate answered after eight seconds",
    release="4",
    healthy=True,
    setup=fill("near-update", 2),
    shows="The client looks up its offset in a slow database first; then the deliveries come.",
)
def consumer_update_answered_late(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "near-update", properties=ALONE)
    update = client.until(wire.CONSUMER_UPDATE)
    assert update
    time.sleep(8)
    client.send(wire.CONSUMER_UPDATE | wire.RESPONSE, update.body[:4] + u16(1) + wire.offset(5))
    consumed = client.consume(0, 5)
    client.unsubscribe(0)
    client.close()
    return {"consumed": consumed}


@scenario(
    "One correlation id for everything, one request at a time",
    healthy=True,
    setup=made("near-ids"),
    shows="Every request has id 42, each sent after the answer to the one before it.",
)
def correlation_id_kept(stage: Stage) -> Facts:
    client = stage.client()
    request = client.request

    def always(key: int, body: bytes = b"") -> wire.Frame:
        client.correlation = 41
        return request(key, body)

    client.request = always  # type: ignore[method-assign]
    client.login()
    for _ in range(3):
        client.request(wire.METADATA, wire.strings(["near-ids"]))
        client.request(wire.QUERY_SEQUENCE, string("r") + string("near-ids"))
    client.close()
    return {"codes": client.codes[-1:]}


@scenario(
    "Publisher and subscription ids used again after they were given back",
    healthy=True,
    setup=fill("near-reuse", 2),
    shows="DeclarePublisher and DeletePublisher, Subscribe and Unsubscribe, three times with the "
    "same ids and the same reference.",
)
def ids_reused_in_turn(stage: Stage) -> Facts:
    client = stage.client().login()
    confirmed = consumed = 0
    for turn in range(3):
        client.declare(1, "near-reuse", "billing")
        client.publish(1, 1 + 5 * turn, bodies(5))
        confirmed += client.confirmed(5)
        client.request(wire.DELETE_PUBLISHER, u8(1))
        client.subscribe(1, "near-reuse", wire.offset(5 * turn))
        consumed += client.consume(1, 5)
        client.unsubscribe(1)
    client.close()
    return {"published": 15, "confirmed": confirmed, "consumed_at_least": consumed}


@scenario(
    "Publishing ids that repeat, without a reference",
    healthy=True,
    setup=made("near-repeat"),
    shows="Ids 1 to 5 three times by a publisher without a name: nothing is dropped, every one is "
    "confirmed each time.",
)
def publishing_ids_repeat_without_reference(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "near-repeat")
    confirmed = 0
    for _ in range(3):
        client.publish(0, 1, bodies(5))
        confirmed += client.confirmed(5)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.subscribe(0, "near-repeat")
    consumed = client.consume(0, 15)
    client.unsubscribe(0)
    client.close()
    return {"published": 15, "confirmed": confirmed, "consumed": consumed}


@scenario(
    "Heartbeats a little late",
    healthy=True,
    shows="Two seconds agreed, a heartbeat of the client every 3.2: before the broker minds.",
)
def heartbeats_late(stage: Stage) -> Facts:
    client = stage.client().login(heartbeat=2)
    for _ in range(4):
        client.drain(3.2)
        client.send(wire.HEARTBEAT)
    client.close()
    return None


@scenario(
    "Frames of exactly the agreed maximum",
    release="4",
    healthy=True,
    setup=made("near-maximum"),
    shows="Tune answered with 4096 bytes; Publish frames whose size is 4096 and 4095: both taken.",
)
def frame_of_agreed_maximum(stage: Stage) -> Facts:
    client = stage.client().login(frame_max=4096)
    client.declare(0, "near-maximum")
    confirmed = 0
    for publishing_id, size in enumerate((4096, 4095)):
        data = wire.message(b"x" * (size - 29))
        client.send(wire.PUBLISH, u8(0) + u32(1) + wire.entry(publishing_id, data))
        confirmed += client.confirmed(1)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 2, "confirmed": confirmed}


@scenario(
    "Unlimited frames and no heartbeat",
    healthy=True,
    setup=made("near-zero"),
    shows="Tune answered with 0 and 0: the server's own maximum holds, nobody sends a heartbeat.",
)
def tune_zero(stage: Stage) -> Facts:
    client = stage.client().login(frame_max=0, heartbeat=0)
    client.declare(0, "near-zero")
    client.publish(0, 0, bodies(3))
    confirmed = client.confirmed(3)
    client.drain(4)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 3, "confirmed": confirmed}


@scenario(
    "A consumer that waits for its stream to be made",
    healthy=True,
    shows="Subscribe refused three times with 2, a second apart; then the stream is there.",
    faults={"RMQ-X6": "code 2, three times: notes"},
)
def subscribe_until_it_is_there(stage: Stage) -> Facts:
    client = stage.client().login()
    codes = []
    for _ in range(3):
        codes.append(client.subscribe(0, "near-later").code)
        time.sleep(1)
    client.create("near-later")
    codes.append(client.subscribe(0, "near-later").code)
    client.unsubscribe(0)
    client.close()
    return {"codes": codes}


@scenario(
    "Metadata asked some times for the same streams",
    healthy=True,
    setup=made("near-asked", "near-asked-too"),
    shows="Six producers of one program, each asking for its stream's leader when it starts.",
)
def metadata_asked_often(stage: Stage) -> Facts:
    client = stage.client().login()
    for _ in range(6):
        client.request(wire.METADATA, wire.strings(["near-asked", "near-asked-too"]))
        time.sleep(0.1)
    client.close()
    return {"asked": 6}


@scenario(
    "Short connections, now and then",
    healthy=True,
    setup=made("near-short"),
    shows="A tool that is run four times: a connection, one Metadata, Close, two seconds between.",
)
def connections_now_and_then(stage: Stage) -> Facts:
    for _ in range(4):
        client = stage.client().login()
        client.request(wire.METADATA, wire.strings(["near-short"]))
        client.close()
        time.sleep(2)
    return {"connections": 4}


@scenario(
    "A consumer that waits at the end",
    healthy=True,
    setup=fill("near-wait", 3),
    shows="Subscribe at the offset behind the last message: four seconds of nothing, then a "
    "publisher writes, and the consumer gets it.",
)
def offset_behind_the_last(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "near-wait", wire.offset(15))
    early = len(client.drain(4))
    client.declare(0, "near-wait")
    client.publish(0, 0, bodies(4))
    confirmed = client.confirmed(4)
    consumed = client.consume(0, 4)
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"early": early, "published": 4, "confirmed": confirmed, "consumed": consumed}


@scenario(
    "A timestamp in milliseconds, of an hour ago",
    healthy=True,
    setup=fill("near-hour", 2),
    shows="Subscribe from an hour ago on: everything is younger, everything comes.",
)
def timestamp_an_hour_ago(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "near-hour", wire.timestamp(int(time.time() * 1000) - 3600000))
    consumed = client.consume(0, 10)
    client.unsubscribe(0)
    client.close()
    return {"consumed": consumed}


@scenario(
    "Umlauts in names, counted in bytes",
    healthy=True,
    shows="A connection name, a stream, a publisher's and a consumer's reference outside ASCII, "
    "every length right.",
)
def names_outside_ascii(stage: Stage) -> Facts:
    client = stage.client(name="Büro Süd").login()
    client.create("bestellüngö")
    client.declare(0, "bestellüngö", "Zähler 日本")
    client.publish(0, 1, bodies(3))
    confirmed = client.confirmed(3)
    client.subscribe(0, "bestellüngö", properties={"name": "Prüfer"})
    consumed = client.consume(0, 3)
    client.send(wire.STORE_OFFSET, string("Prüfer") + string("bestellüngö") + u64(2))
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 3, "confirmed": confirmed, "consumed": consumed}


@scenario(
    "The broker's longest reference",
    release="4",
    healthy=True,
    setup=made("near-longest"),
    shows="A publisher's reference and a consumer's name of 255 bytes.",
)
def reference_of_255_bytes(stage: Stage) -> Facts:
    client = stage.client().login()
    longest = "r" * 255
    codes = [
        client.declare(0, "near-longest", longest).code,
        client.subscribe(0, "near-longest", properties={"name": longest}).code,
    ]
    client.publish(0, 1, bodies(3))
    confirmed = client.confirmed(3)
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"codes": codes, "published": 3, "confirmed": confirmed}


@scenario(
    "A stream is deleted, and its producer understands",
    healthy=False,
    setup=fill("near-gone"),
    shows="One Publish is on its way when MetadataUpdate comes (PublishError 18); then the client "
    "stops, asks Metadata, is told 2, and closes. Not healthy, since the stream is gone; the "
    "client does what it should.",
    faults={"RMQ-M2": "code 2 in Metadata", "RMQ-U7": "18, in the race: a note"},
)
def deletion_understood(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(3, "near-gone")
    client.publish(3, 0, bodies(2))
    confirmed = client.confirmed(2)
    other = stage.client().login()
    other.delete("near-gone")
    client.publish(3, 10, bodies(1))
    other.close()
    update = client.until(wire.METADATA_UPDATE)
    client.request(wire.METADATA, wire.strings(["near-gone"]))
    client.drain(0.5)
    client.close()
    return {"published": 3, "confirmed": confirmed, "metadata_updates": int(update is not None)}


@scenario(
    "An answer after four seconds",
    healthy=True,
    setup=made("near-late"),
    relay="it holds the first QueryOffset response back for four seconds.",
    shows="A slow answer that still comes in time.",
)
def answer_after_four_seconds(stage: Stage) -> Facts:
    with relay(only(ANSWER, 1, late(4))):
        client = stage.client(port=RELAY).login()
        ask(client, "near-late", 50)
        client.until(ANSWER)
        client.close()
    return None
