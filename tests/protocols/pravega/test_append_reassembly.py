"""Blocks with their ends: what encoders were given comes out, and what does not fit is told."""

import random
import subprocess
from pathlib import Path

import pytest
from tests.protocols.pravega.traffic import WRITER, encoders_vectors, framed, record, rows
from tests.schema.reader_agreement import Vector

from streamshark.dissection.row import FrameRow
from streamshark.protocols.pravega import append_reassembly
from streamshark.protocols.pravega.append_content import APPEND_BLOCK
from streamshark.protocols.pravega.append_reassembly import BLOCKS, joined
from streamshark.protocols.pravega.framing import all_frames

FRAMES = all_frames()


def end(size: int, rest: bytes = b"", writer: bytes = WRITER) -> bytes:
    """APPEND_BLOCK_END."""
    body = size.to_bytes(4, "big", signed=True) + len(rest).to_bytes(4, "big") + rest
    return framed(4, writer + body + bytes([0, 0, 0, 1]) + bytes(16))


def block(content: bytes, writer: bytes = WRITER) -> bytes:
    """APPEND_BLOCK."""
    return framed(3, writer + content)


def last(*frames: bytes) -> FrameRow:
    """The last row of a client's frames."""
    return rows(*((0, each) for each in frames))[-1]


def sequences() -> dict[str, list[Vector]]:
    """Frames that the encoder wrote one after the other, of one release."""
    found: dict[str, list[Vector]] = {}
    for each in encoders_vectors():
        if each.file == "append_blocks" and "0.13.0" in each.facts["release"]:
            found.setdefault(each.facts["sequence"], []).append(each)
    return {name: sorted(them, key=lambda each: each.facts["part"]) for name, them in found.items()}


@pytest.mark.parametrize("sequence", sequences())
def test_what_an_encoder_was_given_is_put_together(sequence: str) -> None:
    """All events of the sequence, none in parts, by the contents that the encoder was given."""
    vectors = sequences()[sequence]
    found = rows(*((0, each.data) for each in vectors))
    whole, given, partial = b"", b"", b""
    for row, vector in zip(found, vectors, strict=True):
        for each in vector.facts.get("content", []):
            for kind, value in each.items():
                data = bytes.fromhex(value)
                if kind == "event":
                    given += record(0, data)
                elif kind == "partial_event":
                    partial = data
        if row.command == "append_block_end":
            given += partial + row.values["data"]
            partial = b""
            appended = row.reassembled["data"] if row.reassembled else row.values["data"]
            whole += appended

    assert all(row.whole is None or row.whole.reason is None for row in found)
    assert whole == given or not given
    if sequence not in ("raw", "empty_append"):
        assert not APPEND_BLOCK.decode(whole).problems


def test_an_event_over_a_block_and_its_end() -> None:
    """PARTIAL_EVENT and the rest are one record."""
    event, cut = record(0, b"first"), record(0, b"cut in two")
    row = last(block(event + record(-2, cut[:11])), end(len(event), cut[11:]))

    assert row.reassembled == {"data": event + cut}
    assert row.whole is not None
    assert row.whole.count == 2
    assert row.whole.command == "append_block"


def test_padding_is_left_out() -> None:
    """And so is nothing else."""
    event = record(0, b"first")

    assert last(block(event + record(-1, bytes(9))), end(len(event))).reassembled == {"data": event}
    assert last(block(event), end(len(event))).reassembled == {"data": event}


def test_a_block_is_read_by_itself_too() -> None:
    """Its records are shown where they stand; the end's are not, being the rest of one."""
    event = record(0, b"first")
    first, second = rows((0, block(event + record(-2, b"ab"))), (0, end(len(event), b"c")))

    assert (first.piece, first.complete) == (0, False)
    assert (second.piece, second.complete) == (2, True)


def test_an_end_without_a_block_is_whole() -> None:
    """As the Rust client appends."""
    row = last(end(0, record(0, b"alone")))

    assert (row.whole, row.piece, row.complete) == (None, 0, True)


@pytest.mark.parametrize(
    ("content", "ending", "reason"),
    [
        (b"abc", end(4), "4 bytes of complete events are announced, its block has 3"),
        (b"abc", end(-1), "-1 bytes of complete events are announced, its block has 3"),
        (b"abc", end(1), "2 bytes after its complete events are not a record"),
        (record(-1, bytes(3)) + b"x", end(0), "the bytes after its complete events do not fill"),
        (record(0, bytes(3)), end(0), "the bytes after its complete events do not fill"),
        (record(-1, b"abc"), end(0), "the padding of its block is not all zeros"),
        (record(-1, bytes(3)), end(0, b"x"), "bytes follow the padding of its block"),
    ],
)
def test_what_does_not_fit_is_told(content: bytes, ending: bytes, reason: str) -> None:
    """Parts that do not fit are reported and not reassembled."""
    row = last(block(content), ending)

    assert row.whole is not None
    assert str(row.whole.reason).startswith(reason)
    assert row.reassembled is None


def test_writers_share_a_connection() -> None:
    """A block of another writer in between ends nothing."""
    other = bytes(16)
    found = rows((0, block(b"a")), (0, block(b"b", other)), (0, end(1, b"", other)), (0, end(1)))

    assert [each.reassembled for each in found] == [None, None, {"data": b"b"}, {"data": b"a"}]


def test_the_declaration_names_frames() -> None:
    """Commands and members that there are."""
    names = {each.name for each in FRAMES}

    assert BLOCKS.begun | BLOCKS.continued <= names
    assert joined({"data": b""}, {"size_of_whole_events": 0}) == {"data": b""}


@pytest.mark.process
@pytest.mark.parametrize("version", ["5.2", "5.4"])
def test_lua_says_the_same(version: str) -> None:
    """`joined.lua` joins what `joined` joins, and gives the same reasons."""
    chance = random.Random(7)  # noqa: S311 - not for secrets
    told, lines = [], []
    for _ in range(300):
        whole, rest = chance.randbytes(chance.randrange(12)), chance.choice([b"", b"rest"])
        filling = bytes(chance.randrange(6)) if chance.random() < 0.6 else chance.randbytes(3)
        kind = chance.choice([b"", *(each.to_bytes(4, "big", signed=True) for each in (-1, -2, 0))])
        length = (len(filling) + chance.choice([0, 0, 0, 1])).to_bytes(4, "big")
        block_of = whole + (kind + length + filling if kind else b"")
        size = chance.choice([len(whole), len(whole), len(block_of), -1, 99])
        made = joined({"data": block_of}, {"data": rest, "size_of_whole_events": size})
        told.append(made if isinstance(made, str) else made["data"].hex())
        lines.append(f"say('{block_of.hex()}', '{rest.hex()}', {size})")
    text = LUA % Path(append_reassembly.__file__).with_name("joined.lua").read_text(
        encoding="utf-8"
    )
    script = "\n".join([text, *lines])
    done = subprocess.run(
        [f"lua{version}", "-"], input=script, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == told
    assert len(set(told)) > 50


LUA = """
local joined = (function() %s end)()
local function raw(hex)
  return (hex:gsub("..", function(one) return string.char(tonumber(one, 16)) end))
end
local function hex(bytes)
  return (bytes:gsub(".", function(one) return ("%%02x"):format(one:byte()) end))
end
function say(block, rest, size)
  local values = { data = raw(rest), size_of_whole_events = size }
  local made = joined({ data = raw(block) }, function(name) return values[name] end)
  print(type(made) == "table" and hex(made.data) or made)
end
"""
"""Runs the file in Lua; the bytes come in hex."""
