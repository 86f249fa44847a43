"""Tasks that give the rows of all sources the numbers of one reading."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from streamshark.findings.connection_records import AT
from streamshark.framing.splitter import At
from streamshark.spark.connection_task import JOINT_KEYS, POSITIONS, ConnectionTask
from streamshark.spark.left_files import CARRIED, FORGOTTEN, carried
from streamshark.spark.numbering import (
    AT_ONCE,
    EPOCH,
    FILE,
    IS_FRAME,
    PACKET,
    TIME,
    Bounds,
    RankTask,
    SourceNumbers,
    SourceRows,
    ranks_of,
    read_rows,
    write_array,
)
from streamshark.spark.output_folder import write_whole
from streamshark.spark.packet_task import PacketTask
from streamshark.spark.write_task import DONE


def rank_tasks(
    sources: Sequence[ConnectionTask],
    rows: int,
    parts: Sequence[tuple[int, PacketTask]],
    folder: Path,
) -> list[RankTask]:
    """Return tasks that put the rows of sources in order, each those of a part of the time.

    Args:
        sources: The sources.
        rows: Number of their rows.
        parts: The times in ns at which the parts of the captures begin, in order.
        folder: Folder for the results.
    """
    every = tuple(SourceRows(each.source, each.positions()) for each in sources)
    flows = {each.source: (each.flows_before, each.place / "flows.npy") for each in sources}
    before = sources[0].before
    times = sorted({time_ns for time_ns, _ in parts[1:]})
    wanted = min(rows // AT_ONCE, len(times))
    chosen = [times[len(times) * at // (wanted + 1)] for at in range(1, wanted + 1)]
    limits: list[tuple[int, int] | None] = [None, *((0, each) for each in chosen), None]
    return [
        RankTask(every, flows, Bounds(since, until), before, folder / f"{at:05}")
        for at, (since, until) in enumerate(itertools.pairwise(limits))
    ]


def order_of(epoch: int, at: At) -> tuple[int, tuple[int, ...]]:
    """Return the order of the first records of a packet."""
    time_ns, file, packet = at
    return epoch, (time_ns, AT, file, packet)


@dataclass(frozen=True)
class NumberTask:
    """The rows of one source, to be numbered."""

    task: ConnectionTask
    ranks: tuple[Path, ...]
    split: tuple[int, At] | None
    """Epoch and packet from which on the next run numbers again; None for the end."""
    keeps: Path
    """Folder for what the next run needs."""


def number(given: NumberTask) -> int:
    """Write the numbers of a source's rows; return how many frames are not numbered again."""
    task = given.task
    done, rest = map(read_rows, task.positions())
    start, count = done.shape[1], done.shape[1] + rest.shape[1]
    if given.split is not None:
        epoch, (time_ns, file, packet) = given.split
        keys = zip(done[EPOCH], done[TIME], done[FILE], done[PACKET], strict=True)
        limit = epoch, time_ns, file, packet
        start = next((at for at, key in enumerate(keys) if key >= limit), start)
    numbering = SourceNumbers(
        task.before, ranks_of(task.source, count, given.ranks), start,
        task.flows_before, np.load(task.place / "flows.npy"),
    )  # fmt: skip
    numbering.write(task.place / "numbering")
    numbering.write(given.keeps / "numbering")
    for name in ("state", JOINT_KEYS, f"{POSITIONS}-{DONE}"):
        write_whole(given.keeps / name, (task.place / name).read_bytes())
    since = None if given.split is None else order_of(*given.split)
    write_whole(given.keeps / CARRIED, carried(task.place, DONE, since))
    gone = np.load(task.place / f"{FORGOTTEN}-{DONE}.npy")
    if given.split is not None:
        earlier = (gone[:, 0] < given.split[0]) | (
            (gone[:, 0] == given.split[0]) & (gone[:, 1] < given.split[1][0])
        )
        gone = gone[earlier]
    flows = np.array([numbering.flow(each) for each in gone[:, 2].tolist()], np.int64)
    write_array(task.place / f"{FORGOTTEN}.npy", flows)
    return int(done[IS_FRAME][:start].sum())
