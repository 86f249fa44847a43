"""Bugs of real clients, played again by small clients that misbehave in the same way.

Each says with `blame`, before anything of ours reads the packets, which frame is the guilty one.
Where a frame is missing it is the one that goes without: the request without its answer, the
delivery that used up the credit, the last frame before the silence.
"""

import gzip
import time
from collections.abc import Callable

from captures.recorders.rabbitmq_stream import wire
from captures.recorders.rabbitmq_stream.scenarios_broker_3 import bodies, fill, made
from captures.recorders.rabbitmq_stream.scenarios_broker_4 import (
    DELIVER_2,
    THREE,
    answer_update,
    filtered,
    leader_of,
    publish_2,
)
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario
from captures.recorders.rabbitmq_stream.wire import string, u8, u16, u32, u64

ALONE = {"single-active-consumer": "true", "name": "group"}
CODE_2 = "code 2, the same each time"


def characters(value: str) -> bytes:
    """A string whose length counts characters, as some clients write it."""
    return u16(len(value)) + value.encode()


def plain(user: str, password: str) -> bytes:
    """SaslAuthenticate's body for PLAIN."""
    secret = f"\0{user}\0{password}".encode()
    return string("PLAIN") + u32(len(secret)) + secret


def after(client: wire.Client, key: int, body: bytes, wait: float = 3) -> bool:
    """Sends a frame; whether the server sends a Close, which is answered."""
    client.send(key, body)
    if client.until(wire.CLOSE, wait=wait) is None:
        return False
    client.send(wire.CLOSE | wire.RESPONSE, u32(1) + u16(1))
    return True


@scenario(
    "One credit for each message instead of one for each chunk",
    healthy=False,
    setup=fill("bug-credits", 4, 50),
    shows="Chunks of 50 messages; the client gives a credit for each message that it hands on.",
    faults={"RMQ-C5": "50 credits for each delivery, one each"},
)
def bug_credit_per_message(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "bug-credits", credit=2)
    consumed = 0
    while consumed < 200 and (frame := client.until(wire.DELIVER, wait=5)):
        count = int.from_bytes(frame.body[5:9], "big")
        consumed += count
        client.together(*(client.frame(wire.CREDIT, u8(0) + u16(1)) for _ in range(count)))
    credits_sent = [n for n, one in enumerate(client.sent, 1) if one.key == wire.CREDIT]
    stage.blame("C5", client, nth=credits_sent[2], last=credits_sent[-1])
    client.unsubscribe(0)
    client.close()
    return {"consumed": consumed, "credits": len(credits_sent)}


@scenario(
    "Credit for the wrong subscription id",
    healthy=False,
    setup=fill("bug-credits-id", 3),
    shows="Subscription 1 gets one chunk for its credit of one; the client gives credit to "
    "subscription 0, which is not there: 0x8009 with code 4, and nothing more for 1.",
    faults={"RMQ-I5": "Credit for subscription 0", "RMQ-C4": "the broker answers 4"},
)
def bug_credit_to_wrong_subscription(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(1, "bug-credits-id", credit=1)
    client.until(wire.DELIVER)
    client.credit(0, 1)
    stage.blame("I5", client)
    rest = [f.key for f in client.drain(4)]
    client.unsubscribe(1)
    client.close()
    return {"delivered": 1 + rest.count(wire.DELIVER), "answers": rest.count(0x8009)}


@scenario(
    "A credit of zero",
    healthy=False,
    setup=fill("bug-credit-zero", 3),
    shows="Credit with the value 0 behind each delivery: nothing more comes.",
    faults={"RMQ-C6": "Credit 0"},
)
def bug_credit_of_zero(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "bug-credit-zero", credit=1)
    client.until(wire.DELIVER)
    client.credit(0, 0)
    stage.blame("C6", client)
    rest = client.drain(4)
    client.unsubscribe(0)
    client.close()
    return {"delivered": 1 + sum(f.key == wire.DELIVER for f in rest)}


@scenario(
    "A consumer that never renews its credit",
    release="4",
    healthy=False,
    setup=fill("bug-starves", 6),
    shows="Deliver version 2, credit 2 of six chunks: two deliveries whose committed chunk id says "
    "that more is there, then five seconds of nothing.",
    faults={"RMQ-C2": "the credit is used up and never renewed, the stream has more"},
)
def bug_credit_never_renewed(stage: Stage) -> Facts:
    client = stage.client().login()
    client.request(wire.EXCHANGE_VERSIONS, DELIVER_2)
    client.subscribe(0, "bug-starves", credit=2)
    delivered = [f for f in client.drain(5) if f.key == wire.DELIVER]
    stage.blame("C2", client, "server", key=wire.DELIVER)
    client.unsubscribe(0)
    client.close()
    return {"delivered": len(delivered)}


@scenario(
    "ConsumerUpdate answered with the client's own correlation id",
    release="4",
    healthy=False,
    setup=fill("bug-update-id"),
    shows="The server asks with its own correlation id 0, the client answers with the next id of "
    "its own: ignored; nothing is delivered, and after 60 s the connection ends without a Close.",
    faults={
        "RMQ-X1": "an answer to a request that the server never sent",
        "RMQ-A1": "the server's request has no answer",
        "RMQ-K2": "no Close at the end",
    },
)
def bug_consumer_update_wrong_id(stage: Stage) -> Facts:
    client = stage.client().login(heartbeat=0)
    client.subscribe(0, "bug-update-id", properties=ALONE)
    update = client.until(wire.CONSUMER_UPDATE)
    stage.blame("A1", client, "server", key=wire.CONSUMER_UPDATE)
    client.send(wire.CONSUMER_UPDATE | wire.RESPONSE, u32(client.correlation + 1) + u16(1) + u16(0))
    stage.blame("X1", client)
    return {"updates": int(update is not None), "server_ended": client.ended(75)}


@scenario(
    "ConsumerUpdate answered with an offset far behind the end of the stream",
    release="4",
    healthy=False,
    setup=fill("bug-update-beyond", 3),
    shows="15 messages; the answer says offset 1000000, a value of another stream: the new active "
    "consumer gets nothing.",
    faults={"RMQ-A5": "the offset is beyond the known end"},
)
def bug_consumer_update_beyond_end(stage: Stage) -> Facts:
    client = stage.client().login()
    client.request(wire.STREAM_STATS, string("bug-update-beyond"))
    client.subscribe(0, "bug-update-beyond", properties=ALONE)
    answer_update(client, wire.offset(1000000))
    stage.blame("A5", client)
    delivered = sum(f.key == wire.DELIVER for f in client.drain(4))
    client.unsubscribe(0)
    client.close()
    return {"delivered": delivered}


@scenario(
    "Publish before DeclarePublisher",
    healthy=False,
    setup=made("bug-early"),
    shows="Publish and DeclarePublisher in one segment, in this order: PublishError 18, then the "
    "publisher is there, and the next Publish is confirmed.",
    faults={"RMQ-I1": "publisher 0 is not declared yet", "RMQ-U7": "the broker answers 18"},
)
def bug_publish_before_declare(stage: Stage) -> Facts:
    client = stage.client().login()
    first = u8(0) + u32(1) + wire.entry(0, wire.message(b"too early"))
    declare = u32(50) + u8(0) + string("") + string("bug-early")
    client.together(
        client.frame(wire.PUBLISH, first), client.frame(wire.DECLARE_PUBLISHER, declare)
    )
    stage.blame("I1", client, key=wire.PUBLISH)
    client.until(wire.DECLARE_PUBLISHER | wire.RESPONSE)
    client.publish(0, 1, [b"in time"])
    confirmed = client.confirmed(1)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 2, "confirmed": confirmed}


@scenario(
    "Publish to a publisher that was deleted",
    healthy=False,
    setup=made("bug-deleted"),
    shows="DeletePublisher, answered 1; a second later another thread still publishes with its id: "
    "PublishError 18.",
    faults={"RMQ-I1": "publisher 3 was deleted", "RMQ-U7": "the broker answers 18"},
)
def bug_publish_after_delete(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(3, "bug-deleted")
    client.publish(3, 0, bodies(3))
    confirmed = client.confirmed(3)
    client.request(wire.DELETE_PUBLISHER, u8(3))
    time.sleep(1)
    client.publish(3, 3, bodies(2, "late"))
    stage.blame("I1", client)
    refused = client.until(wire.PUBLISH_ERROR, wait=5)
    client.close()
    return {"published": 5, "confirmed": confirmed, "publish_errors": int(refused is not None)}


@scenario(
    "The counter of publishing ids starts again after a reconnect",
    healthy=False,
    setup=made("bug-restarts"),
    shows="Ids 1 to 10 of publisher 'billing'; on the next connection the client asks for the last "
    "sequence, is told 10, and starts at 1 all the same: confirmed, none of them stored.",
    faults={"RMQ-I6": "ids 1 to 5 are not above the stored 10"},
)
def bug_sequence_restarts(stage: Stage) -> Facts:
    first = stage.client().login()
    first.declare(0, "bug-restarts", "billing")
    first.publish(0, 1, bodies(10))
    confirmed = first.confirmed(10)
    first.request(wire.DELETE_PUBLISHER, u8(0))
    first.close()
    second = stage.client().login()
    asked = second.request(wire.QUERY_SEQUENCE, string("billing") + string("bug-restarts"))
    second.declare(0, "bug-restarts", "billing")
    second.publish(0, 1, bodies(5, "new"))
    stage.blame("I6", second)
    confirmed += second.confirmed(5)
    second.subscribe(0, "bug-restarts")
    consumed = second.consume(0, 15, wait=2)
    second.unsubscribe(0)
    second.request(wire.DELETE_PUBLISHER, u8(0))
    second.close()
    sequence = int.from_bytes(asked.body[6:], "big")
    return {"published": 15, "confirmed": confirmed, "consumed": consumed, "sequences": [sequence]}


@scenario(
    "The same publishing ids twice in flight",
    healthy=False,
    setup=made("bug-twice"),
    shows="A retry before the confirm came: ids 1 to 5 of one reference in two Publish frames in "
    "one segment, both confirmed, stored once.",
    faults={"RMQ-I6": "ids 1 to 5 again: confirmed, but not stored"},
)
def bug_publishing_ids_twice(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "bug-twice", "billing")
    five = b"".join(wire.entry(n, wire.message(b"order %d" % n)) for n in range(1, 6))
    frame = client.frame(wire.PUBLISH, u8(0) + u32(5) + five)
    client.together(frame, frame)
    stage.blame("I6", client)
    confirmed = client.confirmed(10)
    client.subscribe(0, "bug-twice")
    consumed = client.consume(0, 10, wait=2)
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 10, "confirmed": confirmed, "consumed": consumed}


@scenario(
    "A counter of publisher ids that passes 255",
    healthy=False,
    setup=made("bug-wraps"),
    shows="A publisher for each message, never deleted: 256 of them are declared, the next wraps "
    "to id 0, which is in use: 17.",
    faults={"RMQ-I3": "256 live publishers", "RMQ-I2": "id 0 is in use"},
)
def bug_publisher_ids_wrap(stage: Stage) -> Facts:
    client = stage.client().login()
    codes = [client.declare(n & 0xFF, "bug-wraps").code for n in range(257)]
    stage.blame("I2 I3", client)
    client.close()
    return {"declared": codes.count(1), "codes": [codes[-1]]}


@scenario(
    "Offset type next with an offset behind it",
    healthy=False,
    setup=fill("bug-next"),
    shows="An encoder that always writes the eight bytes of the offset: the broker's parser "
    "crashes, the connection ends without a Close.",
    faults={"RMQ-D15": "type next has no value", "RMQ-K2": "no Close at the end"},
)
def bug_offset_value_with_next(stage: Stage) -> Facts:
    client = stage.client().login()
    client.send(wire.SUBSCRIBE, u32(9) + u8(0) + string("bug-next") + wire.NEXT + u64(0) + u16(10))
    stage.blame("D15", client)
    return {"server_ended": client.ended(5)}


@scenario(
    "Offset type offset without the offset",
    healthy=False,
    setup=fill("bug-no-offset"),
    shows="Subscribe with type 4 and no value.",
    faults={"RMQ-D15": "type offset needs a value"},
)
def bug_offset_value_missing(stage: Stage) -> Facts:
    client = stage.client().login()
    body = u32(9) + u8(0) + string("bug-no-offset") + u16(4) + u16(10)
    closed = after(client, wire.SUBSCRIBE, body)
    stage.blame("D15", client, key=wire.SUBSCRIBE)
    return {"server_closed": closed, "server_ended": client.ended(5)}


@scenario(
    "A timestamp in seconds where milliseconds belong",
    healthy=False,
    setup=fill("bug-seconds", 3),
    shows="Subscribe from the time 'now' in seconds, which is a day in January 1970 in "
    "milliseconds: everything is delivered again.",
    faults={"RMQ-D14": "a timestamp below 1e12"},
)
def bug_timestamp_in_seconds(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "bug-seconds", wire.timestamp(int(time.time())))
    stage.blame("D14", client)
    consumed = client.consume(0, 15)
    client.unsubscribe(0)
    client.close()
    return {"consumed": consumed}


@scenario(
    "A timestamp is stored where an offset belongs",
    healthy=False,
    setup=fill("bug-stored", 3),
    shows="StoreOffset with milliseconds since 1970, QueryOffset after a reconnect, Subscribe at "
    "that offset: far beyond the end, nothing comes.",
    faults={"RMQ-D13": "offset 1.7e12 of a stream with 15 messages"},
)
def bug_offset_is_a_timestamp(stage: Stage) -> Facts:
    what = string("reader") + string("bug-stored")
    first = stage.client().login()
    first.subscribe(0, "bug-stored")
    consumed = first.consume(0, 15)
    first.send(wire.STORE_OFFSET, what + u64(int(time.time() * 1000)))
    time.sleep(0.5)
    first.unsubscribe(0)
    first.close()
    second = stage.client().login()
    answer = second.request(wire.QUERY_OFFSET, what)
    stored = int.from_bytes(answer.body[6:14], "big")
    second.subscribe(0, "bug-stored", wire.offset(stored + 1))
    stage.blame("D13", second)
    consumed += sum(f.key == wire.DELIVER for f in second.drain(5))
    second.unsubscribe(0)
    second.close()
    return {"consumed": consumed}


@scenario(
    "The length of a stream's name counts characters",
    healthy=False,
    shows="Create of a name with two umlauts, its length two too small: the rest of the name is "
    "read as the count of the arguments. The count does not matter to the broker, the bytes do.",
    faults={"RMQ-S1": "11 characters, 13 bytes"},
)
def bug_characters_counted_in_name(stage: Stage) -> Facts:
    client = stage.client().login()
    closed = after(client, wire.CREATE, u32(9) + characters("bestellüngö") + u32(0))
    stage.blame("S1", client, key=wire.CREATE)
    return {"server_closed": closed, "server_ended": client.ended(5)}


@scenario(
    "The length of a property counts characters",
    healthy=False,
    setup=fill("bug-property"),
    shows="Subscribe with the consumer's name 'Prüfer', its length one too small: the last byte is "
    "read as the start of nothing, and the connection ends without a Close.",
    faults={"RMQ-S1": "the value has more bytes than its length says"},
)
def bug_characters_counted_in_properties(stage: Stage) -> Facts:
    client = stage.client().login()
    names = {"name": "Prüfer", "single-active-consumer": "true"}
    rows = b"".join(characters(k) + characters(v) for k, v in names.items())
    body = u32(9) + u8(0) + string("bug-property") + wire.FIRST + u16(10)
    client.send(wire.SUBSCRIBE, body + u32(len(names)) + rows)
    stage.blame("S1", client)
    closing = client.until(wire.CLOSE, wait=3)
    return {"server_closed": closing is not None, "server_ended": client.ended(12)}


@scenario(
    "A heartbeat is agreed and another one kept",
    healthy=False,
    shows="The client answers Tune with two seconds and sends its heartbeats every ten: the end of "
    "the connection without a Close before the first one.",
    faults={"RMQ-H1": "the client is silent for 6 s of 2 agreed", "RMQ-K2": "no Close at the end"},
)
def bug_heartbeat_slower_than_agreed(stage: Stage) -> Facts:
    client = stage.client().login(heartbeat=2)
    stage.blame("H1", client)
    return {"server_ended": client.ended(10)}


@scenario(
    "Heartbeats although none were agreed",
    healthy=False,
    shows="Tune answered with heartbeat 0; the client's timer sends one every second.",
    faults={"RMQ-H3": "no heartbeat was agreed"},
)
def bug_heartbeat_despite_zero(stage: Stage) -> Facts:
    client = stage.client().login(heartbeat=0)
    for _ in range(4):
        client.send(wire.HEARTBEAT)
        client.drain(1)
    stage.blame("H3", client, nth=len(client.sent) - 3, last=len(client.sent))
    client.close()
    return None


@scenario(
    "Heartbeats in milliseconds",
    healthy=False,
    shows="Two seconds agreed, a heartbeat every 20 ms: a timer in the wrong unit.",
    faults={"RMQ-H4": "heartbeats a hundred times too often"},
)
def bug_heartbeat_every_moment(stage: Stage) -> Facts:
    client = stage.client().login(heartbeat=2)
    for _ in range(100):
        client.send(wire.HEARTBEAT)
        client.drain(0.02)
    stage.blame("H4", client, nth=len(client.sent) - 99, last=len(client.sent))
    client.close()
    return None


@scenario(
    "A heartbeat answered as if it were a request",
    healthy=False,
    shows="The server's heartbeat is sent back with the response bit (0x8017): Close 13.",
    faults={"RMQ-F7": "Heartbeat has no response", "RMQ-K1": "Close 13"},
)
def bug_heartbeat_as_response(stage: Stage) -> Facts:
    client = stage.client().login(heartbeat=2)
    client.send(wire.HEARTBEAT)
    client.until(wire.HEARTBEAT)
    closed = after(client, wire.HEARTBEAT | wire.RESPONSE, b"")
    stage.blame("F7", client, key=wire.HEARTBEAT | wire.RESPONSE)
    return {"server_closed": closed, "server_ended": client.ended(12)}


@scenario(
    "A frame above the maximum that the client itself asked for",
    healthy=False,
    setup=made("bug-maximum"),
    shows="Tune answered with 4096 bytes, then a Publish of 6000: 3.10 takes it; a newer broker "
    "closes with 14.",
    faults={"RMQ-T3": "6000 bytes where 4096 were agreed"},
)
def bug_frame_above_own_maximum(stage: Stage) -> Facts:
    client = stage.client().login(frame_max=4096)
    client.declare(0, "bug-maximum")
    client.publish(0, 0, [b"x" * 6000])
    stage.blame("T3", client)
    confirmed = client.confirmed(1)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 1, "confirmed": confirmed}


@scenario(
    "Tune is not answered",
    healthy=False,
    setup=made("bug-untuned"),
    shows="Open straight after the server's Tune: the broker takes it.",
    faults={"RMQ-T1": "Open without an answer to Tune"},
)
def bug_tune_unanswered(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    client.authenticate()
    client.until(wire.TUNE)
    stage.blame("T1", client, "server", key=wire.TUNE)
    code = client.request(wire.OPEN, string("/")).code
    stage.blame("T1", client)
    client.declare(0, "bug-untuned")
    client.publish(0, 0, bodies(3))
    confirmed = client.confirmed(3)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"codes": [code], "confirmed": confirmed}


@scenario(
    "Tune is answered twice",
    healthy=False,
    shows="0x8014 and then 0x0014, in one segment: what the broker makes of the second.",
    faults={"RMQ-T1": "a second answer"},
)
def bug_tune_twice(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    client.authenticate()
    client.until(wire.TUNE)
    values = u32(1048576) + u32(60)
    client.together(
        client.frame(wire.TUNE | wire.RESPONSE, values), client.frame(wire.TUNE, values)
    )
    stage.blame("T1", client)
    return {"server_ended": client.ended(12)}


@scenario(
    "Tune answered with more than the server offers",
    healthy=False,
    setup=made("bug-above-offer"),
    shows="1 MiB is offered, 8 MiB answered; the session goes on.",
    faults={"RMQ-T2": "8388608 bytes where 1048576 are offered"},
)
def bug_tune_above_offer(stage: Stage) -> Facts:
    client = stage.client().login(frame_max=8388608)
    stage.blame("T2", client, key=wire.TUNE | wire.RESPONSE)
    client.declare(0, "bug-above-offer")
    client.publish(0, 0, bodies(3))
    confirmed = client.confirmed(3)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 3, "confirmed": confirmed}


@scenario(
    "Tune answered with a correlation id and a code",
    healthy=False,
    shows="A generic encoder of responses writes Tune: the connection does not come up.",
    faults={"RMQ-T7": "a correlation id and a code before the two numbers"},
)
def bug_tune_as_response(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    client.authenticate()
    client.until(wire.TUNE)
    body = u32(4) + u16(1) + u32(1048576) + u32(60)
    client.send(wire.TUNE | wire.RESPONSE, body)
    stage.blame("T7", client)
    return {"server_ended": client.ended(12)}


@scenario(
    "The whole handshake sent at once",
    healthy=False,
    shows="PeerProperties, SaslHandshake and SaslAuthenticate in one segment: 3.10 answers all "
    "three with 1, sends no Tune, and ends the connection.",
    faults={"RMQ-N1": "a step before the answer to the one before it"},
)
def bug_handshake_at_once(stage: Stage) -> Facts:
    client = stage.client()
    client.together(
        client.frame(wire.PEER_PROPERTIES, u32(1) + wire.pairs({"product": "hasty"})),
        client.frame(wire.SASL_HANDSHAKE, u32(2)),
        client.frame(wire.SASL_AUTHENTICATE, u32(3) + plain("guest", "guest")),
    )
    stage.blame("N1", client, nth=2, last=3)
    answers = len(client.drain(1))
    return {"answers": answers, "server_ended": client.ended(12)}


@scenario(
    "ExchangeCommandVersions before Open",
    release="4",
    healthy=False,
    shows="Behind the answer to Tune, where Open belongs: the end of the connection.",
    faults={"RMQ-V1": "ExchangeCommandVersions before Open"},
)
def bug_exchange_before_open(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    client.authenticate()
    client.tune()
    client.send(wire.EXCHANGE_VERSIONS, u32(4) + DELIVER_2)
    stage.blame("V1", client)
    return {"server_ended": client.ended(12)}


@scenario(
    "A size that counts its own four bytes",
    healthy=False,
    setup=made("bug-size"),
    shows="DeclarePublisher with a size four too large: the broker waits for more, takes the first "
    "four bytes of the next frame for the end of this one, and closes.",
    faults={"RMQ-F1": "the size is four too large"},
)
def bug_size_counts_itself(stage: Stage) -> Facts:
    client = stage.client().login()
    body = u32(9) + u8(0) + string("") + string("bug-size")
    frame = client.frame(wire.DECLARE_PUBLISHER, body)
    client.together(u32(len(frame)) + frame[4:])
    stage.blame("F1", client)
    time.sleep(1)
    client.send(wire.METADATA, u32(10) + wire.strings(["bug-size"]))
    closing = client.until(wire.CLOSE, wait=5)
    return {"server_closed": closing is not None, "server_ended": client.ended(12)}


@scenario(
    "A name longer than its frame",
    healthy=False,
    setup=made("bug-inner"),
    shows="DeclarePublisher whose stream name claims 200 bytes and has 9: Close 13.",
    faults={"RMQ-F4": "a length beyond the frame's end", "RMQ-K1": "Close 13"},
)
def bug_text_longer_than_frame(stage: Stage) -> Facts:
    client = stage.client().login()
    body = u32(9) + u8(0) + string("") + u16(200) + b"bug-inner"
    closed = after(client, wire.DECLARE_PUBLISHER, body)
    stage.blame("F4", client, key=wire.DECLARE_PUBLISHER)
    return {"server_closed": closed, "server_ended": client.ended(12)}


@scenario(
    "A request with the response bit",
    healthy=False,
    setup=made("bug-bit"),
    shows="Metadata sent as 0x800f: the connection ends without a Close.",
    faults={"RMQ-F9": "the response bit on a request"},
)
def bug_request_with_response_bit(stage: Stage) -> Facts:
    client = stage.client().login()
    client.send(wire.METADATA | wire.RESPONSE, u32(9) + wire.strings(["bug-bit"]))
    stage.blame("F9", client)
    closing = client.until(wire.CLOSE, wait=3)
    return {"server_closed": closing is not None, "server_ended": client.ended(12)}


@scenario(
    "A client that creates its stream again and again",
    healthy=False,
    setup=made("bug-created"),
    shows="Create with another maximum age than the stream has, refused with 17, tried every "
    "200 ms without a pause or an end.",
    faults={"RMQ-X7": "the same refusal 15 times in 3 s", "RMQ-M8": "17"},
)
def bug_create_in_a_loop(stage: Stage) -> Facts:
    client = stage.client().login()
    codes = []
    for _ in range(15):
        codes.append(client.create("bug-created", {"max-age": "1h"}).code)
        time.sleep(0.2)
    creates = [n for n, one in enumerate(client.sent, 1) if one.key == wire.CREATE]
    stage.blame("X7", client, nth=creates[0], last=creates[-1])
    client.close()
    return {"codes": codes}


@scenario(
    "A consumer that subscribes again and again",
    healthy=False,
    shows="Subscribe to a stream that is not there, refused with 2, tried every 100 ms.",
    faults={"RMQ-X7": "the same refusal 20 times in 2 s", "RMQ-X6": CODE_2},
)
def bug_subscribe_in_a_loop(stage: Stage) -> Facts:
    client = stage.client().login()
    codes = []
    for _ in range(20):
        codes.append(client.subscribe(0, "bug-nowhere").code)
        time.sleep(0.1)
    asked = [n for n, one in enumerate(client.sent, 1) if one.key == wire.SUBSCRIBE]
    stage.blame("X7", client, nth=asked[0], last=asked[-1])
    client.close()
    return {"refused": codes.count(2)}


@scenario(
    "Metadata in a tight loop",
    healthy=False,
    shows="Metadata of a stream that is not there, 60 times in about two seconds.",
    faults={"RMQ-M2": "the same stream is asked for, and is not there, 60 times in two seconds"},
)
def bug_metadata_storm(stage: Stage) -> Facts:
    client = stage.client().login()
    for _ in range(60):
        client.request(wire.METADATA, wire.strings(["bug-not-yet"]))
        time.sleep(0.03)
    asked = [n for n, one in enumerate(client.sent, 1) if one.key == wire.METADATA]
    stage.blame("M2", client, nth=asked[0], last=asked[-1])
    client.close()
    return {"asked": len(asked)}


@scenario(
    "QueryOffset in a tight loop",
    healthy=False,
    setup=fill("bug-polled"),
    shows="A monitor that asks for one stored offset 200 times in about two seconds.",
    faults={"RMQ-X8": "the same question 200 times in 2 s, the answer always the same"},
)
def bug_query_offset_flood(stage: Stage) -> Facts:
    client = stage.client().login()
    what = string("reader") + string("bug-polled")
    client.send(wire.STORE_OFFSET, what + u64(3))
    time.sleep(0.5)
    for _ in range(200):
        client.request(wire.QUERY_OFFSET, what)
        time.sleep(0.01)
    asked = [n for n, one in enumerate(client.sent, 1) if one.key == wire.QUERY_OFFSET]
    stage.blame("X8", client, nth=asked[0], last=asked[-1])
    client.close()
    return {"asked": len(asked)}


@scenario(
    "A client that reconnects without a pause",
    healthy=False,
    shows="Twelve connections in about three seconds, each opened, never used, and closed.",
    faults={"RMQ-M4": "twelve connections without a command"},
)
def bug_reconnect_storm(stage: Stage) -> Facts:
    for _ in range(12):
        client = stage.client().login()
        stage.blame("M4", client, nth=1, last=len(client.sent))
        client.close()
        time.sleep(0.2)
    return {"connections": len(stage.connections)}


@scenario(
    "A wrong password, tried again and again",
    healthy=False,
    shows="Ten connections within seconds, each refused with 8 at once, as 3.10 does.",
    faults={"RMQ-N6": "code 8, ten times"},
)
def bug_wrong_password_in_a_loop(stage: Stage) -> Facts:
    codes = []
    for _ in range(10):
        client = stage.client()
        client.hello()
        codes.append(client.authenticate("guest", "guset").code)
        stage.blame("N6", client)
        client.ended(5)
        time.sleep(0.2)
    return {"codes": codes}


@scenario(
    "The wrong password of a user that the broker knows",
    release="4",
    healthy=False,
    setup=lambda stage: stage.ctl("add_user billing correct-horse"),
    shows="SaslAuthenticate PLAIN of the user billing: the broker holds its answer 8 back for "
    "three seconds, then ends the connection.",
    faults={"RMQ-N6": "code 8 after 3 s"},
)
def bug_wrong_password(stage: Stage) -> Facts:
    client = stage.client()
    mine = {
        "product": "billing-service",
        "version": "2.3.1",
        "platform": "test",
        "connection_name": "billing-service invoices",
    }
    client.request(wire.PEER_PROPERTIES, wire.pairs(mine))
    client.request(wire.SASL_HANDSHAKE)
    start = time.monotonic()
    code = client.authenticate("billing", "correct-hose").code
    held = time.monotonic() - start
    stage.blame("N6", client)
    return {"codes": [code], "answer_held_for_s": round(held), "server_ended": client.ended(5)}


@scenario(
    "A producer that does not hear that its stream is gone",
    healthy=False,
    setup=fill("bug-gone"),
    shows="MetadataUpdate; the client goes on publishing every 300 ms for two seconds, each "
    "answered with PublishError 18, and never asks Metadata.",
    faults={
        "RMQ-M6": "the publisher is used after MetadataUpdate",
        "RMQ-U7": "18",
    },
)
def bug_publishes_after_metadata_update(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(3, "bug-gone")
    client.publish(3, 0, bodies(2))
    confirmed = client.confirmed(2)
    other = stage.client().login()
    other.delete("bug-gone")
    other.close()
    update = client.until(wire.METADATA_UPDATE)
    time.sleep(0.5)
    first = len(client.sent) + 1
    for n in range(6):
        client.publish(3, 10 + n, bodies(1, "lost"))
        client.drain(0.3)
    stage.blame("M6", client, nth=first, last=len(client.sent))
    client.close()
    return {"published": 8, "confirmed": confirmed, "metadata_updates": int(update is not None)}


@scenario(
    "A producer that leaves before its messages are confirmed",
    healthy=False,
    setup=made("bug-leaves"),
    shows="Publish and Close in one segment: the Close is answered, no confirm comes.",
    faults={"RMQ-I7": "five ids without a confirm at the end of the connection"},
)
def bug_leaves_before_confirms(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "bug-leaves")
    five = b"".join(wire.entry(n, wire.message(b"order %d" % n)) for n in range(5))
    client.together(
        client.frame(wire.PUBLISH, u8(0) + u32(5) + five),
        client.frame(wire.CLOSE, u32(50) + u16(1) + string("OK")),
    )
    stage.blame("I7", client, key=wire.PUBLISH)
    keys = [f.key for f in client.drain(2)]
    client.ended(3)
    return {"published": 5, "confirms": keys.count(wire.CONFIRM)}


@scenario(
    "A sub-batch whose codec is not the one that it names",
    healthy=False,
    setup=made("bug-codec"),
    shows="gzip's bytes with the number of lz4: 3.10 stores and delivers it; no consumer can "
    "unpack it.",
    faults={"RMQ-U3": "no lz4 frame", "RMQ-D9": "the same in Deliver"},
)
def bug_sub_batch_wrong_codec(stage: Stage) -> Facts:
    inside = [wire.message(b) for b in bodies(20, "the same words again and again")]
    packed = gzip.compress(wire.records(inside), mtime=0)
    client = stage.client().login()
    client.declare(0, "bug-codec")
    client.send(wire.PUBLISH, u8(0) + u32(1) + wire.sub_batch(1, 3, inside, packed))
    stage.blame("U3", client)
    confirmed = client.confirmed(1)
    client.subscribe(0, "bug-codec")
    consumed = client.consume(0, 20)
    stage.blame("D9", client, "server", key=wire.DELIVER)
    client.unsubscribe(0)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"publishing_ids": 1, "confirmed": confirmed, "records": consumed}


@scenario(
    "The socket is dropped in the middle of a frame",
    healthy=False,
    setup=made("bug-mid-frame"),
    shows="Half of a Publish, then FIN: the process ends while it writes.",
    faults={"RMQ-K3": "no Close before the client's FIN"},
)
def bug_dropped_in_mid_frame(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "bug-mid-frame")
    entries = b"".join(wire.entry(n, wire.message(b"x" * 100)) for n in range(5))
    client.raw(client.frame(wire.PUBLISH, u8(0) + u32(5) + entries)[:300])
    time.sleep(0.2)
    client.drop()
    return None


@scenario(
    "Publish frames without messages",
    healthy=False,
    setup=made("bug-empty"),
    shows="A batch timer that sends what it has, though it has nothing: Publish with a count of 0.",
    faults={"RMQ-U5": "no entry"},
)
def bug_empty_batches(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "bug-empty")
    first = len(client.sent) + 1
    for _ in range(5):
        client.send(wire.PUBLISH, u8(0) + u32(0))
        time.sleep(0.1)
    stage.blame("U5", client, nth=first, last=len(client.sent))
    client.publish(0, 0, bodies(2))
    confirmed = client.confirmed(2)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 2, "confirmed": confirmed}


@scenario(
    "StoreOffset without a reference",
    healthy=False,
    setup=fill("bug-nameless", 2),
    shows="A consumer without a name stores its offset under the empty reference, and finds there "
    "what any other nameless consumer has stored.",
    faults={"RMQ-S5": "the reference is empty"},
)
def bug_store_offset_without_reference(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "bug-nameless")
    consumed = client.consume(0, 10)
    client.send(wire.STORE_OFFSET, string("") + string("bug-nameless") + u64(9))
    stage.blame("S5", client)
    time.sleep(0.5)
    answer = client.request(wire.QUERY_OFFSET, string("") + string("bug-nameless"))
    client.unsubscribe(0)
    client.close()
    return {"consumed": consumed, "stored": [int.from_bytes(answer.body[6:14], "big")]}


@scenario(
    "Publish version 2 that nobody asked about",
    release="4",
    healthy=False,
    setup=made("bug-unasked"),
    shows="Publish version 2 without ExchangeCommandVersions: 4.x takes it, a broker before 3.13 "
    "closes.",
    faults={"RMQ-V5": "version 2 was not asked about"},
)
def bug_publish_v2_unasked(stage: Stage) -> Facts:
    client = stage.client().login()
    client.declare(0, "bug-unasked")
    publish_2(client, 0, [filtered(n, "invoices", b"invoice %d" % n) for n in range(3)])
    stage.blame("V5", client)
    confirmed = client.confirmed(3)
    client.request(wire.DELETE_PUBLISHER, u8(0))
    client.close()
    return {"published": 3, "confirmed": confirmed}


@scenario(
    "PeerProperties of ten kilobytes",
    release="4",
    healthy=False,
    shows="A frame above 8192 bytes before Open: the end of the connection.",
    faults={"RMQ-T4": "10 kB before Open"},
)
def bug_huge_peer_properties(stage: Stage) -> Facts:
    client = stage.client()
    properties = {"product": "raw socket", "information": "the whole environment " * 500}
    client.send(wire.PEER_PROPERTIES, u32(1) + wire.pairs(properties))
    stage.blame("T4", client)
    return {"server_ended": client.ended(12)}


@scenario(
    "A challenge that the client takes for success",
    release="4",
    healthy=False,
    variant="challenge",
    shows="SaslAuthenticate answered 10; the client goes on with Tune and Open instead of a second "
    "SaslAuthenticate: the end of the connection.",
    faults={"RMQ-N3": "the challenge has no answer"},
)
def bug_challenge_ignored(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    body = string("RABBIT-CR-DEMO") + u32(5) + b"guest"
    code = client.request(wire.SASL_AUTHENTICATE, body).code
    client.send(wire.TUNE | wire.RESPONSE, u32(1048576) + u32(60))
    stage.blame("N3", client)
    return {"codes": [code], "server_ended": client.ended(12)}


@scenario(
    "The advertised host is a name that only the broker's network knows",
    healthy=False,
    variant="advertised",
    setup=made("bug-advertised"),
    shows="Metadata and Open name stream-0.example; the client cannot resolve it and gives up.",
    faults={"RMQ-M3": "the advertised host is not the one that was dialled, and is never used"},
)
def bug_advertised_host_unreachable(stage: Stage) -> Facts:
    client = stage.client().login()
    opened = len(client.received)
    answer = client.request(wire.METADATA, wire.strings(["bug-advertised"]))
    stage.blame("M3", client, "server", nth=opened, last=opened + 1)
    time.sleep(1)
    client.close()
    return {"advertised": b"stream-0.example" in answer.body}


def spread(name: str) -> Callable[[Stage], None]:
    """A set-up step: a stream on three nodes."""

    def setup(stage: Stage) -> None:
        client = stage.client().login()
        client.create(name, {"initial-cluster-size": "3"})
        client.close()
        time.sleep(3)

    return setup


def located(stage: Stage, name: str) -> tuple[wire.Client, int, list[int]]:
    """A locator connection to the first node, and the ports of a stream's leader and replicas."""
    client = stage.client().login()
    leader, replicas = leader_of(client.request(wire.METADATA, wire.strings([name])))
    return client, leader, replicas


@scenario(
    "A client that goes to the default port, whatever is advertised",
    release="4",
    healthy=False,
    variant="cluster",
    what="tcp portrange 5552-5554",
    ports=THREE,
    shows="A stream of one replica on the second node: Metadata says port 5553, the consumer's "
    "connection goes to 5552, where Subscribe is answered 6.",
    faults={"RMQ-M5": "5552 where 5553 is advertised", "RMQ-M7": "the node has no replica"},
)
def bug_default_port(stage: Stage) -> Facts:
    second = stage.client(port=5553).login()
    lonely = {"initial-cluster-size": "1", "queue-leader-locator": "client-local"}
    second.create("bug-port", lonely)
    time.sleep(1)
    second.close()
    locator, leader, replicas = located(stage, "bug-port")
    reader = stage.client().login()
    stage.blame("M5", reader, nth=1, last=len(reader.sent))
    code = reader.subscribe(0, "bug-port").code
    stage.blame("M7", reader)
    reader.close()
    locator.close()
    return {"codes": [code], "leaders": [leader], "replicas": [len(replicas)]}


@scenario(
    "A loop through a load balancer that always leads to the same node",
    release="4",
    healthy=False,
    variant="cluster",
    what="tcp portrange 5552-5554",
    ports=THREE,
    shows="Metadata names a leader on another node; the client dials one address, reads in Open "
    "that it has reached the wrong node, closes, and tries again, twelve times.",
    faults={"RMQ-M4": "Open never shows the node that is wanted"},
)
def bug_load_balancer_loop(stage: Stage) -> Facts:
    second = stage.client(port=5554).login()
    lonely = {"initial-cluster-size": "1", "queue-leader-locator": "client-local"}
    second.create("bug-balanced", lonely)
    time.sleep(1)
    second.close()
    locator, leader, _ = located(stage, "bug-balanced")
    for _ in range(12):
        client = stage.client().login()
        stage.blame("M4", client, nth=1, last=len(client.sent))
        client.close()
        time.sleep(0.2)
    locator.close()
    return {"leaders": [leader], "connections": len(stage.connections)}


@scenario(
    "A producer that publishes through a replica",
    release="4",
    healthy=False,
    variant="cluster",
    setup=spread("bug-replica"),
    what="tcp portrange 5552-5554",
    ports=THREE,
    shows="Metadata names the leader, the producer goes to a replica: 4.x takes and confirms it "
    "all the same, each message over the cluster once more.",
    faults={"RMQ-M10": "the publisher is on a node that is not the leader"},
)
def bug_publish_through_replica(stage: Stage) -> Facts:
    locator, leader, replicas = located(stage, "bug-replica")
    producer = stage.client(port=replicas[0]).login()
    code = producer.declare(0, "bug-replica").code
    stage.blame("M10", producer)
    producer.publish(0, 0, bodies(5))
    confirmed = producer.confirmed(5)
    producer.request(wire.DELETE_PUBLISHER, u8(0))
    producer.close()
    locator.close()
    return {"codes": [code], "leaders": [leader], "published": 5, "confirmed": confirmed}


@scenario(
    "A reference of 256 bytes on a broker that does not check it",
    healthy=False,
    setup=made("bug-reference"),
    shows="DeclarePublisher with 256 bytes, then a Publish: what 3.10 does with it.",
    faults={"RMQ-S3": "256 bytes"},
)
def bug_reference_of_256_bytes(stage: Stage) -> Facts:
    client = stage.client().login()
    code = client.declare(0, "bug-reference", "r" * 256).code
    stage.blame("S3", client)
    client.publish(0, 1, bodies(3))
    keys = [f.key for f in client.drain(4)]
    client.drop()
    return {"codes": [code], "confirms": keys.count(wire.CONFIRM)}


@scenario(
    "Open before Tune",
    healthy=False,
    shows="Open in one segment with SaslAuthenticate: its answer and the server's Tune still come, "
    "then the end of the connection.",
    faults={"RMQ-N1": "Open before the answer to SaslAuthenticate and before Tune"},
)
def bug_open_before_tune(stage: Stage) -> Facts:
    client = stage.client()
    client.hello()
    client.together(
        client.frame(wire.SASL_AUTHENTICATE, u32(3) + plain("guest", "guest")),
        client.frame(wire.OPEN, u32(4) + string("/")),
    )
    stage.blame("N1", client)
    answers = len(client.drain(1))
    return {"answers": answers, "server_ended": client.ended(12)}


@scenario(
    "The server's Close is not answered",
    healthy=False,
    shows="A key that does not exist, Close 13 from the server; the client does not know Close as "
    "a request, asks Metadata again and again, and after ten seconds the server ends the "
    "connection.",
    faults={
        "RMQ-F5": "key 0x0063",
        "RMQ-K1": "Close 13",
        "RMQ-K6": "the server's Close has no answer",
    },
)
def bug_close_unanswered(stage: Stage) -> Facts:
    client = stage.client().login()
    client.send(0x63, u32(1))
    stage.blame("F5", client)
    client.until(wire.CLOSE)
    stage.blame("K6", client, "server")
    for n in range(3):
        client.send(wire.METADATA, u32(50 + n) + wire.strings(["bug-closing"]))
        time.sleep(1)
    return {"server_ended": client.ended(12)}


@scenario(
    "A filter on a broker that has none",
    healthy=False,
    setup=fill("bug-filter", 3),
    shows="Subscribe with filter.0 to 3.10, which ignores the property and delivers everything.",
    faults={"RMQ-V6": "filter.0 before 3.13"},
)
def bug_filter_on_old_broker(stage: Stage) -> Facts:
    client = stage.client().login()
    client.subscribe(0, "bug-filter", properties={"filter.0": "invoices"})
    stage.blame("V6", client)
    consumed = client.consume(0, 15)
    client.unsubscribe(0)
    client.close()
    return {"consumed": consumed}


@scenario(
    "Single active consumers on a broker that has none",
    healthy=False,
    setup=fill("bug-alone", 3),
    shows="Two consumers of one group subscribe to 3.10 with single-active-consumer, which it "
    "ignores: no ConsumerUpdate, and both get everything.",
    faults={"RMQ-V6": "single-active-consumer before 3.11"},
)
def bug_single_active_on_old_broker(stage: Stage) -> Facts:
    consumed = []
    clients = [stage.client().login() for _ in range(2)]
    for client in clients:
        client.subscribe(0, "bug-alone", properties=ALONE)
        stage.blame("V6", client)
        consumed.append(client.consume(0, 15))
    for client in clients:
        client.unsubscribe(0)
        client.close()
    return {"consumed": sum(consumed)}


@scenario(
    "Characters are counted, and the broker does not notice",
    healthy=False,
    shows="Create of 'prüfgrößenmaß', 13 characters in 17 bytes: the broker takes the first 13 "
    "bytes for the name and the last four for the count of the arguments, and makes a stream "
    "'prüfgrößen'. Metadata says so.",
    faults={"RMQ-S1": "13 characters, 17 bytes", "RMQ-M2": "the name that was meant is not there"},
)
def bug_characters_counted_unnoticed(stage: Stage) -> Facts:
    client = stage.client().login()
    code = client.request(wire.CREATE, characters("prüfgrößenmaß") + u32(0)).code
    stage.blame("S1", client)
    client.request(wire.METADATA, wire.strings(["prüfgrößenmaß"]))
    stage.blame("M2", client)
    stage.blame("M2", client, "server")
    client.request(wire.METADATA, wire.strings(["prüfgrößen"]))
    client.close()
    return {"codes": [code]}
