"""Each recipe, done to recorded traffic, raises the finding that it names."""

from pathlib import Path

from tests.failures import Failures
from tests.packets import recorded
from tests.proxy.test_fault_steering import steering

import streamshark
from streamshark.proxy.faults import Fault
from streamshark.proxy.link import CLIENT, SERVER, Send
from streamshark.proxy.recipes import RECIPES
from streamshark.proxy.recorder import LegRecord, Recorder

TRAFFIC = {
    "rabbitmq": "rabbitmq_stream/publish_confirm",
    "rabbitmq-delivery": "rabbitmq_stream/deliver_v2",
    "rabbitmq-chunk": "rabbitmq_stream/deliver_v2",
    "nats": "nats/interactions_go",
    "rsocket": "rsocket/mended_answer_twice",
}
"""Beginning of a name to a healthy capture; the longest holds."""


def replayed(capture: str, fault: str, path: Path) -> set[str]:
    """The rules that find something in the connections of a capture with a fault."""
    recorder = Recorder(path)
    links: dict[int, tuple[object, LegRecord]] = {}
    for each in streamshark.open(*recorded(capture), show_secrets=True):
        if each.is_event:
            continue
        if each.flow not in links:
            leg = LegRecord(recorder, 0, ("127.0.0.1", 40_000 + each.flow), ("127.0.0.1", 5552))
            leg.opened()
            links[each.flow] = steering(fault, protocol=each.protocol)[0], leg
        made, leg = links[each.flow]
        side = CLIENT if each.sender == "client" else SERVER
        for command in made.feed(side, each.data):  # type: ignore[attr-defined]
            if isinstance(command, Send) and command.side == CLIENT:
                leg.sent(SERVER, command.data)
        if side == CLIENT:
            leg.sent(CLIENT, each.data)
    for _, leg in links.values():
        leg.ended(CLIENT)
        leg.ended(SERVER)
    recorder.close()
    return {each.rule for each in streamshark.check(str(path))}


def test_each_recipe_raises_its_finding(tmp_path: Path) -> None:
    """And without it the finding is not there."""
    with Failures() as failures:
        for each in RECIPES:
            begins = max((name for name in TRAFFIC if each.name.startswith(name)), key=len)
            capture = TRAFFIC[begins]
            with failures.of(each.name):
                assert each.finding in replayed(capture, each.fault, tmp_path / each.name)
                never = f"{each.fault.partition('->')[0]}-> drop on call 999999"
                assert each.finding not in replayed(capture, never, tmp_path / "none")


def test_names_are_faults() -> None:
    """Unique, and taken where a fault is."""
    names = [each.name for each in RECIPES]
    assert len({*names}) == len(names)
    assert Fault("rabbitmq-confirm-lost").action.name == "drop"
