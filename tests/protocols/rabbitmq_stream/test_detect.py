"""Detection: how sure it is of what, and why."""

import pytest

from streamshark.frames.detection import SURE
from streamshark.frames.wire import Evidence
from streamshark.protocols.rabbitmq_stream.detect import FOREIGN, detect


def evidence(
    *commands: str, start: bool = True, port: bool = False, data: bytes = b"\0\0\0\4"
) -> Evidence:
    """What first bytes look like when these frames line up."""
    return Evidence(data, start, commands, bool(commands), open_head=False, port=port)


@pytest.mark.parametrize(
    ("seen", "least", "most"),
    [
        (evidence("peer_properties"), 95, 100),
        (evidence("peer_properties_response"), 95, 100),
        (evidence("open", "tune", start=False), SURE, 90),
        (evidence("peer_properties", start=False), 0, SURE - 1),
        (evidence("deliver", "deliver", "deliver", start=False), 90, 100),
        (evidence("heartbeat", start=False, port=True), 75, 90),
        (evidence("heartbeat", start=False), 0, SURE - 1),
        (evidence(), 0, 0),
        (evidence(port=True), 0, 0),
    ],
)
def test_confidence(seen: Evidence, least: int, most: int) -> None:
    """A beginning or several frames are sure on any port; one frame alone needs the port."""
    guess = detect(seen)

    assert least <= guess.confidence <= most
    assert guess.reason


@pytest.mark.parametrize("prefix", FOREIGN, ids=FOREIGN.get)
def test_other_protocols_are_named(prefix: bytes) -> None:
    """First bytes of others are refused by name, whatever seems to line up."""
    guess = detect(evidence("peer_properties", port=True, data=prefix + b"..."))

    assert guess.confidence == 0
    assert FOREIGN[prefix] in guess.reason


def test_an_open_frame_on_the_port_is_a_hint() -> None:
    """A first frame that is not whole yet is not refused."""
    seen = Evidence(b"\0\1", start=False, commands=(), lined_up=False, open_head=True, port=True)

    assert 0 < detect(seen).confidence < SURE


def test_a_preamble_is_not_foreign() -> None:
    """Behind a load balancer the first bytes may be those of the PROXY protocol."""
    seen = evidence("peer_properties", data=b"PROXY TCP4 192.0.2.7 192.0.2.1 1 5552\r\n")

    assert detect(seen).confidence >= SURE
