"""`check -j` and `conversations -j`: what one process says."""

from pathlib import Path

import pytest
from tests.cli.console import call
from tests.draw import some
from tests.failures import Failures
from tests.recorded.index import lines

SHOWN = (
    "rabbitmq_stream/cluster_leader_stops_java",  # many connections, refused ones too
    "nats/cluster_vanishes_py",  # attempts to connect that nothing answers
    "rabbitmq_stream/bug_group_names_differ_js",
    "nats/bug_slow_consumer",
    "pravega/bug_transaction_abandoned_java",
)
ONE = ("rsocket/two_sessions", "liftbridge/bug_member_twice")
"""Captures whose connections are judged by one process."""
DRAWN = (*SHOWN[:2], *some(SHOWN[2:], 1), *some(ONE, 1))
"""The captures that are read."""


def said(
    monkeypatch: pytest.MonkeyPatch, path: Path, *more: str, command: str = "check"
) -> tuple[object, ...]:
    """Exit code, output and messages."""
    done = call(monkeypatch, command, *more, str(path))
    return done.code, done.out, done.err


@pytest.mark.process
def test_several_processes_find_what_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same order, with the same numbers, totals and exit code.

    No other test judges connections in several processes by the commands.
    """
    with Failures() as failures:
        for capture in DRAWN:
            with failures.of(capture):
                path = lines()[capture].path
                wanted = said(monkeypatch, path, "--fail-on", "warning")
                assert said(monkeypatch, path, "--fail-on", "warning", "-j", "3") == wanted
        path = lines()[SHOWN[0]].path
        for form in ("json", "junit"):
            with failures.of(form):
                wanted = said(monkeypatch, path, "-T", form)
                assert said(monkeypatch, path, "-T", form, "-j", "2") == wanted


@pytest.mark.process
def test_several_processes_list_what_one_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conversations in the order in which they end, with links to other connections."""
    with Failures() as failures:
        for capture in DRAWN:
            for form in ("text", "json") if capture == SHOWN[0] else ("text",):
                with failures.of((capture, form)):
                    path = lines()[capture].path
                    wanted = said(monkeypatch, path, "-T", form, command="conversations")
                    given = ("-T", form, "-j", "2")
                    assert said(monkeypatch, path, *given, command="conversations") == wanted
