"""Scenarios played by the Rust client and by rbfly."""

from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario

RUST, RBFLY = "rust_plays.rs", "rbfly_plays.py"


@scenario(
    "The Rust client publishes messages to 4.x and reads them back",
    client="rust",
    release="4",
    healthy=True,
    shows="The whole life of a stream by the Rust client: an empty list in "
    "ExchangeCommandVersions, Tune answered with 0x0014, Close.",
)
def publish_and_consume_rust(stage: Stage) -> Facts:
    return stage.drive(RUST, "publish_and_consume", stage.scenario)


@scenario(
    "The Rust client meets a 3.10 broker",
    client="rust",
    healthy=False,
    faults={"RMQ-V3": "ExchangeCommandVersions to a broker before 3.11", "RMQ-K1": "Close 13"},
    shows="ExchangeCommandVersions, answered with Close 13.",
)
def rust_refused_by_3_10(stage: Stage) -> Facts:
    return stage.drive(RUST, "publish_and_consume", stage.scenario, wait=30) or {"gave_up": True}


@scenario(
    "A named producer of the Rust client sends some messages twice",
    client="rust",
    release="4",
    healthy=True,
    faults={"RMQ-I6": "ids 6 to 10 are sent again on purpose: confirmed, but not stored"},
    shows="QueryPublisherSequence, publishing ids 1 to 10, then from a new producer 6 to 15.",
)
def deduplication_rust(stage: Stage) -> Facts:
    return stage.drive(RUST, "named", stage.scenario)


@scenario(
    "Filter values by the Rust client",
    client="rust",
    release="4",
    healthy=True,
    shows="Publish version 2, Subscribe with a filter.",
)
def filter_rust(stage: Stage) -> Facts:
    return stage.drive(RUST, "filters", stage.scenario)


@scenario(
    "Single active consumers by the Rust client",
    client="rust",
    release="4.0",
    healthy=True,
    shows="ConsumerUpdate to the first and, when it leaves, to the second, which answers with the "
    "offset behind the stored one. The client hands out what the chunk holds below that one too.",
)
def single_active_consumer_rust(stage: Stage) -> Facts:
    return stage.drive(RUST, "single_active", stage.scenario)


@scenario(
    "A super stream by the Rust client, routed by hash",
    client="rust",
    release="4",
    healthy=True,
    shows="CreateSuperStream, Partitions, three producers, three consumers, DeleteSuperStream.",
)
def super_stream_rust(stage: Stage) -> Facts:
    return stage.drive(RUST, "super_stream", stage.scenario)


@scenario(
    "Offset tracking by the Rust client",
    client="rust",
    release="4",
    healthy=True,
    shows="StoreOffset, QueryOffset, Subscribe behind it, inside a chunk.",
)
def offset_tracking_rust(stage: Stage) -> Facts:
    return stage.drive(RUST, "tracking", stage.scenario)


@scenario(
    "The Rust client idles with heartbeats of two seconds",
    client="rust",
    release="4",
    healthy=True,
    shows="Tune answered with a heartbeat of two seconds; heartbeats for seven.",
)
def heartbeats_rust(stage: Stage) -> Facts:
    return stage.drive(RUST, "idle", stage.scenario)


@scenario(
    "Messages by the Rust client with properties of many types",
    client="rust",
    release="4",
    healthy=True,
    shows="Properties, annotations and application properties as the Rust client encodes them; a "
    "message without a body, and one whose body is empty.",
)
def message_properties_rust(stage: Stage) -> Facts:
    return stage.drive(RUST, "properties", stage.scenario)


@scenario(
    "rbfly publishes messages to 3.10 and reads them back",
    client="rbfly",
    healthy=True,
    shows="The whole life of a stream by rbfly: one connection for everything, every publisher "
    "named, bodies as amqp-value.",
)
def publish_and_consume_rbfly(stage: Stage) -> Facts:
    return stage.drive(RBFLY, "publish_and_consume", stage.scenario)


@scenario(
    "A named publisher and a stored offset by rbfly",
    client="rbfly",
    release="4.0",
    healthy=True,
    shows="QueryPublisherSequence by each publisher, StoreOffset, QueryOffset, Subscribe behind "
    "it.",
)
def named_rbfly(stage: Stage) -> Facts:
    return stage.drive(RBFLY, "named", stage.scenario)


@scenario(
    "Bodies of every type that rbfly writes",
    client="rbfly",
    healthy=True,
    shows="amqp-value of null, booleans, numbers, text, binary, timestamp, UUID, symbol, lists and "
    "maps; application properties.",
)
def message_types_rbfly(stage: Stage) -> Facts:
    return stage.drive(RBFLY, "types", stage.scenario)


@scenario(
    "Filter values by rbfly",
    client="rbfly",
    release="4",
    healthy=True,
    shows="Publish version 2 and Subscribe with a filter.",
)
def filter_rbfly(stage: Stage) -> Facts:
    return stage.drive(RBFLY, "filters", stage.scenario)


@scenario(
    "The Rust client sends a message larger than a frame may be",
    client="rust",
    release="4",
    healthy=False,
    faults={
        "RMQ-T3": "a frame of 1.1 MB where 1 MiB was agreed",
        "RMQ-K1": "Close 14",
    },
    shows="Publish of 1.1 MB, a size that the client does not check: Close 14, frame too large.",
)
def frame_too_large_rust(stage: Stage) -> Facts:
    return stage.drive(RUST, "too_large", stage.scenario)


@scenario(
    "The operator closes all connections under rbfly",
    client="rbfly",
    release="4",
    healthy=False,
    faults={"RMQ-K2": "the server ends the connection without a Close"},
    shows="FIN, a new connection, publisher and subscription made again.",
)
def reconnect_rbfly(stage: Stage) -> Facts:
    kill = {"kill": lambda _pid: stage.ctl("close_all_connections maintenance")}
    return stage.drive(RBFLY, "killed", stage.scenario, on=kill)
