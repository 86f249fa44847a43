"""Worker processes, and their messages in the order in which each has sent them.

Workers are forked, so that they have everything that the parent has opened and chosen. They end
with the parent: their pipes are closed then. A thread for each worker takes its messages, so that
no worker waits for a parent that waits for it; how many there can be is bounded by what the parent
sends and releases.
"""

import multiprocessing
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, Self

from streamshark.errors import StreamsharkError
from streamshark.parallel.messages import DEPENDENT, DONE, opened, packed, send
from streamshark.splits.connection_share import DependentError

FAREWELL = 1.0
"""Seconds for which the exit code of a process is waited for whose pipe is closed."""

Work = Callable[[int, Connection], Any]
"""What a worker does, given its number and its pipe; the result must be picklable."""


def can_fork() -> bool:
    """Return whether the system can make workers."""
    return "fork" in multiprocessing.get_all_start_methods()


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """Workers that do the same work, each with its number, until the context ends."""

    def __init__(self, count: int, work: Work) -> None:
        context = multiprocessing.get_context("fork")
        pipes = [context.Pipe() for _ in range(count)]
        self._links = [ours for ours, _ in pipes]
        self._processes = [
            context.Process(target=_run, args=(number, pipes, work), daemon=True)
            for number in range(count)
        ]
        for each in self._processes:
            each.start()
        for _, theirs in pipes:
            theirs.close()
        self._messages = [SimpleQueue[bytes | None]() for _ in range(count)]
        self._early: list[deque[list[Any]]] = [deque() for _ in range(count)]
        """Messages of each worker that came before those that were asked for."""
        for link, messages in zip(self._links, self._messages, strict=True):
            Thread(target=_take, args=(link, messages), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for each in self._processes:
            each.kill()
        for each in self._processes:
            each.join()

    def __len__(self) -> int:
        return len(self._links)

    def send(self, number: int, kind: int, *content: Any) -> None:  # noqa: ANN401 - plain values
        """Send a message to a worker; one that has ended is noticed by `receive`."""
        _give(self._links[number], packed(kind, *content))

    def send_all(self, kind: int, *content: Any) -> None:  # noqa: ANN401 - plain values
        """Send a message to all workers."""
        message = packed(kind, *content)
        for link in self._links:
            _give(link, message)

    def receive(self, number: int, kind: int) -> list[Any]:
        """Return the content of the next message of a kind that a worker sends.

        Raises:
            DependentError: The worker cannot read its share alone.
            StreamsharkError: The worker has ended.
        """
        early = self._early[number]
        for at, (found, *content) in enumerate(early):
            if found == kind:
                del early[at]
                return content
        while True:
            message = self._messages[number].get()
            if message is None:
                raise StreamsharkError(self._how_ended(number))
            found, *content = opened(message)
            if found == DEPENDENT:
                raise DependentError(content[0])
            if found == kind:
                return content
            early.append([found, *content])

    def result(self, number: int) -> Any:  # noqa: ANN401 - of any work
        """Return the result of a worker's work."""
        return pickle.loads(self.receive(number, DONE)[0])  # noqa: S301 - from our own process

    def _how_ended(self, number: int) -> str:
        process = self._processes[number]
        process.join(FAREWELL)
        code = process.exitcode
        how = f"by signal {-code}" if code is not None and code < 0 else f"with exit code {code}"
        return f"a process that reads in parallel ended early, {how}: the output is incomplete"


def _take(link: Connection, messages: "SimpleQueue[bytes | None]") -> None:
    """Queue the messages of a worker, None after the last."""
    try:
        while True:
            messages.put(link.recv_bytes())
    except (EOFError, OSError):
        messages.put(None)


def _give(link: Connection, message: bytes) -> None:
    """Send a message to a worker, if it has not ended."""
    try:
        link.send_bytes(message)
    except OSError:
        return


def _run(number: int, pipes: list[tuple[Connection, Connection]], work: Work) -> None:
    """Do the work of one worker; the parent alone answers Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for at, (ours, theirs) in enumerate(pipes):
        ours.close()
        if at != number:
            theirs.close()
    link = pipes[number][1]
    try:
        result = work(number, link)
        send(link, DONE, pickle.dumps(result))
    except (DependentError, StreamsharkError) as error:
        # One process then does it all, and has the same error in its place.
        send(link, DEPENDENT, str(error))
    except (EOFError, OSError):
        os._exit(1)  # the parent is gone
