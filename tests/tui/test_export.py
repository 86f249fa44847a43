"""Rows are written to files that other programs and commands read."""

import json
from pathlib import Path

import pytest
from tests.tui.screens import browser

from streamshark.errors import StreamsharkError
from streamshark.session import Session
from streamshark.tui.export import export


def test_rows_are_written_in_each_form(tmp_path: Path) -> None:
    """The end of the name says the form; what is written has the rows and no others."""
    found, rows = browser(), [13, 14, 16]
    for name in ("a.txt", "a.json", "a.ndjson", "a.hex", "a.mmd", "a.puml"):
        said = export(found, rows, str(tmp_path / name))
        assert said.endswith(f"{name}: 3 rows")
    text = (tmp_path / "a.txt").read_text().splitlines()
    assert len(text) == 3
    assert text[0].startswith("13 p20 0.004899 127.0.0.1:35434 -> 127.0.0.1:5552 rmqstream sub")
    assert [each["frame"] for each in json.loads((tmp_path / "a.json").read_text())] == rows
    lines = (tmp_path / "a.ndjson").read_text().splitlines()
    assert [json.loads(each)["frame"] for each in lines] == rows
    assert "0000  00 00 00 bf 00 08" in (tmp_path / "a.hex").read_text()
    assert "RMQ-C2" in (tmp_path / "a.mmd").read_text()
    assert (tmp_path / "a.puml").read_text().startswith("@startuml")


def test_packets_are_written_once_each_and_can_be_read(tmp_path: Path) -> None:
    """A capture has the packets of the rows, with their times, and is read again."""
    found = browser()
    said = export(found, range(found.total), str(tmp_path / "all.pcapng"))
    assert "packets, secrets included" in said
    with Session([str(tmp_path / "all.pcapng")]) as session:
        again = [(row.time_ns, row.data) for row in session.rows() if row.data]
    assert again == [
        (row.time_ns, row.data) for row in map(found.original, range(found.total)) if row.data
    ]


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    """An unknown form, no row, and a folder that is not there are errors; no file is left."""
    for rows, name, message in (
        ([1], "a.doc", "the name must end with"),
        ([], "a.txt", "no row to write"),
        ([1], "none/a.txt", "No such file"),
    ):
        with pytest.raises(StreamsharkError, match=message):
            export(browser(), rows, str(tmp_path / name))
    assert not list(tmp_path.iterdir())
