"""Changes values of a frame that was read, also of a malformed one.

A well-formed frame is written again, with the spelling of all that is unchanged
(`schema.encoding`), and so is one with bytes after its last member. In others that are malformed
lengths cannot be relied on, so a value is replaced where it is by one of the same size; checksums
over it that were right are computed again.
"""

from collections.abc import Iterator
from typing import Any, NoReturn

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.runtime import Range
from streamshark.schema import encoding, nodes
from streamshark.schema.bytes_and_text import Blob
from streamshark.schema.composites import checksum
from streamshark.schema.encoding import Changes
from streamshark.schema.problems import Problem, ProblemCode
from streamshark.schema.value_checks import EncodingError, Path, named, quoted


def amended(decoder: Decoder, data: bytes, changes: Changes) -> bytes:
    """Return a frame with some values changed, all other bytes as they were.

    Raises:
        EncodingError: A value does not fit, a path names no field, or the frame would be malformed
            in another way than it was.
    """
    if not changes:
        return data
    if not decoder.read(data)[1]:
        return encoding.amended(decoder.tree, data, changes)
    values, ranges, problems = decoder.careful(data)
    if [(each.code, each.node) for each in problems] == [(ProblemCode.TRAILING, -1)]:
        end = problems[0].offset
        return encoding.amended(decoder.tree, data[:end], changes, data[end:])
    places = _places(decoder.tree, values, ranges)
    out = bytearray(data)
    for path, value in changes.items():
        if path not in places:
            _refuse(decoder, path, problems, "cannot be changed")
        start, new = _piece(decoder, data, (path, value), places[path], problems)
        out[start : start + len(new)] = new
    return _mended(decoder, bytes(out), changes, problems)


def _places(tree: nodes.Tree, values: dict[str, Any], ranges: list[Range]) -> dict[Path, Range]:
    """Return the ranges of all values, by path: both are in wire order."""
    items = {each.item.id for each in tree.nodes if isinstance(each, nodes.ListNode)}
    found: dict[tuple[str, ...], list[Range]] = {}
    for each in ranges:
        node = tree.nodes[each[0]] if each[0] >= 0 else None
        hidden = node is None or not node.path or node.path[0] in tree.hidden
        if node is not None and not hidden and (node.name or node.id in items):
            found.setdefault(node.path, []).append(each)
    leaves: dict[tuple[str, ...], list[Path]] = {}
    for path in _leaves(values, ()):
        leaves.setdefault(tuple(each for each in path if isinstance(each, str)), []).append(path)
    return {
        path: each
        for names, paths in leaves.items()
        if len(paths) == len(found.get(names, ()))
        for path, each in zip(paths, found[names], strict=True)
    }


def _leaves(value: Any, path: Path) -> Iterator[Path]:  # noqa: ANN401 - any value
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for name, each in items:
        if isinstance(each, dict | list):
            yield from _leaves(each, (*path, name))
        else:
            yield (*path, name)


def _piece(
    decoder: Decoder,
    data: bytes,
    change: tuple[Path, Any],
    place: Range,
    problems: list[Problem],
) -> tuple[int, bytes]:
    """Return where the new bytes of a value begin, and these bytes."""
    path, value = change
    node_id, start, end, old = place
    node = decoder.tree.nodes[node_id]
    if isinstance(node, nodes.IntNode) and isinstance(value, int):
        try:
            return start, value.to_bytes(node.size, "big", signed=node.signed)
        except OverflowError:
            raise EncodingError(
                f"{named(decoder.tree, path)}: {value} does not fit: {node.size} bytes"
            ) from None
    if not isinstance(value, str | bytes) or type(value) is not type(old):
        _refuse(decoder, path, problems, f"cannot be {quoted(value)}")
    word = Blob(0, encoding=node.encoding if isinstance(node, nodes.BlobNode) else "utf-8")
    new, before = word.encode(value), word.encode(old)
    if isinstance(node, nodes.BlobNode):
        start += node.prefix.size if node.prefix is not None else 0
        before = data[start:end]
    else:
        start = end - len(before)
    if len(before) != len(new) or data[start:end] != before:
        _refuse(decoder, path, problems, f"has {end - start} bytes and can only be as long as that")
    return start, new


def _mended(decoder: Decoder, data: bytes, changes: Changes, problems: list[Problem]) -> bytes:
    """Return the frame with right checksums; refuse one with problems that it did not have."""
    before = {each[:4] for each in problems}
    values, ranges, found = decoder.careful(data)
    while new := [each for each in found if each[:4] not in before]:
        sums = [each for each in new if each.code is ProblemCode.CHECKSUM]
        if not sums:
            raise EncodingError(f"{decoder.tree.prefix}: {new[0].code.word}: {new[0].message}")
        innermost = min(sums, key=lambda each: each.length)
        before.add(innermost[:4])
        data = _summed(decoder.tree, data, ranges, innermost)
        values, ranges, found = decoder.careful(data)
    for path, value in changes.items():
        read: Any = values
        for each in path:
            read = read[each]
        if read != value:
            raise EncodingError(f"{named(decoder.tree, path)}: read back as {quoted(read)}")
    return data


def with_sums(decoder: Decoder, data: bytes, before: list[Problem]) -> bytes:
    """Return a changed frame with its checksums computed again; those wrong `before` stay wrong."""
    wrong = {each.node for each in before if each.code is ProblemCode.CHECKSUM}
    _, ranges, problems = decoder.careful(data)
    for each in problems:
        if each.code is ProblemCode.CHECKSUM and each.node not in wrong:
            data = _summed(decoder.tree, data, ranges, each)
    return data


def _summed(tree: nodes.Tree, data: bytes, ranges: list[Range], problem: Problem) -> bytes:
    """Return the frame with the checksum of one region computed again."""
    region = tree.nodes[problem.node]
    end = problem.offset + problem.length
    if not isinstance(region, nodes.RegionNode) or not isinstance(region.expected, nodes.Ref):
        raise TypeError(region)
    made = checksum(str(region.checksum), data[problem.offset : end])
    field = region.expected.node
    place = [each for each in ranges if each[0] == field.id and each[2] <= problem.offset][-1]
    return data[: place[1]] + made.to_bytes(place[2] - place[1], "big") + data[place[2] :]


def _refuse(decoder: Decoder, path: Path, problems: list[Problem], what: str) -> NoReturn:
    """Raise an error about a value of a malformed frame."""
    first = problems[0]
    reason = f"the frame is malformed ({first.code.word} at byte {first.offset})"
    raise EncodingError(f"{named(decoder.tree, path)}: {what}: {reason}")
