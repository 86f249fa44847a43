"""Positions of what connections leave."""

import pickle

from tests.conversations.dialogue import CLIENT, SERVER, Talk, rule
from tests.framing.parcel_protocol import TICKS, WIRE, send

from streamshark.conversations.engine import Engine
from streamshark.conversations.engine_state import ProtocolTables
from streamshark.conversations.tables import Timer
from streamshark.findings.connection_records import AT, BEFORE, END, MATCHES, ConnectionRecords


def test_records_are_in_the_order_of_time() -> None:
    """A timer comes before later rows, though it is noticed with them; ends come last."""
    late = Timer(name="late", of="conn", on="send", limit="2 s")
    rules = rule("send"), rule("timer:late"), rule("tick"), rule("end:conn")
    talk = Talk((late,), *rules)
    talk.say(CLIENT, send(1))
    talk.say(SERVER, TICKS, wait=5)
    records = ConnectionRecords()
    engine = Engine(
        [ProtocolTables(WIRE, (late,), rules)], judge=records, facts=records, annotates=False
    )
    records.follows(lambda: engine.moment)
    for row in talk.rows:
        records.begin(row)
        engine.see(row)
    records.end()
    engine.finish()

    left = pickle.loads(pickle.dumps(records.take()))  # noqa: S301 - our own
    found = [
        (group.at[0], group.at[1], record[3])
        for group in left.groups
        for record in group.records
        if record[0] == MATCHES
    ]
    asked = talk.rows[1].time_ns
    wait = 2_000_000_000
    ticked = talk.rows[2].time_ns
    assert found == [(asked, AT, 0), (asked + wait, BEFORE, 1), (ticked, AT, 2), (END, AT, 3)]
    assert records.take() == ([], [])
