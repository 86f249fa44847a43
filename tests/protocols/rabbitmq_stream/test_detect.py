"""Detection: how sure it is of what, and why."""

from dataclasses import replace

import pytest
from tests.failures import every

from streamshark.framing.wire_format import Evidence, Level
from streamshark.protocols.rabbitmq_stream.detect import FOREIGN, detect


def evidence(
    *commands: str, start: bool = True, port: bool = False, data: bytes = b"\0\0\0\4"
) -> Evidence:
    """What first bytes look like when these frames line up."""
    return Evidence(data, start, commands, bool(commands), open_head=False, port=port, framed=99)


@pytest.mark.parametrize(
    ("seen", "level"),
    [
        (evidence("peer_properties"), Level.CERTAIN),
        (evidence("peer_properties_response"), Level.CERTAIN),
        (evidence("open", "tune", start=False), Level.LIKELY),
        (evidence("deliver", "deliver", "deliver"), Level.NONE),
        (evidence("peer_properties", start=False), Level.WEAK),
        (evidence("deliver", "deliver", "deliver", start=False), Level.LIKELY),
        (replace(evidence("deliver", "deliver", "deliver", start=False), against=50), Level.NONE),
        (evidence("heartbeat", start=False, port=True), Level.LIKELY),
        (evidence("heartbeat", start=False), Level.WEAK),
        (evidence(), Level.NONE),
        (evidence(port=True), Level.NONE),
    ],
)
def test_levels(seen: Evidence, level: Level) -> None:
    """A beginning or several frames are sure on any port; one frame alone needs the port."""
    guess = detect(seen)

    assert guess.level is level
    assert guess.reason


@every("prefix", FOREIGN, ids=FOREIGN.get)
def test_other_protocols_are_named(prefix: bytes) -> None:
    """First bytes of others are refused by name, whatever seems to line up."""
    guess = detect(evidence("peer_properties", port=True, data=prefix + b"..."))

    assert guess.level is Level.NONE
    assert FOREIGN[prefix] in guess.reason


def test_an_open_frame_on_the_port_is_a_hint() -> None:
    """A first frame that is not whole yet is not refused."""
    seen = Evidence(b"\0\1", start=False, commands=(), lined_up=False, open_head=True, port=True)

    assert detect(seen).level is Level.WEAK


def test_a_preamble_is_not_foreign() -> None:
    """With a load balancer the first bytes may be those of the PROXY protocol."""
    seen = evidence("peer_properties", data=b"PROXY TCP4 192.0.2.7 192.0.2.1 1 5552\r\n")

    assert detect(seen).level is Level.CERTAIN
