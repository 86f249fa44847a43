"""What connections have left, evaluated in the order of their rows."""

from tests.findings.left_records import dialogue, given, left_by_each

from streamshark.dissection.row import FrameRow
from streamshark.findings.joined_records import RecordJoiner
from streamshark.findings.judge import Judge


def test_objects_that_connections_share() -> None:
    """Findings name frames, packets and conversations as those of one engine."""
    talk, judge = dialogue(), Judge()
    for row in talk.rows:
        if isinstance(row, FrameRow):
            judge.frame(row.number, row.file, row.packet)
    joiner = RecordJoiner(given(), judge)
    groups = []
    for source, left in enumerate(left_by_each(talk)):
        joiner.learn(source, left)
        groups += [(group.at, source, group) for group in left.groups]
    for _, source, group in sorted(groups, key=lambda each: each[:2]):
        joiner.add(source, group)
    joiner.finish(talk.now)

    apart = judge.findings()
    assert apart == talk.findings()
    assert {each.rule for each in apart} == {"T-1", "T-2", "T-3", "T-4"}
    assert {each.conversation for each in apart if each.rule == "T-1"} != {None}
