"""What connections have left, evaluated in the order of their rows."""

from typing import Any

from tests.conversations.dialogue import CLIENT, SERVER, Talk, rule
from tests.framing.parcel_protocol import TICKS, WIRE, send

from streamshark.conversations.engine import Engine
from streamshark.conversations.engine_state import ProtocolTables
from streamshark.conversations.tables import Action, Lifecycle
from streamshark.dissection.row import FrameRow
from streamshark.findings.connection_records import ConnectionRecords
from streamshark.findings.joined_records import RecordJoiner
from streamshark.findings.judge import Judge

HOUSE = Lifecycle(name="house", scope="capture", key={"send": "server, address"})
SEEN = Action(on="send", do="house.seen = coalesce(house.seen, 0) + 1; house.last_of = flow")


def both(tables: tuple[Any, ...], *rules: Any) -> tuple[list[Any], list[Any]]:  # noqa: ANN401 - tables
    """Findings of one engine, and of connections one by one, of the same rows."""
    talk = Talk(tables, *rules)
    for number in (0, 1, 0, 2):
        talk.say(CLIENT, send(number, b"same"), number=number)
        talk.say(SERVER, TICKS, number=number)
    talk.lose(CLIENT, number=1)
    talk.close(0)
    given = [ProtocolTables(WIRE, tables, rules)]
    judge = Judge()
    joiner = RecordJoiner(given, judge)
    groups = []
    for flow in range(3):
        records = ConnectionRecords()
        engine = Engine(given, judge=records, facts=records, annotates=False)
        records.follows(lambda engine=engine: engine.moment)
        for row in talk.rows:
            if isinstance(row, FrameRow):
                judge.frame(row.number, row.file, row.packet)
            if row.connection.flow.number == flow:
                records.begin(row)
                engine.see(row)
        engine.reach(talk.now)
        records.end()
        engine.finish()
        left = records.take()
        joiner.learn(flow, left)
        groups += [(group.at, flow, group) for group in left.groups]
    for _, flow, group in sorted(groups, key=lambda each: each[:2]):
        joiner.add(flow, group)
    joiner.finish(talk.now)
    return talk.findings(), judge.findings()


def test_objects_that_connections_share() -> None:
    """Findings name frames, packets and conversations as those of one engine."""
    together, apart = both(
        (HOUSE, SEEN),
        rule("send", "house.seen > 1 and house.last_of != flow", message="{house.seen}"),
        rule("send", per="address", id="T-2", message="{address}"),
        rule("tick", "conn.whole", id="T-3", needs="whole"),
        rule("end:house", "house.seen > 2", id="T-4"),
    )
    assert apart == together
    assert {each.rule for each in apart} == {"T-1", "T-2", "T-3", "T-4"}
    assert {each.conversation for each in apart if each.rule == "T-1"} != {None}
