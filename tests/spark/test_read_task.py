"""What one task does: a table of its captures, and what is wrong with them."""

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pytest
from tests.packets import packets, recorded

from streamshark.capture import Capture
from streamshark.spark import read_task
from streamshark.spark.read_task import ReadOptions, ReadTask, produce, schema_of
from streamshark.splits.inputs import opened

STORM = recorded("rabbitmq_stream/bug_reconnect_storm")[0]


def made(table: str, *names: str, **more: object) -> list[dict[str, object]]:
    """The rows of a table."""
    columns = tuple(schema_of(table, ReadOptions()).names)
    batches = list(produce(ReadTask(table, columns, names, **more)))  # type: ignore[arg-type]
    return pa.Table.from_batches(batches).to_pylist() if batches else []


def test_bad_inputs(tmp_path: Path) -> None:
    """Foreign, empty, cut, missing: each is named, and the others are read."""
    foreign, empty, cut = (tmp_path / name for name in ("notes.txt", "empty.pcap", "cut.pcapng"))
    foreign.write_text("words")
    empty.write_bytes(b"")
    cut.write_bytes(Path(STORM).read_bytes()[:-10])
    names = [str(foreign), str(empty), str(cut), str(tmp_path / "missing.pcap"), STORM]
    told = {Path(str(each["file"])).name: each["reason"] for each in made("bad_inputs", *names)}
    assert set(told) == {"notes.txt", "empty.pcap", "cut.pcapng", "missing.pcap"}
    assert told["empty.pcap"] == "is empty"
    found = {each["file"] for each in made("frames", str(foreign), str(empty), STORM)}
    assert found == {STORM}


def as_nobody(name: str, file: int) -> Capture:
    """Open a capture as a user who owns none; root may read everything."""
    user = os.geteuid()
    if not user:
        os.seteuid(65534)
    try:
        return opened(name, file)
    finally:
        os.seteuid(user)


def test_a_file_that_must_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named, with the reason, and the others are read."""
    monkeypatch.setattr(read_task, "opened", as_nobody)
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        closed, readable = (Path(folder, name) for name in ("closed.pcapng", "open.pcapng"))
        for path, mode in ((closed, 0), (readable, 0o644)):
            shutil.copy(STORM, path)
            path.chmod(mode)
        names = [str(closed), str(readable)]
        (bad,) = made("bad_inputs", *names)
        assert (bad["file"], bad["packets"]) == (str(closed), 0)
        assert bad["reason"] == "no permission to read it"
        assert {each["file"] for each in made("frames", *names)} == {str(readable)}


def test_packets() -> None:
    """Packets as the capture has them, with what TCP says."""
    told = made("packets", STORM)
    assert [each["packet"] for each in told] == list(range(1, len(packets(STORM)) + 1))
    assert told[0]["flags"] == 2
    assert [each["data"] for each in told] == [each.data for each in packets(STORM)]
