"""What connections have left, evaluated in the order of their rows."""

from tests.conversations.dialogue import CLIENT, SERVER, Talk, rule
from tests.findings.left_records import dialogue, given, left_by, left_by_each
from tests.framing.parcel_protocol import TICKS, WIRE, send

from streamshark.conversations.engine_state import ProtocolTables
from streamshark.conversations.tables import Action, Lifecycle
from streamshark.dissection.row import FrameRow
from streamshark.findings.connection_records import Left
from streamshark.findings.finding import Finding
from streamshark.findings.joined_records import RecordJoiner
from streamshark.findings.judge import Judge


def joined(talk: Talk, tables: list[ProtocolTables], lefts: list[Left]) -> list[Finding]:
    """Findings of what connections have left."""
    judge = Judge()
    for row in talk.rows:
        if isinstance(row, FrameRow):
            judge.frame(row.number, row.file, row.packet)
    joiner = RecordJoiner(tables, judge)
    groups = []
    for source, left in enumerate(lefts):
        joiner.learn(source, left)
        groups += [(group.at, source, group) for group in left.groups]
    for _, source, group in sorted(groups, key=lambda each: each[:2]):
        joiner.add(source, group)
    joiner.finish(talk.now)
    return judge.findings()


def test_objects_that_connections_share() -> None:
    """Findings name frames, packets and conversations as those of one engine."""
    talk = dialogue()
    apart = joined(talk, given(), left_by_each(talk))
    assert apart == talk.findings()
    assert {each.rule for each in apart} == {"T-1", "T-2", "T-3", "T-4"}
    assert {each.conversation for each in apart if each.rule == "T-1"} != {None}


def test_objects_that_end_after_the_connections_that_name_them() -> None:
    """A finding of an object that connections are judged together for is kept."""
    tables = (
        Lifecycle(name="house", scope="capture", key={"send": "server, address"}, gathers=True),
        Action(on="send", do="house.seen = coalesce(house.seen, 0) + 1"),
    )
    watched = rule("send", "house.seen > 0", of="house")
    talk = Talk(tables, watched)
    for number in range(2):
        talk.say(CLIENT, send(number, b"same"), number=number)
        talk.say(SERVER, TICKS, number=number)
        talk.close(number)
    given_tables = [ProtocolTables(WIRE, tables, (watched,))]
    apart = joined(talk, given_tables, left_by(talk, given_tables, [[0, 1]]))
    assert apart == talk.findings()
    assert [each.rule for each in apart] == ["T-1"]
