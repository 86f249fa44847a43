"""What a walk over the packets says of captures, besides the packets."""

from pathlib import Path

from tests.packets import write
from tests.spark.clusters import archive

from streamshark.spark.packet_task import PacketTask, inspected, put_packets, unsupported
from streamshark.splits.input_splits import extent, time_slices
from streamshark.splits.inputs import inputs


def test_parts_of_a_damaged_capture(tmp_path: Path) -> None:
    """The last part has the damage, and all have the packets; a task that runs again the same."""
    sent = archive()
    path = write(tmp_path / "in.pcap", sent)
    with Path(path).open("ab") as file:
        file.write(b"\1" * 20)
    (known,) = inputs([path])
    slices = time_slices([(0, known, extent(known, 20_000))], 20_000)
    assert len(slices) > 2
    tasks = [
        PacketTask(at, str(tmp_path / "out"), each, None, 2, "none")
        for at, each in enumerate(slices)
    ]
    reports = [put_packets(task) for task in tasks]
    notes = [note for report in reports for note in report.notes]
    assert [bool(note.damage) for note in notes] == [False] * (len(slices) - 1) + [True]
    assert notes[-1].packets == len(sent)
    assert reports[-1].last is not None
    assert reports[-1].last.packet == len(sent)
    before = {each: each.read_bytes() for each in (tmp_path / "out").rglob("*.*")}
    put_packets(tasks[0])
    assert {each: each.read_bytes() for each in (tmp_path / "out").rglob("*.*")} == before


def test_captures_that_cannot_be_read(tmp_path: Path) -> None:
    """Each is named, with the reason."""
    (tmp_path / "empty.pcap").write_bytes(b"")
    found = inspected(str(tmp_path / "empty.pcap"))
    assert found is not None
    assert found.reason == "is empty"
    assert inspected(write(tmp_path / "none.pcap", [])) is None
    assert unsupported({}) == unsupported({1: 3, 200: 4}) == ""
    assert unsupported({200: 4}).startswith("link type ")
