"""What the driver keeps of a domain, and which captures it reports."""

from pathlib import Path

import pytest
from tests.packets import packets, recorded, write
from tests.spark.local_run import here, rows_of, run_here

from streamshark.spark.domain_run import DomainState
from streamshark.spark.read_task import LATE
from streamshark.spark.tables import BAD_INPUTS, FRAMES

__all__ = ["here"]


@pytest.mark.usefixtures("here")
def test_captures_that_are_damaged_late_or_missing(tmp_path: Path) -> None:
    """Each is a row with the reason, in the run that reads it."""
    found = packets(recorded("rabbitmq_stream/bug_reconnect_storm")[0])
    third = len(found) // 3
    parts = (found[:third], found[2 * third :], found[third : 2 * third])
    first, last, late = (
        write(tmp_path / f"ring_{at:05}_20261121101500.pcap", part)
        for at, part in zip((1, 4, 2), parts, strict=True)
    )
    with Path(last).open("ab") as file:
        file.write(b"\1" * 20)
    for some in ([first, last], [first, last, late]):
        run_here(tmp_path / "out", some, 2, tables=(FRAMES, BAD_INPUTS))
    rows = rows_of(tmp_path / "out", (BAD_INPUTS,))[BAD_INPUTS]
    assert [Path(each["file"]).name for each in rows if each["reason"] == LATE] == [Path(late).name]
    assert [each["packets"] for each in rows if each["file"] == last] == [len(parts[1])]
    gap = [each for each in rows if "*" in each["file"]]
    assert ["00002" in each["file"] for each in gap] == [True], gap


def test_state(tmp_path: Path) -> None:
    """A run continues with what an earlier one has kept."""
    state = DomainState(["one"], frames=3, split=[0, 1, 2, 3], learned=[["kind", "server", 1]])
    state.write(tmp_path)
    assert DomainState.read(tmp_path) == state
