"""The codes that the manual promises are all that the decoder can give."""

import tomllib
from pathlib import Path

import pytest
from tests.failures import every

from streamshark.decoding.decoder import Decoder
from streamshark.framing.wire_format import FrameTable
from streamshark.protocols.catalog import catalog
from streamshark.schema import ProblemCode, Record
from streamshark.schema.walk import walk_word
from streamshark.views.manual.examples import MEMBERS, VALUES, Example, data_of, members_of
from streamshark.views.possible_problems import codes

EXAMPLES = [example for entry in (*VALUES, *MEMBERS) for example in entry.examples]
TABLES = [each.wire.table(dialect) for each in catalog() for dialect in each.wire.dialects]


def given(decoder: Decoder, data: bytes) -> set[ProblemCode]:
    """Return the codes of a frame cut anywhere, made longer, and with bits flipped."""
    damaged = [data[:end] for end in range(len(data) + 1)] + [data + b"\0", data + b"\xff"]
    for at in range(len(data)):
        damaged += [data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :] for mask in (1, 128, 255)]
    return {problem.code for each in damaged for problem in decoder.examine(each).problems}


@every("example", EXAMPLES, ids=lambda example: example.code)
def test_examples_give_no_other_codes(example: Example) -> None:
    """Whatever is done to an example, its problems are among those promised."""
    tree = walk_word(Record(*members_of(example.code)), "example")
    found = set[ProblemCode]().union(
        *(given(Decoder(tree), data_of(each)) for each in (*example.good, *example.bad))
    )

    assert found <= set(codes(tree))


@pytest.mark.slow
@every("table", TABLES, ids=lambda table: f"{table.wire.id} {table.dialect}")
def test_frames_give_no_other_codes(table: FrameTable) -> None:
    """Whatever is done to a vector, its problems are among those promised."""
    for path in sorted(Path("tests/vectors", table.wire.id).glob("*.toml")):
        for vector in tomllib.loads(path.read_text())["vector"][:2]:
            for decoder in table.all:
                if decoder.tree.prefix.partition(".")[2] == path.stem:
                    found = given(decoder, bytes.fromhex(vector["hex"])[:200])
                    assert found <= set(codes(decoder.tree)), path


def test_codes_come_in_their_own_order() -> None:
    """So that pages differ only where frames do."""
    tree = walk_word(Record(*members_of(MEMBERS[0].examples[1].code)), "example")

    assert codes(tree) == [ProblemCode.SHORT, ProblemCode.TRAILING, ProblemCode.CLAIM]
