"""What publishers of the other AMQP protocols put into a stream, read by the Java client."""

from captures.recorders.rabbitmq_stream import clients
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario


def by_0_9_1(stage: Stage) -> Facts:
    """Publishes with pika, then reads."""
    told = clients.drive("pika_plays.py", "published", stage.scenario)
    return told | stage.drive("JavaPlays.java", "read", stage.scenario)


def by_1_0(stage: Stage, address: str) -> Facts:
    """Publishes with go-amqp to a stream made before, then reads."""
    stage.broker.ctl(
        f'eval \'rabbit_amqqueue:declare(rabbit_misc:r(<<"/">>, queue, <<"{stage.scenario}">>), '
        'true, false, [{<<"x-queue-type">>, longstr, <<"stream">>}], none, <<"guest">>).\''
    )
    told = clients.drive("go_plays.go", "amqp", stage.scenario, address + stage.scenario)
    return told | stage.drive("JavaPlays.java", "read", stage.scenario)


PIKA = (
    "Deliver of messages that pika published over AMQP 0-9-1, with all its properties and headers "
    "of every type, as the broker turned them into AMQP 1.0."
)
GO_AMQP = (
    "Deliver of messages that go-amqp published over AMQP 1.0: all sections, several data "
    "sections, amqp-value, amqp-sequence, as the broker stored them."
)


@scenario(
    "What an AMQP 0-9-1 publisher puts into a stream of 3.10",
    client="pika",
    healthy=True,
    shows=PIKA,
)
def amqp_0_9_1_publisher_3_10(stage: Stage) -> Facts:
    return by_0_9_1(stage)


@scenario(
    "What an AMQP 0-9-1 publisher puts into a stream of 4.0",
    client="pika",
    release="4.0",
    healthy=True,
    shows=PIKA,
)
def amqp_0_9_1_publisher_4_0(stage: Stage) -> Facts:
    return by_0_9_1(stage)


@scenario(
    "What an AMQP 0-9-1 publisher puts into a stream of 4.x",
    client="pika",
    release="4",
    healthy=True,
    shows=PIKA,
)
def amqp_0_9_1_publisher_4(stage: Stage) -> Facts:
    return by_0_9_1(stage)


@scenario(
    "What an AMQP 1.0 publisher puts into a stream of 3.10",
    client="go_amqp",
    variant="amqp_1_0",
    healthy=True,
    shows=GO_AMQP,
)
def amqp_1_0_publisher_3_10(stage: Stage) -> Facts:
    return by_1_0(stage, "/amq/queue/")


@scenario(
    "What an AMQP 1.0 publisher puts into a stream of 4.0",
    client="go_amqp",
    release="4.0",
    healthy=True,
    shows=GO_AMQP,
)
def amqp_1_0_publisher_4_0(stage: Stage) -> Facts:
    return by_1_0(stage, "/queues/")


@scenario(
    "What an AMQP 1.0 publisher puts into a stream of 4.x",
    client="go_amqp",
    release="4",
    healthy=True,
    shows=GO_AMQP,
)
def amqp_1_0_publisher_4(stage: Stage) -> Facts:
    return by_1_0(stage, "/queues/")
