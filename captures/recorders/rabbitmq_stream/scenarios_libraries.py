"""Scenarios played by client libraries."""

from captures.recorders.rabbitmq_stream.stage import Facts, Stage, scenario

RSTREAM = {"RMQ-K3": "rstream drops its sockets without a Close"}


@scenario(
    "rstream publishes ten messages and reads them back",
    client="rstream",
    faults=RSTREAM,
    healthy=True,
    shows=(
        "The whole life of a stream on 3.10: handshake, Create, DeclarePublisher, Publish, confirms, "
        "Subscribe, Deliver, Credit, Unsubscribe, DeletePublisher, Delete. No Close: rstream drops its sockets."
    ),
)
def publish_and_consume_rstream(stage: Stage) -> Facts:
    return stage.drive("publish_and_consume.py", stage.scenario, "10")
