"""Connections as plain values."""

import marshal

from tests.packets import recorded

from streamshark.index.connection_records import connection_record
from streamshark.session import Session


def test_a_record_says_what_was_agreed() -> None:
    """Of a connection whose protocol is known; of another one, only how much it carried."""
    with Session(recorded("rabbitmq_stream/bug_credit_never_renewed")) as session:
        for _ in session.rows():
            pass
        (flow,) = session.dissector.tracker.flows
        known = session.dissector.connections[flow.number]
    record, unknown = connection_record(flow, known), connection_record(flow, None)
    assert marshal.dumps(record)  # of plain values alone
    assert record[:9] == unknown[:9]
    assert record[9] == "rabbitmq_stream"
    assert "frame_max" in record[12]
    assert unknown[9:] == (None, None, "", {}, 0)
