"""Files of what the connections of one source leave: facts by object, and the other records.

Facts are in blocks, one for each group of objects that facts of a chunk have in common, so that the
tasks that evaluate them read their part alone. Both files have numbers of the source.
"""

import io
import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from streamshark.findings.connection_records import CONVERSES, FORGETS, LEAVES, MEETS, Left
from streamshark.findings.fact_groups import (
    SHARED,
    FactObjects,
    ObjectGroups,
    ObjectKey,
    RecordPart,
    parts_of,
)
from streamshark.spark.numbering import write_array
from streamshark.spark.output_folder import write_whole
from streamshark.splits.keyed_files import KeyedFile, KeyedWriter, KeyNumbers, pairs_of
from streamshark.splits.local_numbers import NumberUnpickler, Replacing, renumbered

FACTS, OTHERS, EDGES, FORGOTTEN, CARRIED = "facts", "others", "edges", "forgotten", "carried"
"""Files: facts, other records, which objects facts have in common, connections that leave nothing
more, and records that the next run joins again."""
PARTS = 3
"""Numbers of a source in records: of what was carried over, found, and left by the end."""
Placed = tuple[int, RecordPart]
"""How often the clock was set back before, and records."""
Text = tuple[int, str, int, str]
"""Code of a fact: number of a source in records, protocol, number, text."""


class Carried(NamedTuple):
    """Records of the last run that are joined again."""

    turn: int
    """How many groups of records the source has left."""
    facts: list[Placed]
    others: list[Placed]
    texts: list[Text]


class LeftWriter:
    """Writer of what the connections of a source leave.

    Args:
        folder: Folder of the files.
        part: Part of the names of the files.
        source: Number of the source.
        kind: Which of the numbers of the source in records.
    """

    def __init__(self, folder: Path, part: str, source: int, kind: int) -> None:
        self.folder, self.part = folder, part
        self.number = PARTS * source + kind
        """Number of the source in records."""
        self.turn = 0
        self._facts = KeyedWriter(folder / f"{FACTS}-{part}")
        self._others = io.BytesIO()
        self._objects = FactObjects()
        self._numbers = KeyNumbers(source)
        self.texts: dict[tuple[int, str, int], str] = {}
        """Code of facts by number of the source in records, protocol and number."""
        self.met: dict[tuple[int, str], tuple[Any, ...]] = {}
        """Connection to the record of how it was met."""
        self._of: dict[tuple[int, str], set[int]] = {}
        """Connection to the numbers of the blocks with its facts."""
        self._edges: set[tuple[int, int]] = set()
        self._forgotten: list[tuple[int, int, int]] = []
        """Connections that leave nothing more: epoch, time in ns and flow."""
        self._lasts: list[tuple[int, tuple[int, ...]]] = []
        """Greatest epoch and position of the records of each chunk."""

    @property
    def size(self) -> int:
        """Bytes of the facts."""
        return self._facts.size

    def carry(self, carried: Carried) -> None:
        """Add records of the last run."""
        self.turn = carried.turn
        for source, protocol, number, text in carried.texts:
            self._learn(source, protocol, number, text)
        self._write(carried.facts, carried.others)

    def follow(self, other: "LeftWriter") -> None:
        """Continue where another writer of the same process has ended."""
        self.met.update(other.met)
        for (source, protocol, number), text in other.texts.items():
            if source == other.number:
                self._learn(self.number, protocol, number, text)

    def add(self, epoch: int, left: Left) -> None:
        """Add what was left since the last call.

        `epoch` is how often the clock was set back before.
        """
        for protocol, number, text in left.texts:
            self._learn(self.number, protocol, number, text)
        parts = list(parts_of(self.number, left, self.turn))
        self.turn += len(parts)
        self._write([(epoch, facts) for facts, _ in parts], [(epoch, rest) for _, rest in parts])

    def finish(self) -> None:
        """Write what is left, and what other tasks must know."""
        texts = [(*key, text) for key, text in self.texts.items()]
        self._facts.finish(pickle.dumps((self.turn, texts, self._lasts), 5))
        write_whole(self.folder / f"{OTHERS}-{self.part}", self._others.getvalue())
        write_array(self.folder / f"{EDGES}-{self.part}.npy", pairs_of(self._edges))
        rows = np.array(self._forgotten, np.int64).reshape(-1, 3)
        write_array(self.folder / f"{FORGOTTEN}-{self.part}.npy", rows)

    def drop(self) -> None:
        """Remove files that are not finished."""
        self._facts.drop()

    def _learn(self, source: int, protocol: str, number: int, text: str) -> None:
        self.texts[source, protocol, number] = text
        self._objects.learn(source, Left([], [(protocol, number, text)]))

    def _write(self, facts: Iterable[Placed], others: Iterable[Placed]) -> None:
        """Write records, the parts of each group at the same place of both lists."""
        chunk = _FactChunk(self._objects)
        kept = []
        last: tuple[int, tuple[int, ...]] = (-1, ())
        for (epoch, part), (_, rest) in zip(facts, others, strict=True):
            self._note(epoch, rest)
            last = max(last, (epoch, part.at))
            if part.records:
                chunk.add(epoch, part)
            if rest.records:
                kept.append((epoch, rest))
            for placed in rest.records:
                if placed[1][0] == FORGETS:
                    chunk.forget(epoch, rest._replace(records=[placed]))
        data = pickle.dumps(kept, 5)
        self._others.write(len(data).to_bytes(8, "little") + data)
        blocks = chunk.blocks(self._numbers, self.met, self._of)
        for number, records in blocks:
            # as plain tuples, which are quicker to write and read
            plain = [(epoch, *part) for epoch, part in records]
            self._facts.add(number, len(self._lasts), pickle.dumps(plain, 5))
        self._edges |= chunk.edges
        self._lasts.append(last)
        self._numbers.forget()

    def _note(self, epoch: int, part: RecordPart) -> None:
        for _, record in part.records:
            if record[0] == MEETS:
                self.met[record[1], record[2]] = record
            elif record[0] == FORGETS:
                self._forgotten.append((epoch, part.at[0], record[1]))


class _FactChunk:
    """Facts of a chunk, by the objects that they have in common."""

    def __init__(self, objects: FactObjects) -> None:
        self.edges: set[tuple[int, int]] = set()
        """Pairs of numbers of objects that facts have in common."""
        self._objects = objects
        self._groups = ObjectGroups()
        self._keys: dict[tuple[ObjectKey, ...], None] = {}
        self._facts: list[tuple[ObjectKey, int, RecordPart]] = []
        """Facts with one of their objects; connections to be forgotten have one of no length."""

    def add(self, epoch: int, part: RecordPart) -> None:
        """Add the facts of a group of records."""
        by_first: dict[ObjectKey, list[tuple[int, tuple[Any, ...]]]] = {}
        for placed in part.records:
            keys = self._objects.of(part.source, placed[1])
            if keys not in self._keys:
                self._keys[keys] = None
                self._groups.join(keys)
            by_first.setdefault(keys[0], []).append(placed)
        for key, records in by_first.items():
            own = part if len(by_first) == 1 else part._replace(records=records)
            self._facts.append((key, epoch, own))

    def forget(self, epoch: int, part: RecordPart) -> None:
        """Add that a connection leaves nothing more."""
        self._facts.append(((), epoch, part))

    def blocks(
        self,
        numbers: KeyNumbers,
        met: Mapping[tuple[int, str], tuple[Any, ...]],
        of: dict[tuple[int, str], set[int]],
    ) -> Iterator[tuple[int, list[Placed]]]:
        """Yield the blocks, each with its number.

        Args:
            numbers: Numbers of objects.
            met: How connections were met.
            of: Connection to the numbers of earlier blocks with its facts; completed here.
        """
        number_of = self._name(numbers)
        blocks: dict[int, list[Placed]] = {}
        known: dict[int, set[tuple[int, str]]] = {}
        for key, epoch, part in self._facts:
            if not key:
                connection = part.records[0][1][1:]
                for number in sorted(of.pop(connection, ())):
                    blocks.setdefault(number, []).append((epoch, part))
                continue
            number = number_of[self._groups.of(key)]
            block = blocks.setdefault(number, [])
            there = known.setdefault(number, set())
            connections = {(fact[1], fact[2]) for _, fact in part.records}
            if not connections <= there:
                for connection in connections - there:
                    of.setdefault(connection, set()).add(number)
                part = _introduced(part, there, met)  # noqa: PLW2901 - the same facts
            block.append((epoch, part))
        yield from blocks.items()

    def _name(self, numbers: KeyNumbers) -> dict[ObjectKey, int]:
        """Return the number of each group: that of one of its objects that last, if it has any."""
        members: dict[ObjectKey, dict[ObjectKey, None]] = {}
        for keys in self._keys:
            members.setdefault(self._groups.of(keys[0]), {}).update(dict.fromkeys(keys))
        found = {}
        for root, found_keys in members.items():
            lasting = [numbers.of(key) for key in found_keys if _lasts(key)]
            found[root] = first = lasting[0] if lasting else numbers.of(root)
            self.edges |= {(first, other) for other in lasting[1:]}
        return found


def _lasts(key: ObjectKey) -> bool:
    """Return whether an object is more than a key that facts of one row find and use."""
    return len(key) == SHARED or not isinstance(key[-1], tuple)


def _introduced(
    part: RecordPart,
    known: set[tuple[int, str]],
    met: Mapping[tuple[int, str], tuple[Any, ...]],
) -> RecordPart:
    """Return facts after how their connections were met, which a block says once."""
    records = []
    for place, fact in part.records:
        connection = fact[1], fact[2]
        if connection not in known:
            known.add(connection)
            if connection in met:
                records.append((place, met[connection]))
        records.append((place, fact))
    return part._replace(records=records)


# Reading


def other_records(path: Path, frames: Replacing, flows: Replacing) -> Iterator[Placed]:
    """Yield the records of a source that are no facts, with final numbers."""
    for data in _chunks(path):
        for epoch, part in renumbered(data, frames, flows):
            yield epoch, with_ids(part, flows)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while size := file.read(8):
            yield file.read(int.from_bytes(size, "little"))


def facts_in(block: Iterable[tuple[Any, ...]]) -> Iterator[Placed]:
    """Yield the facts of a block that was unpickled."""
    for epoch, *part in block:
        yield epoch, RecordPart(*part)


def texts_of(file: KeyedFile) -> list[Text]:
    """Return the code of the facts in a file."""
    found: list[Text] = pickle.loads(file.head)[1]  # noqa: S301 - our own
    return found


def carried(folder: Path, part: str, since: tuple[int, tuple[int, ...]] | None) -> bytes:
    """Return what is to be joined again: from an epoch and position on; None for nothing.

    The numbers remain those of the source.
    """
    file = KeyedFile(folder / f"{FACTS}-{part}")
    turn, texts, lasts = pickle.loads(file.head)  # noqa: S301 - our own
    kept = Carried(turn, [], [], [])
    if since is not None:
        codes = {(source, protocol, number): at for at, (source, protocol, number, _)
                 in enumerate(texts)}  # fmt: skip
        facts: dict[tuple[int, int], Placed] = {}
        late = [at for at, each in enumerate(lasts) if each >= since]
        for _, _, block in file.blocks(np.isin(file.chunks, late)):
            for epoch, found in facts_in(NumberUnpickler(io.BytesIO(block)).load()):
                if (epoch, found.at) >= since:
                    _merge(facts, epoch, found, codes)
        others = {
            (each.source, each.turn): (epoch, each)
            for at, data in enumerate(_chunks(folder / f"{OTHERS}-{part}"))
            if at in late
            for epoch, each in NumberUnpickler(io.BytesIO(data)).load()
            if (epoch, each.at) >= since
        }
        for key in sorted(facts | others):
            epoch, one = (facts | others)[key]
            empty = epoch, one._replace(records=[])
            kept.facts.append(facts.get(key, empty))
            kept.others.append(others.get(key, empty))
        kept.texts.extend(
            (source, protocol, codes[source, protocol, number], text)
            for source, protocol, number, text in texts
        )
    return pickle.dumps(kept, 5)


def _merge(
    facts: dict[tuple[int, int], Placed],
    epoch: int,
    part: RecordPart,
    codes: Mapping[tuple[int, str, int], int],
) -> None:
    """Add facts of a block, with other numbers of their code, to those of the same records."""
    records = []
    for place, record in part.records:
        if record[0] == LEAVES:
            kind, flow, protocol, number, *rest = record
            fact = (kind, flow, protocol, codes[part.source, protocol, number], *rest)
            records.append((place, fact))
    before = facts.get((part.source, part.turn))
    if before is not None:
        records = sorted([*before[1].records, *records], key=lambda each: each[0])
    if records:
        facts[part.source, part.turn] = epoch, part._replace(records=records)


def carried_again(data: bytes, source: int, frames: Replacing, flows: Replacing) -> Carried:
    """Return what `carried` has returned with other numbers of frames, connections and source."""
    found: Carried = renumbered(data, frames, flows)
    number = PARTS * source

    def again(placed: Placed) -> Placed:
        epoch, part = placed
        return epoch, with_ids(part._replace(source=number), flows)

    texts = [(number, protocol, code, text) for _, protocol, code, text in found.texts]
    return Carried(found.turn, list(map(again, found.facts)), list(map(again, found.others)), texts)


def with_ids(part: RecordPart, flows: Replacing) -> RecordPart:
    """Return records whose conversations have ids with the final numbers of connections."""

    def named(text: str) -> str:
        number, dash, rest = text.partition("-")
        return f"{flows(int(number))}{dash}{rest}"

    for at, (place, record) in enumerate(part.records):
        if record[0] == CONVERSES:
            kind, flow, protocol, of, found = record
            conversation = replace(
                found,
                id=named(found.id),
                parent=found.parent and named(found.parent),
                links=tuple(map(named, found.links)),
            )
            part.records[at] = place, (kind, flow, protocol, of, conversation)
    return part
