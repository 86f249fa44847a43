"""Worker processes: their results, their messages, and how they end."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from tests.cli.console import command
from tests.recorded.index import ROOT

from streamshark.errors import StreamsharkError
from streamshark.parallel.messages import KEYS, TEXT, send
from streamshark.parallel.processes import Workers, can_fork, cores
from streamshark.splits.connection_share import DependentError

CAPTURE = str(ROOT / "captures/nats/bug_slow_consumer/traffic.pcapng.gz")
LONG = ("read", "-j", "2", "-x", CAPTURE)
"""A command that writes more than a pipe holds."""
PATIENCE = 20
"""Seconds that nothing here takes."""


def test_workers_can_be_made() -> None:
    """On the systems that tests run on."""
    assert can_fork()
    assert cores() >= 1


@pytest.mark.process
def test_messages_of_a_kind_come_in_order() -> None:
    """Those of another kind wait until they are asked for; results come last."""

    def work(number: int, link: Connection) -> int:
        for at in range(3):
            send(link, KEYS, at)
        send(link, TEXT, ["text", number])
        return number * 10

    with Workers(2, work) as workers:
        assert workers.receive(1, TEXT) == [["text", 1]]
        assert [workers.receive(1, KEYS) for _ in range(3)] == [[0], [1], [2]]
        assert [workers.result(number) for number in range(2)] == [0, 10]


def killed(_number: int, _link: Connection) -> None:
    """End as a process that is killed."""
    os.kill(os.getpid(), signal.SIGKILL)


def left(_number: int, _link: Connection) -> None:
    """End without a result."""
    os._exit(7)


def dependent(_number: int, _link: Connection) -> None:
    """Find that one process must do the work."""
    raise DependentError("why")


@pytest.mark.process
@pytest.mark.parametrize(
    ("work", "error", "text"),
    [
        (killed, StreamsharkError, "ended early, by signal 9"),
        (left, StreamsharkError, "ended early, with exit code 7"),
        (dependent, DependentError, "why"),
    ],
)
def test_the_end_of_a_worker_is_an_error(
    work: Callable[[int, Connection], None], error: type[Exception], text: str
) -> None:
    """It never makes the parent wait."""
    with Workers(2, work) as workers, pytest.raises(error, match=text):
        workers.result(0)


def children(number: int) -> list[int]:
    """Return the processes that a process has started."""
    found = Path(f"/proc/{number}/task/{number}/children")
    return [int(each) for each in found.read_text().split()] if found.exists() else []


def wait_for(condition: Callable[[], bool]) -> bool:
    """Return whether a condition holds in time."""
    until = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return condition()


@pytest.mark.process
@pytest.mark.parametrize("ending", ["ctrl-c", "closed pipe", "a worker is killed"])
def test_no_process_is_left(ending: str) -> None:
    """Ctrl-C, a closed output and a killed worker have their exit codes; nothing hangs."""
    with subprocess.Popen(
        command(*LONG), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        out, err = process.stdout, process.stderr
        assert out is not None
        assert err is not None
        assert out.read(1)  # it then waits for us, as the pipe is full
        workers = children(process.pid)
        assert len(workers) == 2
        match ending:
            case "ctrl-c":
                process.send_signal(signal.SIGINT)
                expected = 130
            case "closed pipe":
                expected = 141
            case _:
                os.kill(workers[0], signal.SIGKILL)
                expected = 2
        if ending == "closed pipe":
            out.close()
        else:
            out.read()
        assert process.wait(PATIENCE) == expected
        message = err.read().decode()
    assert wait_for(lambda: not any(Path(f"/proc/{each}").exists() for each in workers))
    assert message == "" or (expected == 2 and "ended early" in message)
