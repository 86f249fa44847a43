"""Rows of faults in JSON, from a recording."""

from pathlib import Path

from tests.proxy.test_fault_steering import INFO, A, B

from streamshark.cli.fault_rows import FaultRows
from streamshark.dissection.row import EventRow
from streamshark.proxy.faults import FaultUse
from streamshark.proxy.recipes import RECIPES
from streamshark.proxy.recorder import LegRecord, Recorder
from streamshark.session import Session


def test_a_fault_is_an_event_of_its_connection(tmp_path: Path) -> None:
    """With the packet that has the comment, and who sent the frame; other comments make no rows."""
    path = tmp_path / "out.pcapng"
    recorder = Recorder(path)
    recipe = RECIPES[0]
    leg = LegRecord(recorder, 0, ("127.0.0.1", 40_000), ("127.0.0.1", 4222))
    leg.opened()
    leg.sent(1, INFO)
    leg.comment(FaultUse("msg", 1, recipe.fault).text)
    leg.comment("seen by me")
    leg.sent(1, A)
    leg.comment(FaultUse("", 0, 'nats.command == "pub" -> delay 2s').text)
    leg.sent(1, B)
    recorder.close()
    with Session((path,)) as session:
        faults = FaultRows(session)
        assert len([*session.rows()]) == 4
        first, second = faults.take()
        assert faults.take() == []
    assert isinstance(first, EventRow)
    assert isinstance(second, EventRow)
    assert (first.protocol, first.name, first.sender) == ("proxy", "fault", "server")
    assert first.addresses == ("127.0.0.1:4222", "127.0.0.1:40000")
    assert (first.packets, first.time_ns > 0) == ([5], True)
    assert first.fields == {
        "fault": recipe.fault,
        "name": recipe.name,
        "act": "drop",
        "command": "msg",
    }
    assert (second.sender, second.fields["name"], second.fields["command"]) == (
        *("client", None),
        None,
    )
