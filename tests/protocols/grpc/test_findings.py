"""gRPC's rules: each is broken once, and once nearly."""

import re
import struct
from pathlib import Path

import pytest
from tests.builders import pcap
from tests.protocols.grpc.test_conversations import FAILED
from tests.protocols.http2.traffic import (
    END_HEADERS,
    END_STREAM,
    RESPONSE,
    RST_STREAM,
    SETTINGS,
    Side,
    call,
    frame,
    talk,
)

from streamshark.findings.rule import Rule
from streamshark.protocols.grpc.findings import RULES
from streamshark.session import Session


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rules_say_who_when_and_why(rule: Rule) -> None:
    """An id of our family, words for all parts, a public source."""
    assert re.fullmatch(r"GRPC-[BGQ]\d+[b-h]?", rule.id)
    assert rule.title
    assert rule.message
    assert rule.source.startswith("PROTOCOL-HTTP2.md")


@pytest.mark.parametrize(("answered", "rules"), [(FAILED, ["GRPC-G1"]), (call()[1], [])])
def test_a_call_fails(tmp_path: Path, answered: bytes, rules: list[str]) -> None:
    """G1: by its status; not where that is 0."""
    path = tmp_path / "call.pcap"
    path.write_bytes(pcap(talk((0, call()[0]), (1, answered)).packets))
    analysis = Session([str(path)]).analysis(rules=True)
    for _ in analysis.rows():
        pass

    assert [each.rule for each in analysis.findings()] == rules


def status(code: int) -> bytes:
    """Return the server's side of a call that ends with a status."""
    headers = RESPONSE | {"grpc-status": str(code)}
    return frame(SETTINGS, b"", 0) + Side().headers(headers, flags=END_HEADERS | END_STREAM)


def reset(code: int) -> bytes:
    """Return RST_STREAM."""
    return frame(RST_STREAM, struct.pack(">I", code))


HELLO = (1, frame(SETTINGS, b"", 0))
ENDS = (
    ((1, status(4)), ["GRPC-G2"]), ((1, status(0)), []), ((1, status(7)), ["GRPC-G1b"]),
    ((0, reset(8)), ["GRPC-G3"]), ((0, reset(0)), []),
    ((1, reset(2)), ["GRPC-G4"]), ((1, reset(7)), ["GRPC-G4"]), ((1, reset(8)), []),
    ((1, reset(0)), []),
)  # fmt: skip
"""How a call ends, and the rules that this breaks."""


def test_deadlines_cancels_and_resets(tmp_path: Path) -> None:
    """G2: the deadline; G3: cancelled by the client; G4: reset by the server with an error."""
    for number, (end, rules) in enumerate(ENDS):
        path = tmp_path / f"{number}.pcap"
        path.write_bytes(pcap(talk((0, call()[0]), HELLO, end).packets))
        analysis = Session([str(path)]).analysis(rules=True)
        for _ in analysis.rows():
            pass

        assert [each.rule for each in analysis.findings()] == rules, end
