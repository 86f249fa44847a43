"""Faults and near misses of the thirteenth blind round: see docs/checking.md."""

import threading
import time

from captures.recorders.nats import peers
from captures.recorders.nats.scenarios_clients import PLAIN
from captures.recorders.nats.setup import Facts, Play
from captures.recorders.nats.threads import Mark, library, pair, restarting

DRIVER = "thirteenth_round"

pair(
    "group_left_out",
    "group_as_the_consumer_has_it",
    title="Senders subscribe to a deliver subject without the group of the consumer",
    title_of_twin="Senders subscribe to a deliver subject in the group of the consumer",
    played=lambda name: library("c", name, DRIVER),
    peer="c",
    kind="mismatch between sides",
    thread="nats-io/nats-server#4611",
    shows="52 letters, two senders, requests for the stock, and a look at the consumer now and "
    "then.",
    says="The consumer post has the deliver group senders, and both senders subscribe to post.out "
    "without a queue group: the server sees no interest of the group, and no letter is ever "
    "delivered. They have to subscribe in the group.",
    marks=(Mark(None, "client", rb"^SUB post\.out "),),
)
pair(
    "each_try_is_stored",
    "tries_of_one_id",
    title="Each try to publish a message during an outage is stored",
    title_of_twin="Tries to publish a message during an outage have one id",
    played=lambda name: restarting("go", name, DRIVER, after=3, down=2.2),
    peer="go",
    kind="duplicates",
    thread="nats-io/nats.go#1593",
    shows="Three meters that publish a reading each 0.23 s until it is acknowledged, a reader, and "
    "an outage of 2.2 s.",
    says="Each meter publishes the same reading again after 0.25 s, and the client keeps what it "
    "cannot send: after the outage every try arrives, and is stored and billed again. The readings "
    "need a message id (Nats-Msg-Id), or the tries have to wait for the reconnection.",
    marks=(
        Mark(
            None,
            "client",
            rb"^H?PUB meters\.m\d .*reading",
            again=rb"reading \d+ of meter \d+",
            across=True,
        ),
    ),
)
pair(
    "consumer_name_in_use",
    "consumer_name_of_each_connection",
    title="A watcher makes its consumer again under a name that is in use",
    title_of_twin="A watcher makes a consumer of another name after a reconnection",
    played=lambda name: restarting("transport_node", name, DRIVER, after=4, down=0.6),
    peer="transport_node",
    kind="state lost at a reconnection",
    thread="nats-io/nats.deno#688",
    shows="60 changes of settings, a watcher of them, and a restart of the server.",
    says="After the restart watcher creates its consumer again, with a new deliver subject and "
    "another start, under the name watch, which the old one still has: the server refuses that "
    "(10148) each time, and watcher gets no change any more. It has to delete the old consumer, or "
    "to use another name.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.CREATE\.SETTINGS\.watch", skip=1),),
)


def asked(name: str) -> Play:
    """A play of nats.go against a service of NestJS."""

    def play() -> Facts:
        served: dict[str, object] = {}

        def serve() -> None:
            served.update(peers.drive("frameworks_js", "service", driver=DRIVER))

        with peers.servers(PLAIN):
            thread = threading.Thread(target=serve)
            thread.start()
            time.sleep(1.5)
            facts = peers.drive("go", name, driver=DRIVER)
            thread.join()
        return facts | {f"service_{what}": number for what, number in served.items()}

    return play


pair(
    "packet_without_an_id",
    "packet_as_it_should_be",
    title="A service of NestJS takes requests of another client for events",
    title_of_twin="A service of NestJS answers requests in its own form",
    played=asked,
    peer="frameworks_js_and_go",
    kind="unanswered and abandoned",
    thread="nestjs/nest#9483",
    shows="28 questions about accounts to a service of NestJS, and events.",
    says="gateway sends the plain data, without pattern and id: NestJS handles the message as an "
    "event, and its result is sent to nobody, so each of 28 requests times out. The request has to "
    "be in the form of NestJS ({pattern, data, id}), or the service needs its own deserializer.",
    marks=(Mark(None, "client", rb"^PUB accounts\."),),
)
pair(
    "handled_longer_than_ack_wait",
    "handled_within_ack_wait",
    title="Pictures take longer than ack_wait, and both workers render them",
    title_of_twin="Pictures take less than ack_wait",
    played=lambda name: library("frameworks_py", name, DRIVER),
    peer="frameworks_py",
    kind="acknowledgements",
    thread="ag2ai/faststream#1114",
    shows="18 pictures, two workers of a queue that take 0.8 s for each, and requests for sizes.",
    says="The consumer renderers has an ack_wait of 0.45 s and a picture takes 0.8 s: each is "
    "delivered again while it is being rendered, and rendered twice or more. ack_wait has to be "
    "longer, or the worker has to say +WPI in between.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.(DURABLE\.)?CREATE\.renders"),),
)
pair(
    "work_queue_filters_overlap",
    "work_queue_filters_apart",
    title="A second consumer of a work queue is refused, again and again",
    title_of_twin="Two consumers of a work queue have filters of their own",
    played=lambda name: library("cli", name, DRIVER),
    peer="cli",
    kind="subjects and filters",
    thread="nats-io/natscli#1056",
    shows="Orders and activities in a work queue, and an operator with the command line.",
    says="The consumer orders takes swytch.>, so a work queue admits no other one for "
    "swytch.activity.>: it is refused each time (10100), and activities stay with orders. The "
    "first consumer needs a filter of its own.",
    marks=(
        Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.(DURABLE\.)?CREATE\.SWYTCH\.activity"),
    ),
)
