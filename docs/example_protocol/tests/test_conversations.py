"""Conversations: a request and its response are a call."""

import io

from tests.builders import pcap
from tests.protocols.tally.traffic import connection

from streamshark.session import Session


def test_a_request_and_its_response_are_a_call() -> None:
    """It is done where the code is 0, else it has failed."""
    analysis = Session([io.BytesIO(pcap(connection().packets))]).analysis(conversations=True)
    list(analysis.rows())

    assert [each.state for each in analysis.ended() if each.type == "call"] == ["done", "failed"]
