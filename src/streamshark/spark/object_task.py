"""Tasks that evaluate facts by the objects that they concern.

Facts with an object in common are evaluated by one task, in the order of all rows. Which objects
these are is found first from the facts alone (`unite`). Some keys are found only in other objects,
so that facts of several tasks may meet one object: then these are united, and evaluated again.
"""

import heapq
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from streamshark import __version__
from streamshark.conversations.engine_state import END
from streamshark.conversations.split_code import number_objects_from
from streamshark.errors import StreamsharkError
from streamshark.findings.connection_records import Left
from streamshark.findings.fact_groups import ObjectKey, RecordPart
from streamshark.findings.object_state import LINK, SavedObject
from streamshark.framing.splitter import At
from streamshark.judging import evaluator_of
from streamshark.spark.left_files import EDGES, FACTS, FORGOTTEN, PlacedFact, texts_of
from streamshark.spark.number_task import order_of
from streamshark.spark.numbering import SourceNumbers, write_array
from streamshark.spark.output_folder import write_whole
from streamshark.spark.read_task import ReadTask, spare
from streamshark.spark.write_task import DONE, OPEN
from streamshark.splits.keyed_files import (
    KeyedFile,
    KeyedWriter,
    KeyLabels,
    KeyNumbers,
    Keys,
    KeyTasks,
)

MATCHES, MET = "matches", "met"
"""Files of a task: what facts have matched, and which objects they have met."""
OBJECTS = 1 << 40
"""Most numbers of objects in one run."""
OBJECTS_OF_TASK = 1 << 28
"""Most numbers of objects in one task: the join, and later runs, read those of several tasks."""
NO_SOURCE = -1
AT_ONCE = 1 << 12
"""Facts after which matches are written."""
Order = tuple[int, tuple[int, ...], int, int]
"""How often the clock was set back before; position, source and turn of records."""
GroupedFact = tuple[PlacedFact, ObjectKey]
"""A fact with its group."""


@dataclass(frozen=True)
class FactFiles:
    """What the connections of a source have left."""

    source: int
    folder: Path

    @property
    def numbering(self) -> Path:
        """File with the numbers of its rows."""
        return self.folder / "numbering"

    def facts(self, part: str) -> Path:
        """Return the file with its facts before the end of the captures, or of it."""
        return self.folder / f"{FACTS}-{part}"

    def edges(self) -> Keys:
        """Return the pairs of objects that its facts have in common."""
        return np.concatenate(
            [np.load(self.folder / f"{EDGES}-{part}.npy") for part in (DONE, OPEN)], 1
        )


@dataclass(frozen=True)
class UniteTask:
    """The objects of a domain's facts, to be divided among tasks."""

    sources: tuple[FactFiles, ...]
    earlier: tuple[Path, ...]
    """Files with the objects of the last run."""
    tasks: int
    """Number of tasks."""
    place: Path
    """Folder of the labels, and of what tasks have met."""
    turn: int = 0
    """How often they were divided before."""

    @property
    def labels(self) -> Path:
        """File with the labels of objects."""
        return self.place / f"labels-{self.turn}.npy"

    @property
    def before(self) -> Path:
        """File with the labels by which they were divided before."""
        return self.place / f"labels-{self.turn - 1}.npy"

    @property
    def chosen(self) -> Path:
        """File with the tasks of labels with many bytes: the same each time."""
        return self.place / "tasks.npy"


def unite(task: UniteTask) -> list[int]:
    """Write which objects are evaluated together; return the tasks that are to be done, or again.

    Objects that tasks have met are united with those for which these have met them.
    """
    pairs = [each.edges() for each in task.sources]
    files = list(_files(task))
    keys = np.concatenate([*(each.keys for each in files), _NONE])
    if not task.turn:
        found = KeyLabels.united(np.concatenate([*pairs, _NO_PAIRS], 1))
        write_array(task.labels, np.stack(found))
        sizes = np.concatenate([*(each.sizes for each in files), _NONE.astype(np.int64)])
        tasks = KeyTasks.even(found.of(keys), sizes, task.tasks)
        write_array(task.chosen, tasks.array())
        return sorted(set(tasks.of(found.of(keys)).tolist()))
    before = KeyLabels.read(task.before)
    met = [np.load(path) for path in sorted(task.place.glob(f"*/{MET}.npy"))]
    more = _met_by_several(np.concatenate([*met, _NO_PAIRS], 1), before)
    if not more.shape[1]:
        return []
    found = KeyLabels.united(np.concatenate([np.stack(before), more], 1))
    write_array(task.labels, np.stack(found))
    old, new = before.of(keys), found.of(keys)
    moved = np.concatenate([old[old != new], new[old != new]])
    # also tasks whose groups are the same, if others join them
    return sorted(set(KeyTasks.read(task.chosen, task.tasks).of(moved).tolist()))


_NONE = np.zeros(0, np.uint64)
_NO_PAIRS = np.zeros((2, 0), np.uint64)


def _files(task: UniteTask) -> Iterator[KeyedFile]:
    for each in task.sources:
        yield from (KeyedFile(each.facts(part)) for part in (DONE, OPEN))
    yield from map(KeyedFile, task.earlier)


def _met_by_several(met: Keys, labels: KeyLabels) -> Keys:
    """Return pairs of the labels of groups that have met the same object."""
    objects, groups = met[0], labels.of(met[1])
    order = np.lexsort((groups, objects))
    objects, groups = objects[order], groups[order]
    same = (objects[1:] == objects[:-1]) & (groups[1:] != groups[:-1])
    return np.stack([groups[:-1][same], groups[1:][same]])


@dataclass(frozen=True)
class ObjectTask:
    """Facts of some objects, to be evaluated."""

    job: ReadTask
    number: int
    """Number of the task among those of the domain."""
    given: UniteTask
    split: tuple[int, At] | None
    """Epoch and packet from which on the next run joins again; None for the end of the captures."""
    reached_ns: int
    """Time in ns that all facts before have reached."""
    earlier_ns: int
    """Time in ns that the last run has reached."""
    end_ns: int
    """Time in ns of the last row."""
    serial: int
    """Number of the run."""
    rules: bool
    """Whether findings are wanted."""
    keeps: Path
    """File for the state for later captures."""

    @property
    def place(self) -> Path:
        """Folder for the results."""
        return self.given.place / f"{self.number:05}"

    def matches(self, part: str) -> Path:
        """Return the file with what matches before the end of the captures, or of it."""
        return self.place / f"{MATCHES}-{part}"


def evaluate(task: ObjectTask) -> int:
    """Write what the facts of some objects match, and the state of these; return how many match."""
    spare()
    number_objects_from(2 * task.serial * OBJECTS + task.number * OBJECTS_OF_TASK)
    work = _Evaluation(task)
    limit = None if task.split is None else order_of(*task.split)
    rest: list[GroupedFact] = []
    done = heapq.merge(*work.facts(DONE))
    for each in done:
        if limit is not None and each[0][:2] >= limit:
            rest.append(each)
            break
        work.add(each)
    work.save()
    work.write(DONE)
    for each in heapq.merge(chain(rest, done), *work.facts(OPEN)):
        work.add(each)
    work.finish()
    work.write(OPEN)
    return work.count


class _Evaluation:
    """The evaluation of the facts of some objects."""

    def __init__(self, task: ObjectTask) -> None:
        self.task = task
        self.labels = KeyLabels.read(task.given.labels)
        self.tasks = KeyTasks.read(task.given.chosen, task.given.tasks)
        protocols = task.job.known.options(judges=True)["protocols"]
        self._evaluator = evaluator_of(protocols, task.number, rules=task.rules)
        self._numbers = KeyNumbers(NO_SOURCE)
        self._groups: dict[int, ObjectKey] = {}
        self._epoch = 0
        self._found: list[bytes] = []
        self._since = 0
        self.count = 0
        """Number of groups of records that match."""
        self._restore()

    def _mine(self, file: KeyedFile) -> NDArray[np.bool_]:
        """Return which blocks of a file are of this task."""
        found: NDArray[np.bool_] = self.tasks.of(self.labels.of(file.keys)) == self.task.number
        return found

    def _restore(self) -> None:
        """Continue with the state of the objects of earlier captures."""
        saved: list[tuple[int, SavedObject]] = []
        for path in self.task.given.earlier:
            file = KeyedFile(path)
            if file.head.decode() != __version__:
                raise StreamsharkError(
                    f"the state of objects was written by Streamshark {file.head.decode()}"
                )
            for key, _, block in file.blocks(self._mine(file)):
                saved.append((key, pickle.loads(block)))  # noqa: S301 - our own
        saved.sort(key=lambda each: _led_at(each[1]))
        for key, each in saved:
            self._evaluator.restore(each, self._group(key))
        self._evaluator.continue_at(self.task.earlier_ns)

    def _group(self, key: int) -> ObjectKey:
        found = self._groups.get(key)
        if found is None:
            label = self.labels.of(np.array([key], np.uint64))
            found = self._groups[key] = (int(label[0]),)
        return found

    def facts(self, part: str) -> Iterator[Iterator[GroupedFact]]:
        """Yield the facts of each source before the end of the captures, or of it, in order."""
        for each in self.task.given.sources:
            file = KeyedFile(each.facts(part))
            chosen = self._mine(file)
            if chosen.any():
                for source, protocol, number, text in texts_of(file):
                    left = Left([], [(protocol, number, text)])
                    self._evaluator.learn(source, left)
                yield self._of_source(each, file, chosen)

    def _of_source(
        self, files: FactFiles, file: KeyedFile, chosen: NDArray[np.bool_]
    ) -> Iterator[GroupedFact]:
        numbering = SourceNumbers.read(files.numbering)
        now, found = -1, list[GroupedFact]()
        for key, chunk, block in file.blocks(chosen):
            if chunk != now:
                yield from sorted(found)
                now, found = chunk, []
            group = self._group(key)
            found += [(each, group) for each in numbering.renumbered(block)]
        yield from sorted(found)

    def add(self, one: GroupedFact) -> None:
        """Evaluate a fact."""
        (epoch, at, source, turn, place, rows, fact), group = one
        if at[0] == END:
            self._evaluator.reach(self.task.end_ns)
        if epoch != self._epoch:
            self._take()
            self._epoch = epoch
        self._evaluator.add(RecordPart(at, source, turn, rows, [(place, fact)]), group)
        self._since += 1
        if self._since >= AT_ONCE:
            self._take()

    def save(self) -> None:
        """Save the state of the objects for later captures."""
        task = self.task
        self._evaluator.reach(task.reached_ns)
        gone = {
            flow
            for each in task.given.sources
            for flow in np.load(each.folder / f"{FORGOTTEN}.npy").tolist()
        }
        writer = KeyedWriter(task.keeps)
        try:
            for each in self._evaluator.objects(task.reached_ns, gone):
                writer.add(self._numbers.of(each.key), 0, pickle.dumps(each, 5))
            writer.finish(__version__.encode())
        finally:
            writer.drop()

    def finish(self) -> None:
        """End the objects."""
        self._evaluator.finish(self.task.end_ns)
        met = [(self._numbers.of(key), group[0]) for key, group in self._evaluator.met.items()]
        pairs = np.array(met, np.uint64).reshape(-1, 2).T
        write_array(self.task.place / f"{MET}.npy", pairs)

    def write(self, part: str) -> None:
        """Write what was found so far."""
        self._take()
        write_whole(self.task.matches(part), b"".join(self._found))
        self._found = []

    def _take(self) -> None:
        self._since = 0
        found = [(self._epoch, part) for part in self._evaluator.take()]
        if found:
            self.count += len(found)
            data = pickle.dumps(found, 5)
            self._found.append(len(data).to_bytes(8, "little") + data)


def _led_at(saved: SavedObject) -> int:
    """Return when an object began to lead a link, in ns; 0 for other state."""
    return int(saved.state[1]) if saved.kind == LINK else 0


def matched(path: Path) -> Iterator[tuple[Order, RecordPart]]:
    """Yield what facts have matched, in order."""
    with path.open("rb") as file:
        while size := file.read(8):
            data = file.read(int.from_bytes(size, "little"))
            for epoch, part in pickle.loads(data):  # noqa: S301 - our own
                yield (epoch, *part[:3]), part


def in_groups(parts: Iterable[tuple[Order, RecordPart]]) -> Iterator[list[RecordPart]]:
    """Yield the parts of each group of records, in order."""
    now: Order | None = None
    found: list[RecordPart] = []
    for order, part in parts:
        if order != now and now is not None:
            yield found
            found = []
        now = order
        found.append(part)
    if found:
        yield found
