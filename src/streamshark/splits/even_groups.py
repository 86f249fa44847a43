"""Even groups of connections: buckets of connections divided among tasks by their bytes.

A bucket goes to the group with fewest bytes, the largest first. A group takes no more than a fixed
number of bytes, so that no task grows with the archive; a bucket with more is a group by itself.
"""

from collections.abc import Mapping, Sequence
from heapq import heapify, heappush, heapreplace


def even_groups(
    sizes: Sequence[int],
    most: int,
    *,
    count: int = 1,
    known: Mapping[int, int] | None = None,
) -> list[tuple[int, ...]]:
    """Return the buckets of each group; those without bytes are in the first, unless known.

    Args:
        sizes: Bytes of each bucket.
        most: Most bytes of a group; 0 if there are exactly `count` groups.
        count: Fewest groups.
        known: Bucket to its group, for buckets whose group is settled.
    """
    known = known or {}
    groups: list[list[int]] = [[] for _ in range(max([count, *(at + 1 for at in known.values())]))]
    filled = [0] * len(groups)
    for bucket, group in known.items():
        groups[group].append(bucket)
        filled[group] += sizes[bucket]
    groups[0] += (at for at, size in enumerate(sizes) if not size and at not in known)
    rest = [at for at, size in enumerate(sizes) if size and at not in known]
    for bucket, group in zip(rest, spread([sizes[at] for at in rest], filled, most), strict=True):
        groups += [[] for _ in range(len(groups), group + 1)]
        groups[group].append(bucket)
    return [tuple(sorted(each)) for each in groups]


def spread(sizes: Sequence[int], filled: Sequence[int], most: int = 0) -> list[int]:
    """Return the group of each size; the largest is placed first.

    Args:
        sizes: Bytes of what is placed.
        filled: Bytes of each group before.
        most: Most bytes of a group, beyond which another one begins; 0 for no limit.
    """
    heap = [(size, at) for at, size in enumerate(filled)]
    heapify(heap)
    count, placed = len(filled), [0] * len(sizes)
    for at in sorted(range(len(sizes)), key=lambda at: (-sizes[at], at)):
        size, group = heap[0]
        if most and size and size + sizes[at] > most:
            group = count
            count += 1
            heappush(heap, (sizes[at], group))
        else:
            heapreplace(heap, (size + sizes[at], group))
        placed[at] = group
    return placed
