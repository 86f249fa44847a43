"""Files of what the connections of one source leave: facts by object, and the other records.

Facts are in blocks, one for each group of objects that facts of a chunk have in common, so that the
tasks that evaluate them read their part alone. Both files have numbers of the source.
"""

import io
import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from streamshark.findings.connection_records import (
    CONVERSES,
    FORGETS,
    LEAVES,
    MEETS,
    Left,
    Position,
    RowFacts,
)
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
PlacedFact = tuple[int, Position, int, int, int, list[RowFacts], tuple[Any, ...]]
"""How often the clock was set back before; position, source and turn of the group of a fact; its
place there, the rows that the group names, and the fact, or how its connection was met, or that it
is forgotten. So these are in order as they are; plain tuples are quicker to write and read."""
Text = tuple[int, str, int, str]
"""Code of a fact: number of a source in records, protocol, number, text."""


class Carried(NamedTuple):
    """Records of the last run that are joined again."""

    turn: int
    """How many groups of records the source has left."""
    facts: list[Placed]
    others: list[Placed]
    texts: list[Text]
    met: list[tuple[Any, ...]]
    """How the connections of the facts were met: records."""


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
        self.met.update(((record[1], record[2]), record) for record in carried.met)
        both = zip(carried.facts, carried.others, strict=True)
        self._write((epoch, facts, rest) for (epoch, facts), (_, rest) in both)

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
        parts = parts_of(self.number, left, self.turn)
        self._write((epoch, facts, rest) for facts, rest in parts)
        self.turn += len(left.groups)

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

    def _write(self, groups: Iterable[tuple[int, RecordPart, RecordPart]]) -> None:
        """Write records: of each group its epoch, its facts, and the others."""
        chunk = _FactChunk(self._objects)
        kept = []
        last: tuple[int, tuple[int, ...]] = (-1, ())
        for epoch, facts, rest in groups:
            last = max(last, (epoch, facts.at))
            if facts.records:
                chunk.add(epoch, facts)
            if rest.records:
                kept.append((epoch, rest))
                self._note(epoch, rest)
                chunk.forget(epoch, rest)
        data = pickle.dumps(kept, 5)
        self._others.write(len(data).to_bytes(8, "little") + data)
        for number, block in chunk.blocks(self._numbers, self.met, self._of):
            self._facts.add(number, len(self._lasts), pickle.dumps(block, 5))
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
        self._facts: dict[tuple[ObjectKey, ...], list[PlacedFact]] = {}
        """Facts by the objects that they concern."""
        self._forgotten: list[PlacedFact] = []
        """Connections to be forgotten."""

    def add(self, epoch: int, part: RecordPart) -> None:
        """Add the facts of a group of records."""
        at, source, turn, rows, records = part
        objects, known = self._objects.of, self._facts
        for place, fact in records:
            keys = objects(source, fact)
            found = known.get(keys)
            if found is None:
                found = known[keys] = []
                self._groups.join(keys)
            found.append((epoch, at, source, turn, place, rows, fact))

    def forget(self, epoch: int, part: RecordPart) -> None:
        """Add which connections leave nothing more, given other records of a group."""
        at, source, turn, rows, records = part
        self._forgotten += [
            (epoch, at, source, turn, place, rows, record)
            for place, record in records
            if record[0] == FORGETS
        ]

    def blocks(
        self,
        numbers: KeyNumbers,
        met: Mapping[tuple[int, str], tuple[Any, ...]],
        of: dict[tuple[int, str], set[int]],
    ) -> Iterator[tuple[int, list[PlacedFact]]]:
        """Yield the blocks, each with its number.

        Args:
            numbers: Numbers of objects.
            met: How connections were met.
            of: Connection to the numbers of earlier blocks with its facts; completed here.
        """
        number_of = self._name(numbers)
        facts: dict[int, list[PlacedFact]] = {}
        for keys, found in self._facts.items():
            facts.setdefault(number_of[self._groups.of(keys[0])], []).extend(found)
        blocks: dict[int, list[PlacedFact]] = {}
        for number, found in facts.items():
            found.sort()
            known: set[tuple[int, str]] = set()
            block = blocks[number] = []
            for each in found:
                connection = each[-1][1:3]
                if connection not in known:  # a block says once how it was met
                    known.add(connection)
                    of.setdefault(connection, set()).add(number)
                    if connection in met:
                        block.append((*each[:-1], met[connection]))
                block.append(each)
        for each in self._forgotten:
            for number in sorted(of.pop(each[-1][1:], ())):
                blocks.setdefault(number, []).append(each)
        yield from blocks.items()

    def _name(self, numbers: KeyNumbers) -> dict[ObjectKey, int]:
        """Return the number of each group: that of one of its objects that last, if it has any."""
        members: dict[ObjectKey, dict[ObjectKey, None]] = {}
        for keys in self._facts:
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
    kept = Carried(turn, [], [], [], [])
    if since is not None:
        codes = {(source, protocol, number): at for at, (source, protocol, number, _)
                 in enumerate(texts)}  # fmt: skip
        facts: dict[tuple[int, int], Placed] = {}
        met: dict[tuple[int, str], tuple[Any, ...]] = {}
        late = [at for at, each in enumerate(lasts) if each >= since]
        for _, _, block in file.blocks(np.isin(file.chunks, late)):
            for each in NumberUnpickler(io.BytesIO(block)).load():
                if each[-1][0] == MEETS:  # before since, perhaps
                    met[each[-1][1:3]] = each[-1]
                elif each[:2] >= since and each[-1][0] == LEAVES:
                    _merge(facts, each, codes)
        kept.met.extend(met.values())
        for _, part_of_facts in facts.values():
            part_of_facts.records.sort(key=itemgetter(0))
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
    facts: dict[tuple[int, int], Placed], one: PlacedFact, codes: Mapping[tuple[int, str, int], int]
) -> None:
    """Add a fact, with another number of its code, to those of the same group."""
    epoch, at, source, turn, place, rows, (kind, flow, protocol, number, *rest) = one
    fact = (kind, flow, protocol, codes[source, protocol, number], *rest)
    group = epoch, RecordPart(at, source, turn, rows, [])
    facts.setdefault((source, turn), group)[1].records.append((place, fact))


def carried_again(data: bytes, source: int, frames: Replacing, flows: Replacing) -> Carried:
    """Return what `carried` has returned with other numbers of frames, connections and source."""
    found: Carried = renumbered(data, frames, flows)
    number = PARTS * source

    def again(placed: Placed) -> Placed:
        epoch, part = placed
        return epoch, with_ids(part._replace(source=number), flows)

    texts = [(number, protocol, code, text) for _, protocol, code, text in found.texts]
    facts, others = list(map(again, found.facts)), list(map(again, found.others))
    return found._replace(facts=facts, others=others, texts=texts)


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
