"""Parts of the reader by themselves, in Lua as Wireshark has it: against Python's own.

A part is run with stubs in the place of what Wireshark and other parts give it.
"""

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from streamshark.conversations.outstanding import OutstandingIds

pytestmark = pytest.mark.process
READER = Path("src/streamshark/lua/reader")
STUBS = """
local stub = setmetatable({}, { __call = function() end })
getmetatable(stub).__index = function() return stub end
setmetatable(_G, { __index = function(_, name) return name:find("^ENC_") and 0 or stub end })
local f, pieces, preferences, unpack = {}, {}, { kept = 1e9 }, table.unpack
"""
"""Whatever is not known is a function that does nothing; encodings are numbers."""


def said(part: str, script: str) -> list[str]:
    """Return the lines that a script prints after a part of the reader, whose locals it has."""
    text = f"{STUBS}{(READER / part).read_text()}\n{script}"
    done = subprocess.run(["lua5.2", "-"], input=text.encode(), capture_output=True, check=False)
    assert (done.returncode, done.stderr[:500]) == (0, b"")
    return done.stdout.decode("latin-1").splitlines()


def steps() -> Iterator[tuple[str, list[int], int]]:
    """Give what is done to outstanding ids, which are added and taken, in runs and one by one."""
    chance = random.Random("outstanding")  # noqa: S311
    for _ in range(1500):
        first = chance.randrange(30)
        ids = list(range(first, first + chance.choice((1, 1, 2, 5, 9))))
        if chance.random() < 0.3:
            ids = chance.sample(ids, len(ids))
        yield chance.choice(("add", "add", "take", "take", "take_upto")), ids, chance.randrange(99)


def test_outstanding_ids_are_those_of_python() -> None:
    """Ids that wait, each with the time and the frame that brought it, and what is taken."""
    script = ["local outstanding = { runs = {}, twice = {}, count = 0, whole = true }"]
    expected = []
    outstanding = OutstandingIds(whole=True)
    for n, (verb, ids, t) in enumerate(steps(), 1):
        listed = str(ids[0]) if len(ids) == 1 else f"{{{', '.join(map(str, ids))}}}"
        found = None
        if verb == "add":
            outstanding.add(ids, t, n)
            script.append(f"local found = f.add(outstanding, {listed}, {t}, {n})")
        elif verb == "take":
            found = outstanding.take(ids)
            script.append(f"local found = f.take(outstanding, {listed})")
        else:
            found = outstanding.take_upto(ids[0])
            script.append(f"local found = f.take_upto(outstanding, {ids[0]})")
        script[-1] = f"do {script[-1]}; show(outstanding, found) end"
        waits = [(id_, t_, n_) for a, b, t_, n_ in outstanding.runs for id_ in range(a, b + 1)]
        told = " ".join(f"{id_}:{t_}:{n_}" for id_, t_, n_ in waits)
        expected.append(f"{outstanding.count} {found[0] if found else None} {told}")
    show = """
    local function show(outstanding, found)
      local out = { outstanding.count .. " " .. (found and found[4] or "None") .. " " }
      local ids = {}
      for _, run in ipairs(outstanding.runs) do
        for id = run[1], run[2] do ids[#ids + 1] = id .. ":" .. run[3] .. ":" .. run[4] end
      end
      print(out[1] .. table.concat(ids, " "))
    end
    """
    assert said("outstanding.lua", show + "\n".join(script)) == expected


def test_utf_8_is_that_of_python() -> None:
    """Every two bytes, and every second byte of what begins longer characters."""
    texts = [bytes([a, b]) for a in range(128, 256) for b in range(128, 256)]
    texts += [bytes([a, b, 0x80]) for a in range(0xE0, 0xF0) for b in range(256)]
    texts += [bytes([a, b, 0xBF, 0x80]) for a in range(0xF0, 0x100) for b in range(256)]
    listed = ",".join('"' + "".join(f"\\{each:03}" for each in text) + '"' for text in texts)
    script = f"""
    for _, raw in ipairs({{{listed}}}) do
      print((as_utf8(raw):gsub(".", function(byte) return string.format("%02x", byte:byte()) end)))
    end
    """
    wanted = [text.decode("utf-8", "replace").encode().hex() for text in texts]
    assert said("primitives.lua", script) == wanted


def test_that_a_stream_has_begun_is_remembered() -> None:
    """After a loss, however many frames come on another stream."""
    script = """
    local all = {}
    FRAGMENTS = { continued = { more = true }, begun = {}, flags = "flags", by = "id", parts = {} }
    conversation, here, v = {}, { number = 1 }, { flags = 0, id = 7 }
    local last
    function note() last = {}; return last end
    function band(one, other) return one % (2 * other) >= other and other or 0 end
    local first, piece = { command = "first", more = 1 }, { command = "more", more = 1 }
    pieces.begin()
    pieces.lose(1)
    for _, each in ipairs({ 7, 9 }) do
      v.id, v.flags = each, 0
      pieces.see(first, 1)
    end
    v.id = 9
    for _ = 1, 70000 do pieces.see(first, 1) end
    for _, each in ipairs({ 5, 7, 9 }) do
      v.id, v.flags = each, 1
      pieces.see(piece, 1)
      print(each, last.whole.command, last.whole.reason)
    end
    """
    assert said("reassembly.lua", script) == [
        "5\tnil\tits first fragment is not in the capture",
        "7\tmore\tnil",
        "9\tmore\tnil",
    ]
