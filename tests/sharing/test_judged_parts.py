"""Faults by place."""

from pathlib import Path

from tests.recorded.index import lines

from streamshark.session import Session
from streamshark.sharing.judged_parts import judged


def test_findings_and_damage_have_a_place() -> None:
    """A finding has the place of its guilty frame, a gap that of its row; chat has none."""
    places = {}
    for capture in ("rabbitmq_stream/bug_wrong_password", "rabbitmq_stream/lost_segment"):
        with Session([str(Path(lines()[capture].path))]) as session:
            made = judged(session, lambda row: (row.side, row.offset), lambda number: number)
        places[capture] = made
        for each in made.findings:
            assert each.finding.severity != "chat"
            assert each.fault in made.faults
    guilty = places["rabbitmq_stream/bug_wrong_password"]
    assert ("RMQ-N6", 0) in {(rule, place[0]) for rule, place in guilty.faults}  # type: ignore[index]
    assert "gap" in {each for each, _ in places["rabbitmq_stream/lost_segment"].faults}
