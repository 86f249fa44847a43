"""What connections leave is written by object, and read or carried over with other numbers."""

import pickle
from pathlib import Path

import numpy as np
from tests.findings.left_records import dialogue, left_by_each

from streamshark.findings.connection_records import LEAVES, MEETS, Left
from streamshark.spark.left_files import (
    EDGES,
    FACTS,
    OTHERS,
    Carried,
    LeftWriter,
    carried,
    carried_again,
    other_records,
    texts_of,
)
from streamshark.splits.keyed_files import KeyedFile

Record = tuple[int, ...]


def written(folder: Path, lefts: list[Left]) -> LeftWriter:
    """Files of what connections leave; each is a chunk."""
    writer = LeftWriter(folder, "done", 3, 1)
    for each in lefts:
        writer.add(0, each)
    writer.finish()
    return writer


def same(number: int) -> int:
    """The number itself."""
    return number


def records(folder: Path) -> tuple[list[object], list[object]]:
    """Facts and other records in files."""
    file = KeyedFile(folder / f"{FACTS}-done")
    blocks = [block for *_, block in file.blocks(np.ones(len(file.keys), bool))]
    found = [one for block in blocks for one in pickle.loads(block)]  # noqa: S301 - our own
    facts = [(at, place, fact) for _, at, _, _, place, _, fact in found if fact[0] == LEAVES]
    parts = [part for _, part in other_records(folder / f"{OTHERS}-done", same, same)]
    return list(facts), [(part.at, *placed) for part in parts for placed in part.records]


def test_every_record_is_in_one_file(tmp_path: Path) -> None:
    """Facts in blocks by object, after how their connection was met."""
    lefts = left_by_each(dialogue())
    written(tmp_path, lefts)
    facts, others = records(tmp_path)
    every = [
        (group.at, place, record)
        for left in lefts
        for group in left.groups
        for place, record in enumerate(group.records)
    ]
    assert facts == [each for each in every if each[2][0] == LEAVES]
    assert others == [each for each in every if each[2][0] != LEAVES]
    file = KeyedFile(tmp_path / f"{FACTS}-done")
    for *_, block in file.blocks(np.ones(len(file.keys), bool)):
        first = pickle.loads(block)[0]  # noqa: S301 - our own
        assert first[-1][0] == MEETS
    assert len(set(file.keys.tolist())) == 1
    assert not np.load(tmp_path / f"{EDGES}-done.npy").size


def test_records_are_carried_over(tmp_path: Path) -> None:
    """Those from a position on, with the code of their facts, any number of times."""
    lefts = left_by_each(dialogue())
    written(tmp_path / "0", lefts)
    facts, others = records(tmp_path / "0")
    middle = sorted(each[0] for each in facts)[len(facts) // 2]  # type: ignore[index]
    for number in (0, 1):
        data = carried(tmp_path / str(number), "done", (0, middle))
        kept: Carried = carried_again(data, 5, same, same)
        writer = LeftWriter(tmp_path / str(number + 1), "done", 5, 1)
        writer.carry(kept)
        assert writer.met, "connections that were met before"
        writer.finish()
        assert writer.turn == sum(len(each.groups) for each in lefts)
        again = records(tmp_path / str(number + 1))
        for found, before in zip(again, (facts, others), strict=True):
            wanted = [each for each in before if each[0] >= middle]  # type: ignore[index]
            assert len(found) == len(wanted) > 0
        assert {each[0] for each in texts_of(KeyedFile(writer.folder / f"{FACTS}-done"))} == {15}
    assert carried(tmp_path / "2", "done", None) == pickle.dumps(
        Carried(writer.turn, [], [], [], []), 5
    )
