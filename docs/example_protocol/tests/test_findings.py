"""Rules: each fires where a peer breaks it, and only there."""

import io

from tests.builders import pcap
from tests.protocols.tally.traffic import connection

from streamshark.session import Session


def test_r1_a_counter_does_not_exist() -> None:
    """Frame 3 asks, frame 4 refuses; the request before it, which succeeds, is no finding."""
    analysis = Session([io.BytesIO(pcap(connection().packets))]).analysis(rules=True)
    list(analysis.rows())

    assert [(each.rule, each.frames) for each in analysis.findings()] == [("TALLY-R1", (3, 4))]
