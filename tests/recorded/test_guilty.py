"""`[[guilty]]` of a provenance tells a frame that is in the capture.

The recorder's driver counted it: connection, sender, place among that sender's frames; the packet
comes from sequence numbers. Nothing of it was read from the capture by Streamshark.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from streamshark.frames.frame import FrameRow
from streamshark.session import Session

CAPTURES = Path(__file__).parents[2] / "captures"
TOLD = {
    path.parent: rows
    for path in sorted(CAPTURES.glob("*/*/provenance.toml"))
    if (rows := tomllib.loads(path.read_text()).get("guilty"))
}


@pytest.fixture(params=TOLD, ids=lambda folder: folder.name)
def folder(request: pytest.FixtureRequest) -> Path:
    """A capture with guilty frames."""
    path: Path = request.param
    return path


def test_a_guilty_frame_is_where_the_driver_counted_it(folder: Path) -> None:
    """Its key, and a packet that carries it."""
    frames: dict[tuple[int, str], list[FrameRow]] = {}
    for row in Session([str(next(folder.glob("traffic.*")))]).rows():
        if isinstance(row, FrameRow) and row.connection.wire.id == folder.parent.name:
            frames.setdefault((row.connection.flow.number, str(row.sender)), []).append(row)

    for each in TOLD[folder]:
        row = frames[each["connection"], each["sender"]][each["nth"] - 1]
        assert row.selector
        key = row.selector.key
        if isinstance(key, int):
            assert key | row.selector.response << 15 == int(each["key"], 16)
        else:
            assert key == each["key"]
        assert each["packet"] in row.packets


def test_a_guilty_frame_has_a_rule_of_the_faults(folder: Path) -> None:
    """And `last` does not come before `nth`."""
    faults: dict[str, Any] = tomllib.loads((folder / "provenance.toml").read_text())["faults"]

    assert [each["rule"] for each in TOLD[folder] if each["rule"] not in faults] == []
    assert all(each.get("last", each["nth"]) >= each["nth"] for each in TOLD[folder])


def test_every_recreated_bug_tells_its_rules() -> None:
    """The rules of a bug, most of them with the frame that is to be named."""
    bugs = sorted((CAPTURES / "rabbitmq_stream").glob("bug_*"))
    told = [each for each in bugs if each in TOLD]

    assert [each.name for each in bugs if each not in TOLD] == ["bug_dropped_in_mid_frame"]
    assert len(told) >= 60
