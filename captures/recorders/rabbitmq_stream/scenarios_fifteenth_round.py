"""Scenarios of the fifteenth round of the blind test: see docs/checking.md."""

import threading
import time

from captures.recorders.rabbitmq_stream import clients, wire
from captures.recorders.rabbitmq_stream.relay import at, only, relay
from captures.recorders.rabbitmq_stream.scenarios_broker_3 import outside
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_java import freeze_broker
from captures.recorders.rabbitmq_stream.scenarios_libraries import RSTREAM
from captures.recorders.rabbitmq_stream.scenarios_second_round import holding
from captures.recorders.rabbitmq_stream.scenarios_threads import cut, those
from captures.recorders.rabbitmq_stream.setup import Facts, Stage
from captures.recorders.rabbitmq_stream.threads import fault, near_miss

PY, PIKA, GO_DRIVER = "rstream_fifteenth_round.py", "pika_fifteenth_round.py", "fifteenth_round.go"
JS, RUST, JAVA = "js_fifteenth_round.mjs", "fifteenth_round.rs", "Fifteenth.java"


def meter(stage: Stage) -> None:
    """A user with its first secret."""
    stage.ctl("add_user meter token-of-14-30")
    stage.ctl("set_permissions meter '.*' '.*' '.*'")


def renewed(stage: Stage, play: str, stream: str) -> Facts:
    """A program that renews its secret, and whose connections are closed before and after."""
    on = cut(stage) | {"renew": lambda _pid: stage.ctl("change_password meter token-of-14-37")}
    facts = stage.drive(PY, play, stream, on=on)
    stage.ctl("delete_user meter")
    return facts


SHOWS = "A meter and its chart: a secret that is renewed, and connections that are closed twice."
fault(
    "old_secret_at_reconnect_rstream",
    lambda stage: renewed(stage, "old", "b15-readings"),
    "A client comes back with the secret that it has renewed",
    client="rstream",
    driver=PY,
    setup=meter,
    kind="authentication",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#363",
    shows=SHOWS,
    says="The client renews its secret by SaslAuthenticate on its open connections. When they are "
    "lost, it reconnects with the secret of its start, which the broker refuses again and again: "
    "it never comes back. It has to reconnect with the secret that it was given last.",
    guilty=those(wire.SASL_AUTHENTICATE, 7),
)
near_miss(
    "new_secret_at_reconnect_rstream",
    lambda stage: renewed(stage, "new", "b15-levels"),
    "A client comes back with the secret that it was given last",
    client="rstream",
    driver=PY,
    setup=meter,
    faults=RSTREAM,
    thread="rabbitmq/rabbitmq-stream-dotnet-client#363",
    shows=SHOWS,
)


def read_by_amqp(stage: Stage) -> Facts:
    """A publisher whose stream is read by AMQP 0-9-1 as well."""
    others: dict[str, object] = {}

    def read(_pid: int) -> None:
        stream = "b15-jobs"
        thread = threading.Thread(
            target=lambda: others.update(clients.drive(PIKA, "reads", stream))
        )
        thread.start()
        others["thread"] = thread

    facts = stage.drive(PY, "raw", "b15-jobs", on={"reader": read})
    thread = others.pop("thread")
    assert isinstance(thread, threading.Thread)
    thread.join()
    return facts | others


fault(
    "raw_bytes_for_amqp_rstream",
    read_by_amqp,
    "A client publishes bytes as they are to a stream that is read by AMQP",
    client="rstream_and_pika",
    driver=PY,
    faults=RSTREAM,
    kind="content",
    thread="rabbitmq-community/rstream#15",
    shows="States of jobs as plain JSON; a consumer by AMQP 0-9-1, which is not recorded.",
    says="The messages are bytes as they are and no AMQP 1.0 messages: consumers by AMQP and STOMP "
    "cannot read them. They have to be encoded as AMQP 1.0.",
    guilty=those(wire.PUBLISH),
)


def restarted(stage: Stage, how: str, stream: str) -> Facts:
    """A program whose broker is stopped and started again."""

    def restart(_pid: int) -> None:
        stage.ctl("stop_app")
        time.sleep(2)
        stage.ctl("start_app")

    return stage.drive(GO_DRIVER, how, stream, on={"restart": restart})


SHOWS = "Orders and invoices of one program; the broker's application is stopped and started again."
fault(
    "consumer_never_comes_back_go",
    lambda stage: restarted(stage, "plain", "b15-orders"),
    "A consumer never subscribes again after its broker was restarted",
    client="go",
    driver=GO_DRIVER,
    faults=GO,
    kind="recovery",
    thread="rabbitmq/rabbitmq-stream-go-client#427",
    shows=SHOWS,
    says="When the broker is back, the program publishes orders again; its consumer invoices lost "
    "its connection too and never subscribes again, so no invoice is written any more.",
    guilty=those(wire.SUBSCRIBE),
)
near_miss(
    "consumer_comes_back_go",
    lambda stage: restarted(stage, "reliable", "b15-sales"),
    "Publisher and consumer come back after a restart of the broker",
    client="go",
    driver=GO_DRIVER,
    faults=GO,
    thread="rabbitmq/rabbitmq-stream-go-client#427",
    shows=SHOWS,
)


def legacy(stage: Stage) -> Facts:
    """A consumer that is started again twice, of a stream that is published to by AMQP 0-9-1."""
    facts = dict(clients.drive(PIKA, "publishes", "b15-invoices"))
    for run in range(3):
        facts[f"run_{run}"] = stage.drive("js_0_4_fifteenth_round.mjs", "invoices", "b15-invoices")
        time.sleep(0.5)
    return facts


fault(
    "dies_of_amqp_0_9_1_messages_js",
    legacy,
    "A consumer dies of messages that were published by AMQP 0-9-1",
    client="js_0_4_and_pika",
    kind="content",
    thread="coders51/rabbitmq-stream-js-client#232",
    shows="Invoices published by AMQP 0-9-1; a consumer that is started three times.",
    says="The consumer ends without Unsubscribe and Close right after the first chunk, in each of "
    "three runs: it cannot decode messages that come from AMQP 0-9-1.",
    guilty=those(wire.DELIVER, sender="server"),
)


fault(
    "guest_from_outside_js",
    lambda stage: stage.drive(JS, "outside", stage.scenario),
    "A client logs in as guest from another address",
    client="js",
    driver=JS,
    setup=outside,
    kind="authentication",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#41, rabbitmq/rabbitmq-stream-go-client#114",
    shows="A login as guest at the broker's outer address.",
    says="The user guest may log in from the loopback address only (code 12). The client has to "
    "report that, and to use another user.",
    guilty=those(wire.SASL_AUTHENTICATE),
)


def unanswered_sequence(stage: Stage) -> Facts:
    """An import whose second question for its last publishing id is answered by an error."""

    def refuse(frame: bytes) -> list[bytes]:
        return [at(frame, 12, wire.u16(6) + wire.u64(0))]

    with relay(server=only(wire.QUERY_SEQUENCE | wire.RESPONSE, 2, refuse)):
        return stage.drive("go_1_4_sequence.go", stage.scenario)


fault(
    "sequence_refused_and_ignored_go",
    unanswered_sequence,
    "A publisher numbers from the beginning when its last publishing id cannot be had",
    client="go_1_4",
    driver="go_1_4_sequence.go",
    relay="it answers the second QueryPublisherSequence with code 6 and 0.",
    faults=GO,
    kind="deduplication",
    thread="rabbitmq/rabbitmq-stream-go-client#351",
    shows="Three runs of an import under the name catalogue, sixty articles in each.",
    says="QueryPublisherSequence fails in the second run, and the client goes on as if the name "
    "were new: it publishes ids 1 to 60 again, which the broker has already. All of them are "
    "confirmed and none is stored. The client must not publish before it knows its last id.",
    guilty=holding(wire.PUBLISH, rb"of delivery 1"),
)


def not_ready(stage: Stage, how: str, seconds: float) -> Facts:
    """A program that starts while the broker does not answer."""
    freeze = threading.Thread(target=freeze_broker(stage, seconds), args=(0,))
    freeze.start()
    time.sleep(2)
    facts = stage.drive(RUST, stage.scenario, how)
    freeze.join()
    return facts


SHOWS = "A program that starts while the broker accepts connections and answers nothing."
fault(
    "waits_for_ever_rust",
    lambda stage: not_ready(stage, "waits", 27),
    "A client waits without a limit for a broker that is not ready",
    client="rust",
    driver=RUST,
    kind="timeouts",
    thread="systeminit/si#3123",
    shows=SHOWS,
    says="PeerProperties has no answer, as the broker is not ready. The client waits for more than "
    "twenty seconds and does not try again.",
    guilty=those(wire.PEER_PROPERTIES),
)
near_miss(
    "tries_again_rust",
    lambda stage: not_ready(stage, "tries_again", 7),
    "A client gives up after two seconds and tries again until the broker is ready",
    client="rust",
    driver=RUST,
    thread="systeminit/si#3123",
    shows=SHOWS,
)
near_miss(
    "busy_day_java",
    lambda stage: stage.drive(JAVA, "day", "b15-day"),
    "A busy day of three publishers and four consumers, one of them slow, by the Java client",
    client="java",
    driver=JAVA,
    thread="",
    shows="Orders, returns and mails with pauses; tracking by the client and by hand.",
)
near_miss(
    "feeds_and_a_slow_reader_js",
    lambda stage: stage.drive(JS, "feeds", "b15-feeds"),
    "Two feeds with a quick reader of both and a slow one of one, by the JavaScript client",
    client="js",
    driver=JS,
    thread="",
    shows="Bursts and rests; the slow reader stores its offset now and then; an orderly end.",
)


def old_token(stage: Stage) -> Facts:
    """A client by hand that renews its token, loses its connection, and comes back with the old."""

    def login(client: wire.Client, secret: str) -> int:
        client.hello()
        return client.authenticate("meter", secret).code

    first = stage.client(name="counter")
    codes = [login(first, "token-of-14-30")]
    first.tune()
    first.request(wire.OPEN, wire.string("/"))
    first.create("b15-counter")
    stage.ctl("change_password meter token-of-14-37")
    data = b"\0meter\0token-of-14-37"
    renewal = wire.string("PLAIN") + wire.u32(len(data)) + data
    codes.append(first.request(wire.SASL_AUTHENTICATE, renewal).code)
    time.sleep(0.5)
    stage.ctl("close_all_connections maintenance")
    for _ in range(3):
        time.sleep(1)
        codes.append(login(stage.client(name="counter"), "token-of-14-30"))
    stage.ctl("delete_user meter")
    return {"codes": codes}


fault(
    "old_token_at_reconnect",
    old_token,
    "A client by hand comes back with the token that it has renewed",
    setup=meter,
    kind="authentication",
    thread="rabbitmq/rabbitmq-stream-dotnet-client#363",
    shows="A counter: a token that is renewed, and a connection that is closed.",
    says="The client renews its token on its open connection, and reconnects with the one of its "
    "start, which the broker refuses three times.",
    guilty=those(wire.SASL_AUTHENTICATE, 3),
)
fault(
    "dies_of_a_chunk_rstream",
    lambda stage: stage.drive(PY, "jobs", "b15-works"),
    "A worker dies of the same chunk in each run, by rstream",
    client="rstream",
    driver=PY,
    faults=RSTREAM,
    kind="content",
    thread="coders51/rabbitmq-stream-js-client#232",
    shows="Jobs in batches of four; a worker that is started four times.",
    says="Each of four workers ends without Close right after the chunk that begins with job 12.",
    guilty=those(wire.DELIVER, sender="server"),
)


def begins_frozen(stage: Stage) -> Facts:
    """A program by the Go client that starts while the broker does not answer."""
    freeze = threading.Thread(target=freeze_broker(stage, 16), args=(0,))
    freeze.start()
    time.sleep(2)
    facts = stage.drive(GO_DRIVER, "begins", stage.scenario)
    freeze.join()
    time.sleep(1)
    return facts


fault(
    "broker_not_ready_go",
    begins_frozen,
    "A client gives up a broker that is not ready, by the Go client",
    client="go",
    driver=GO_DRIVER,
    faults=GO,
    kind="timeouts",
    thread="systeminit/si#3123",
    shows=SHOWS,
    says="The broker accepts the connection and does not answer PeerProperties; the client gives "
    "up after ten seconds and does not try again.",
    guilty=those(wire.PEER_PROPERTIES),
)
