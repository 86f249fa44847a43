"""Liftbridge's plugin inside of a NATS dissector that is not ours: Wireshark has one since 5.0."""

import json
from pathlib import Path

import pytest
from tests.judge.judging import tshark

CAPTURE = next(Path("captures/liftbridge/publishes_go").glob("traffic.*"))
THEIRS = """
local nats = Proto("nats", "NATS")
local subjects = DissectorTable.new("nats.subject", "NATS Subject", ftypes.STRING)
function nats.dissector(bytes, info, root)
  local text, at = bytes:raw(), 1
  while true do
    local from, to, _, size = text:find("(%u+) [^\\r\\n]- (%d+)\\r\\n", at)
    if not from then return end
    size = tonumber(size)
    local own = text:find("^PUB ", from) or text:find("^MSG ", from)
    at = to + 1
    if own and size > 0 and to + size <= #text then
      subjects:get_dissector(">"):call(bytes(to, size):tvb(), info, root)
      at = to + size + 1
    end
  end
end
DissectorTable.get("tcp.port"):add(4222, nats)
"""
"""A dissector with the names of theirs: it asks which dissector reads the bytes after a line."""


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """The file of it."""
    path = tmp_path / "theirs.lua"
    path.write_text(THEIRS)
    return path


def read(*scripts: Path, fields: tuple[str, ...]) -> list[dict[str, list[str]]]:
    """What tshark shows of these fields, by packet."""
    wanted = [part for name in fields for part in ("-e", name)]
    rows = json.loads(tshark(CAPTURE, scripts, "-T", "json", *wanted))
    return [each["_source"].get("layers", {}) for each in rows]


def test_it_asks_ours(theirs: Path) -> None:
    """Envelopes are read, and no other payload is touched."""
    fields = ("liftbridge.command", "liftbridge.ack.offset", "_ws.malformed")
    rows = read(theirs, Path("dissectors/liftbridge.lua"), fields=fields)
    commands = {name for row in rows for name in row.get("liftbridge.command", ())}

    assert {"publish", "ack"} <= commands
    assert any("liftbridge.ack.offset" in row for row in rows)
    assert not any("_ws.malformed" in row for row in rows)


def test_ours_gives_way_to_their_name(theirs: Path) -> None:
    """The plugin of NATS is called otherwise then, and reads as it does."""
    rows = read(theirs, Path("dissectors/nats.lua"), fields=("nats_x.command",))
    commands = {name for row in rows for name in row.get("nats_x.command", ())}

    assert {"pub", "msg", "connect"} <= commands
