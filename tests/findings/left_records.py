"""What each connection of a dialogue leaves if it is judged by itself."""

from collections.abc import Collection, Iterable

from tests.conversations.dialogue import CLIENT, SERVER, Talk, rule
from tests.framing.parcel_protocol import TICKS, WIRE, send

from streamshark.conversations.engine import Engine
from streamshark.conversations.engine_state import ProtocolTables
from streamshark.conversations.tables import Action, Lifecycle
from streamshark.findings.connection_records import ConnectionRecords, Left

TABLES = (
    Lifecycle(name="house", scope="capture", key={"send": "server, address"}),
    Action(on="send", do="house.seen = coalesce(house.seen, 0) + 1; house.last_of = flow"),
)
"""Objects that connections share."""
RULES = (
    rule("send", "house.seen > 1 and house.last_of != flow", message="{house.seen}"),
    rule("send", per="address", id="T-2", message="{address}"),
    rule("tick", "conn.whole", id="T-3", needs="whole"),
    rule("end:house", "house.seen > 2", id="T-4"),
)
CONNECTIONS = 3


def dialogue() -> Talk:
    """Rows of several connections that share objects, of which one loses bytes."""
    talk = Talk(TABLES, *RULES)
    for number in (0, 1, 0, 2):
        talk.say(CLIENT, send(number, b"same"), number=number)
        talk.say(SERVER, TICKS, number=number)
    talk.lose(CLIENT, number=1)
    talk.close(0)
    return talk


def given() -> list[ProtocolTables]:
    """The tables of `dialogue`."""
    return [ProtocolTables(WIRE, TABLES, RULES)]


def left_by_each(talk: Talk) -> list[Left]:
    """What the connections leave."""
    return left_by(talk, given(), [[flow] for flow in range(CONNECTIONS)])


def left_by(
    talk: Talk, tables: list[ProtocolTables], groups: Iterable[Collection[int]]
) -> list[Left]:
    """What groups of connections leave."""
    found = []
    for flows in groups:
        records = ConnectionRecords()
        engine = Engine(tables, judge=records, facts=records, annotates=False)
        records.follows(lambda engine=engine: engine.moment)
        for row in talk.rows:
            if row.connection.flow.number in flows:
                records.begin(row)
                engine.see(row)
        engine.reach(talk.now)
        records.end()
        engine.finish()
        found.append(records.take())
    return found
