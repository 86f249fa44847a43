"""Programs that work as they should, of kinds that a rule had accused or no round has."""

import subprocess

from captures.recorders.rabbitmq_stream import clients
from captures.recorders.rabbitmq_stream.scenarios_go import GO
from captures.recorders.rabbitmq_stream.scenarios_libraries import RSTREAM
from captures.recorders.rabbitmq_stream.setup import Facts, Stage, scenario

CLOSED, LAST = "closed_by_operator.go", "rstream_last_message.py"


@scenario(
    "An operator closes all connections while a program publishes, by the Go client",
    client="go",
    release="4",
    healthy=True,
    faults=GO,
    driver=CLOSED,
    shows="A reliable producer that publishes each two milliseconds and a reliable consumer, which "
    "connect again and go on; messages are on their way when the broker closes.",
)
def closed_by_operator_go(stage: Stage) -> Facts:
    def close(_pid: int) -> None:
        stage.ctl("close_all_user_connections guest maintenance")

    return stage.drive(CLOSED, stage.scenario, on={"close": close})


@scenario(
    "The last message of a stream is looked up again and again, by rstream",
    client="rstream",
    release="4",
    healthy=True,
    faults=RSTREAM,
    driver=LAST,
    shows="Seven subscriptions at the last chunk, each ended by its first message.",
)
def last_message_looked_up_rstream(stage: Stage) -> Facts:
    return stage.drive(LAST, stage.scenario)


def perf_test(name: str, title: str, arguments: str, shows: str) -> None:
    """A run of the performance test of the Go client."""

    def play(stage: Stage) -> Facts:
        command = [
            *(str(clients.CLIENTS / "go/perfTest"), "--no-color"),
            *("--uris", "rabbitmq-stream://guest:guest@broker:5552"),
            *arguments.replace("STREAM", stage.scenario).split(),
        ]
        subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        return {"arguments": arguments}

    play.__name__ = name
    scenario(title, client="perf_test", release="4", healthy=True, faults=GO, shows=shows)(play)


perf_test(
    "perf_test_slow_go",
    "Its performance test at twenty messages a second, by the Go client",
    "--publishers 1 --consumers 2 --rate 20 --batch-size 1 --fixed-body 700 --time 5 "
    "--streams STREAM --max-length-bytes 20MB --crc-check --consumer-offset next",
    "A publisher of one message at a time, and two consumers.",
)
perf_test(
    "perf_test_batches_go",
    "Its performance test sends batches without waiting, by the Go client",
    "--publishers 2 --consumers 2 --rate 500 --batch-size 100 --fixed-body 20 --time 3 "
    "--streams STREAM-1,STREAM-2 --async-send --consumer-offset first --max-length-bytes 50MB",
    "Two publishers of batches, and a consumer of each stream that begins at the start.",
)
