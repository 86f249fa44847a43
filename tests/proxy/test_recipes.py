"""Each recipe, done to recorded traffic, raises the finding that it names."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from tests.failures import Failures
from tests.packets import recorded
from tests.proxy.test_fault_steering import steering

import streamshark
from streamshark.dissection.row import Frame
from streamshark.proxy.faults import Fault
from streamshark.proxy.link import CLIENT, SERVER, Command, Send, Steering, Wake
from streamshark.proxy.recipes import RECIPES
from streamshark.proxy.recorder import LegRecord, Recorder

TRAFFIC = {
    "rabbitmq": "rabbitmq_stream/publish_confirm",
    "rabbitmq-confirm-lost": "rabbitmq_stream/filter_java",
    "rabbitmq-delivery": "rabbitmq_stream/deliver_v2",
    "rabbitmq-chunk": "rabbitmq_stream/deliver_v2",
    "rabbitmq-credit": "rabbitmq_stream/deliver_v2",
    "rabbitmq-leader": "rabbitmq_stream/sensor_by_timer_js",
    "rabbitmq-metadata": "rabbitmq_stream/publish_and_consume_rstream",
    "rabbitmq-heartbeat": "rabbitmq_stream/heartbeats",
    "nats": "nats/interactions_go",
    "nats-lame": "nats/reconnects_with_backoff",
    "nats-no-resp": "nats/across_py",
    "rsocket": "rsocket/mended_answer_twice",
    "rsocket-lease": "rsocket/lease_go",
    "rsocket-keepalive": "rsocket/keepalive_go",
    "pravega-segment": "pravega/events_java",
    "pravega-wrong": "pravega/small_reads_at_the_tail",
}
"""Beginning of a name to a healthy capture; the longest holds."""


@cache
def frames(capture: str) -> list[Frame]:
    """The frames of a capture that are not inside of others."""
    rows = streamshark.open(*recorded(capture), show_secrets=True)
    return [each for each in rows if not each.is_event and each.carrier is None]


class Replayed:
    """Connections of a capture with a fault, recorded at the times of the capture."""

    def __init__(self, fault: str, path: Path) -> None:
        self._fault, self._recorder = fault, Recorder(path)
        self._recorder.now_ns = lambda: self._now  # type: ignore[method-assign]
        self._now = 0
        self._links: dict[int, tuple[Steering, LegRecord]] = {}
        self._wakes: list[tuple[int, int, int]] = []
        """Time in ns, connection, token."""

    def replay(self, capture: str) -> None:
        """Pass all frames of a capture."""
        for each in frames(capture):
            for due in sorted(self._wakes):
                if due[0] <= each.time_ns:
                    self._wakes.remove(due)
                    self._now = max(self._now, due[0])
                    link, _ = self._links[due[1]]
                    self._perform(due[1], link.woken(due[2]))
            self._now = max(self._now, each.time_ns)
            if each.flow not in self._links:
                end = ("127.0.0.1", 40_000 + each.flow)
                leg = LegRecord(self._recorder, 0, end, ("127.0.0.1", 5552))
                leg.opened()
                self._links[each.flow] = steering(self._fault, protocol=each.protocol)[0], leg
            link, leg = self._links[each.flow]
            side = CLIENT if each.sender == "client" else SERVER
            commands = [*link.feed(side, each.data)]
            if side == CLIENT:
                leg.sent(CLIENT, each.data)
            self._perform(each.flow, commands)
        for _, leg in self._links.values():
            leg.ended(CLIENT)
            leg.ended(SERVER)
        self._recorder.close()

    def _perform(self, flow: int, commands: Iterable[Command]) -> None:
        for command in commands:
            match command:
                case Send(0, data):
                    self._links[flow][1].sent(SERVER, data)
                case Wake(seconds, token):
                    self._wakes.append((self._now + int(seconds * 1e9), flow, token))


def replayed(capture: str, fault: str, path: Path) -> set[str]:
    """The rules that find something in the connections of a capture with a fault."""
    Replayed(fault, path).replay(capture)
    return {each.rule for each in streamshark.check(str(path))}


def test_each_recipe_raises_its_finding(tmp_path: Path) -> None:
    """And without it the finding is not there."""
    healthy: dict[str, set[str]] = {}
    with Failures() as failures:
        for each in RECIPES:
            begins = max((name for name in TRAFFIC if each.name.startswith(name)), key=len)
            capture = TRAFFIC[begins]
            if capture not in healthy:
                never = f"{each.fault.rpartition('->')[0]}-> drop on call 999999"
                healthy[capture] = replayed(capture, never, tmp_path / "none")
            with failures.of(each.name):
                assert each.finding in replayed(capture, each.fault, tmp_path / each.name)
                assert each.finding not in healthy[capture]


def test_names_are_faults() -> None:
    """Unique, and taken where a fault is."""
    names = [each.name for each in RECIPES]
    assert len({*names}) == len(names)
    assert Fault("rabbitmq-confirm-lost").action.name == "drop"
