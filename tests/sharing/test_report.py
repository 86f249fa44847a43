"""What a report shows: the worst findings, their frames, and the frames around them."""

from tests.recorded.index import lines

from streamshark.session import Session
from streamshark.sharing.report import AROUND, FIRST_ROWS, MOST_OF_FINDING, report_of
from streamshark.views.sequence_diagram import Arrow, Loop, Note


def test_evidence_and_its_surroundings() -> None:
    """Every finding has its guilty frame, and its connection is drawn around it and no further."""
    path = str(lines()["rabbitmq_stream/bug_query_offset_flood"].path)
    content = report_of(lambda: Session([path]))
    rules = [each.rule for each in content.findings]
    assert rules[0] == "RMQ-X8"
    assert "RMQ-P2" in rules
    for each in content.findings:
        assert each.frames[0] in content.frames
        assert set(each.frames[:MOST_OF_FINDING]) <= content.frames.keys()
    (ladder,) = content.ladders
    guilty = {number for each in content.findings for number in each.frames[:4]}
    for number in ladder.times:
        near = min(abs(number - each) for each in guilty)
        assert number <= FIRST_ROWS or near <= AROUND, number
    assert guilty <= ladder.times.keys()
    assert any(isinstance(each, Arrow | Loop) for each in ladder.diagram.items)
    texts = [each.text for each in ladder.diagram.items if isinstance(each, Note)]
    not_drawn = [int(each.split()[0].replace(",", "")) for each in texts if "not drawn" in each]
    assert sum(not_drawn) + len(ladder.times) == content.facts["frames"]


def test_unread_bytes_are_named() -> None:
    """Damage, gaps, skipped bytes and unknown connections are each a sentence."""
    words = {
        "rabbitmq_stream/lost_segment": "1,448 bytes of recognised connections are not in the ",
        "nats/leaf_s2_py": "3,627 bytes skipped: this is a stream compressed by S2",
    }
    for capture, word in words.items():
        path = str(lines()[capture].path)
        content = report_of(lambda path=path: Session([path]))  # type: ignore[misc]
        assert any(word in each for each in content.unread), capture
