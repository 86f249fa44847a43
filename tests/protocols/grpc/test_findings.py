"""gRPC's rules: each is broken once, and once nearly."""

import re
from pathlib import Path

import pytest
from tests.builders import pcap
from tests.protocols.grpc.test_conversations import FAILED
from tests.protocols.http2.traffic import call, talk

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
