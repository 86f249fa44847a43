"""Scenarios played by client libraries: what a good client and its known faults look like."""

from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario

RSTREAM = {"RMQ-K3": "rstream drops its sockets without a Close"}
JS = {"RMQ-K5": "the JavaScript client closes its connections with code 0"}
PYTHON, SCRIPT = "rstream_plays.py", "js_plays.mjs"


@scenario(
    "rstream publishes ten messages and reads them back",
    client="rstream",
    healthy=True,
    faults=RSTREAM,
    shows="The whole life of a stream on 3.10: handshake, Create, DeclarePublisher, Publish, "
    "confirms, Subscribe, Deliver, Credit, Unsubscribe, DeletePublisher, Delete. No Close: rstream "
    "drops its sockets.",
)
def publish_and_consume_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "publish_and_consume", stage.scenario)


@scenario(
    "rstream publishes ten messages to 4.x and reads them back",
    client="rstream",
    release="4",
    healthy=True,
    faults=RSTREAM,
    shows="The same as publish_and_consume_rstream with a 4.x broker.",
)
def publish_and_consume_rstream_4(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "publish_and_consume", stage.scenario)


@scenario(
    "The JavaScript client meets a 3.10 broker",
    client="js",
    healthy=False,
    faults={
        "RMQ-V3": "ExchangeCommandVersions to a broker before 3.11",
        "RMQ-K1": "Close 13",
    },
    shows="ExchangeCommandVersions of thirty commands, Close 13 from the server, which the client "
    "does not know ('Unknown response 22').",
)
def js_refused_by_3_10(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "publish_and_consume", stage.scenario)


@scenario(
    "The JavaScript client publishes ten messages and reads them back",
    client="js",
    release="4",
    healthy=True,
    faults=JS,
    shows="The whole life of a stream by the JavaScript client: ExchangeCommandVersions of thirty "
    "commands, AMQP 1.0 application properties, Deliver version 2, correlation ids from 101, Close "
    "with code 0.",
)
def publish_and_consume_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "publish_and_consume", stage.scenario)


@scenario(
    "The JavaScript client publishes messages with all AMQP 1.0 properties",
    client="js",
    release="4",
    healthy=True,
    faults={
        **JS,
        "RMQ-Q3": "the JavaScript client writes keys of message annotations as strings",
    },
    shows="Publish of messages with header, annotations, properties and application properties, "
    "nulls among them; nobody reads them.",
)
def message_properties_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "properties", stage.scenario)


@scenario(
    "Four hundred messages by rstream while a consumer reads",
    client="rstream",
    healthy=True,
    faults=RSTREAM,
    shows="Batches of a hundred messages with properties and application properties, live chunks.",
)
def many_messages_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "many", stage.scenario)


@scenario(
    "Sub-batches by rstream, one plain and one gzip",
    client="rstream",
    healthy=True,
    faults=RSTREAM,
    shows="Publish and Deliver with sub-batches of compression 0 and 1, twenty records each.",
)
def sub_batch_gzip_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "sub_batches", stage.scenario)


@scenario(
    "Sub-batches by the JavaScript client, one plain and one gzip",
    client="js",
    release="4",
    healthy=True,
    faults=JS,
    shows="Publish with sub-batches of compression 0 and 1, Deliver version 2 with them.",
)
def sub_batch_gzip_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "sub_batches", stage.scenario)


@scenario(
    "A named publisher and a consumer that stores its offset, by rstream",
    client="rstream",
    healthy=True,
    faults=RSTREAM,
    shows="QueryPublisherSequence, StoreOffset, QueryOffset, Subscribe at an "
    "offset inside a chunk.",
)
def named_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "named", stage.scenario)


@scenario(
    "A named publisher and a consumer that stores its offset, by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    faults=JS,
    shows="Publishing ids of its own from 1, QueryPublisherSequence, StoreOffset, QueryOffset.",
)
def named_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "named", stage.scenario)


@scenario(
    "Filter values by rstream",
    client="rstream",
    release="4",
    healthy=True,
    faults=RSTREAM,
    shows="ExchangeCommandVersions, Publish version 2, Subscribe with filter properties.",
)
def filter_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "filters", stage.scenario)


@scenario(
    "Filter values by rstream, some messages without one",
    client="rstream",
    release="4",
    healthy=False,
    faults=RSTREAM
    | {
        "RMQ-U1": "rstream leaves the filter value out instead of sending a null one",
        "RMQ-U4": "so the entries no longer fit the frame",
    },
    shows="Publish version 2 where every third entry lacks its filter value: the fields behind it "
    "shift. What the broker makes of it.",
)
def filter_value_left_out_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "filters_with_gaps", stage.scenario)


@scenario(
    "Filter values and StreamStats by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    faults=JS,
    shows="Publish version 2, Subscribe with filter properties, Deliver version 2, StreamStats.",
)
def filter_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "filters", stage.scenario)


@scenario(
    "Single active consumers by rstream",
    client="rstream",
    release="4",
    healthy=True,
    faults=RSTREAM | {"RMQ-A4": "rstream always appends an offset to its ConsumerUpdate answer"},
    shows="ConsumerUpdate to the first and, when it leaves, to the second consumer.",
)
def single_active_consumer_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "single_active", stage.scenario)


@scenario(
    "Single active consumers by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    faults=JS,
    shows="ConsumerUpdate to the first and, when it leaves, to the second consumer, which asks for "
    "the stored offset and answers with it.",
)
def single_active_consumer_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "single_active", stage.scenario)


@scenario(
    "A super stream by rstream",
    client="rstream",
    release="4",
    healthy=True,
    faults=RSTREAM | {"RMQ-A4": "rstream always appends an offset to its ConsumerUpdate answer"},
    shows="CreateSuperStream, Partitions, routing by hash and by Route, three single active "
    "consumers of the partitions.",
)
def super_stream_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "super_stream", stage.scenario)


def on_3_10(stage: Stage) -> None:
    """A super stream made by the operator, since 3.10 has no command for it."""
    stage.ctl("add_super_stream super_stream_rstream_3_10 --partitions 3", "rabbitmq-streams")


@scenario(
    "A super stream on 3.10 by rstream, which cannot read the answer",
    client="rstream",
    healthy=False,
    setup=on_3_10,
    faults=RSTREAM,
    shows="Partitions, answered by 3.10 with the response bit clear; rstream gives up on it.",
)
def super_stream_rstream_3_10(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "super_stream_made", stage.scenario) or {"gave_up": True}


@scenario(
    "A super stream by the JavaScript client",
    client="js",
    release="4",
    healthy=True,
    faults=JS,
    shows="CreateSuperStream, Partitions, routing by hash, three single active consumers.",
)
def super_stream_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "super_stream", stage.scenario)


@scenario(
    "rstream works on a stream that is not there",
    client="rstream",
    healthy=False,
    faults=RSTREAM | {"RMQ-M2": "code 2 in Metadata", "RMQ-X6": "code 2"},
    shows="Metadata with code 2 and leader 0xffff, Delete answered 2.",
)
def missing_stream_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "missing", stage.scenario)


@scenario(
    "The JavaScript client works on a stream that is not there",
    client="js",
    release="4",
    healthy=False,
    faults=JS | {"RMQ-M2": "code 2 in Metadata", "RMQ-X6": "code 2"},
    shows="Metadata with code 2 and leader 0xffff, Delete answered 2.",
)
def missing_stream_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "missing", stage.scenario)


@scenario(
    "rstream with a wrong password",
    client="rstream",
    healthy=False,
    faults={"RMQ-N6": "code 8"},
    shows="SaslAuthenticate answered 8.",
)
def login_fails_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "wrong_password", stage.scenario)


@scenario(
    "The JavaScript client with a wrong password, on 4.x",
    client="js",
    release="4",
    healthy=False,
    faults={"RMQ-N6": "code 8"},
    shows="SaslAuthenticate answered 8 after three seconds.",
)
def login_fails_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "wrong_password", stage.scenario)


@scenario(
    "rstream on the AMQP port",
    client="rstream",
    healthy=False,
    faults={"RMQ-P1": "the first bytes of the server are an AMQP header"},
    what="tcp port 5672",
    ports=(5672,),
    shows="PeerProperties to the AMQP port of 3.10: eight bytes 'AMQP' 0 0 9 1, then the end.",
)
def amqp_port_by_mistake(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "amqp_port", stage.scenario)


@scenario(
    "The JavaScript client on the AMQP port of 4.x",
    client="js",
    release="4",
    healthy=False,
    faults={"RMQ-P1": "the first bytes of the server are an AMQP header"},
    what="tcp port 5672",
    ports=(5672,),
    shows="PeerProperties to the AMQP port of 4.x: eight bytes 'AMQP' 3 1 0 0, then the end.",
)
def amqp_port_by_mistake_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "amqp_port", stage.scenario)


@scenario(
    "rstream makes a stream whose name has more bytes than characters",
    client="rstream",
    healthy=False,
    faults={"RMQ-S1": "the length counts characters"},
    shows="Create 'größe' with length 5 and 7 bytes: the broker reads a shifted frame.",
)
def non_ascii_name_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "non_ascii", "größe")


@scenario(
    "rstream idles with heartbeats of two seconds",
    client="rstream",
    healthy=True,
    faults=RSTREAM,
    shows="Heartbeats of both sides for seven seconds.",
)
def heartbeats_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "idle", stage.scenario)


@scenario(
    "The JavaScript client idles with heartbeats of two seconds",
    client="js",
    release="4",
    healthy=True,
    faults=JS,
    shows="Heartbeats of both sides for seven seconds.",
)
def heartbeats_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "idle", stage.scenario)


@scenario(
    "A stream is deleted under rstream's producer and consumer",
    client="rstream",
    healthy=False,
    faults=RSTREAM,
    shows="MetadataUpdate on two connections, and what rstream does then.",
)
def delete_stream_under_rstream(stage: Stage) -> Facts:
    return stage.drive(PYTHON, "deleted", stage.scenario)


@scenario(
    "A stream is deleted under the JavaScript client's publisher and consumer",
    client="js",
    release="4",
    healthy=False,
    faults=JS,
    shows="MetadataUpdate on two connections, and what the JavaScript client does then.",
)
def delete_stream_under_js(stage: Stage) -> Facts:
    return stage.drive(SCRIPT, "deleted", stage.scenario)
