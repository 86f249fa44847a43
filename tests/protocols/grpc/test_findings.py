"""gRPC's rules: each is broken once, and once nearly."""

import io
import re
import struct
from pathlib import Path

import pytest
from tests.builders import Conversation, pcap
from tests.protocols.grpc.test_conversations import FAILED
from tests.protocols.http2.traffic import (
    DATA,
    END_HEADERS,
    END_STREAM,
    GOAWAY,
    REQUEST,
    RESPONSE,
    RST_STREAM,
    SETTINGS,
    Side,
    call,
    frame,
    message,
    talk,
)

from streamshark.findings.finding import Finding
from streamshark.findings.rule import Rule
from streamshark.protocols.grpc.findings import RULES
from streamshark.protocols.http2.codes import PREFACE
from streamshark.session import Session


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rules_say_who_when_and_why(rule: Rule) -> None:
    """An id of our family, words for all parts, a public source."""
    assert re.fullmatch(r"GRPC-[BGQ]\d+[b-h]?", rule.id)
    assert rule.title
    assert rule.message
    assert rule.source.startswith(("PROTOCOL-HTTP2.md", "RFC 9113", "grpc.io"))


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
    ((1, status(4)), ["GRPC-G2"]), ((1, status(0)), ["GRPC-B44"]), ((1, status(7)), ["GRPC-G1b"]),
    ((0, reset(8)), ["GRPC-G3"]), ((0, reset(0)), []),
    ((1, reset(2)), ["GRPC-G4"]), ((1, reset(7)), ["GRPC-G4b"]), ((1, reset(8)), []),
    ((1, reset(0)), []),
)  # fmt: skip
"""How a call ends, and the rules that this breaks."""


def answer(*, text: str = "", **headers: str) -> bytes:
    """Return the server's side of a call that ends with these headers."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    named |= {"grpc-message": text} if text else {}
    opened = Side().headers({":status": "200"} | named, flags=END_HEADERS | END_STREAM)
    return frame(SETTINGS, b"", 0) + opened


def goaway(code: int, text: bytes = b"") -> bytes:
    """Return GOAWAY."""
    return frame(GOAWAY, struct.pack(">II", 1, code) + text, 0)


def asked(**headers: str) -> bytes:
    """Return the client's side of a call with other headers."""
    side = PREFACE + frame(SETTINGS, b"", 0) + Side().headers(REQUEST | headers)
    return side + frame(DATA, message(b"hi"), flags=END_STREAM)


OK = "application/grpc"
ANSWERS = (
    (goaway(11, b"too_many_pings"), ["GRPC-G5"]), (goaway(1), ["GRPC-G5"]), (goaway(0), []),
    (answer(content_type="text/html") + goaway(0), ["GRPC-G7"]),
    (Side().headers({":status": "503", "content-type": "text/html"}), ["GRPC-G6b"]),
    (Side().headers({":status": "404", "content-type": "text/html"}), ["GRPC-G6"]),
    (answer(content_type=OK, grpc_status="0"), ["GRPC-B44"]),
    (answer(content_type=OK, grpc_status="8",
            text="grpc: received message larger than max (5 vs. 4)"), ["GRPC-G1", "GRPC-G8"]),
    (answer(content_type=OK, grpc_status="8",
            text="gRPC message exceeds maximum size 4: 5"), ["GRPC-G1", "GRPC-G8"]),
    (answer(content_type=OK, grpc_status="8", text="the quota of the user"), ["GRPC-G1"]),
)  # fmt: skip
"""What a server sends, and the rules that it breaks."""


def test_answers_that_are_none_of_a_service() -> None:
    """G5: GOAWAY; G6: HTTP; G7: no status; G8: too large. The text of the server is quoted."""
    for data, rules in ANSWERS:
        found = findings(talk((0, call()[0]), HELLO, (1, data)))
        assert sorted(each.rule for each in found) == rules, data
        if b"pings" in data:
            assert "enhance_your_calm: too_many_pings" in found[0].message
            assert found[0].packets


def test_a_call_that_takes_no_trailers() -> None:
    """G9: te is not trailers, or missing."""
    for te, rules in (("trailers", []), ("deflate", ["GRPC-G9"])):
        found = findings(talk((0, asked(te=te)), (1, call()[1])))
        assert [each.rule for each in found] == rules


def findings(tcp: Conversation) -> list[Finding]:
    """Return the findings of a connection."""
    analysis = Session([io.BytesIO(pcap(tcp.packets))]).analysis(rules=True)
    for _ in analysis.rows():
        pass
    return analysis.findings()


def test_deadlines_cancels_and_resets(tmp_path: Path) -> None:
    """G2: the deadline; G3: cancelled by the client; G4: reset by the server with an error."""
    for number, (end, rules) in enumerate(ENDS):
        path = tmp_path / f"{number}.pcap"
        path.write_bytes(pcap(talk((0, call()[0]), HELLO, end).packets))
        analysis = Session([str(path)]).analysis(rules=True)
        for _ in analysis.rows():
            pass

        assert [each.rule for each in analysis.findings()] == rules, end
