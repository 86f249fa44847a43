"""The encoder: values to the bytes of a frame, strictly; and frames that are changed in place.

`encoded` writes a frame anew. `amended` changes values of a frame that was read: all that they do
not touch keeps its bytes, and the lengths, counts and sums around them are mended. Both refuse what
does not fit with an `EncodingError`, and neither writes a frame that would be malformed.
"""

import struct
from collections.abc import Mapping
from typing import Any, Final

from streamshark.schema import expression_facts, nodes, reference
from streamshark.schema.composites import FORM
from streamshark.schema.construct_import import construct
from streamshark.schema.frame import Head
from streamshark.schema.value_checks import (
    EncodingError,
    Path,
    check_values,
    named,
    quoted,
    walked,
)
from streamshark.schema.words import (
    SPELLING,
    STORED,
    DecodingError,
    Values,
    same,
    without_spelling,
)

REMOVED: Final = object()
"""The value of a change that removes a member or an item."""
Changes = Mapping[Path, Any]
"""Path below the frame, such as `("streams", 0, "leader")`, to the new value; a path with the index
after a list's last item adds one. Values are those of `Frame.fields`."""
_REFUSED: Final = (construct.ConstructError, struct.error, KeyError, TypeError, ValueError)
"""What the words raise for values that do not fit together."""


def encoded(tree: nodes.Tree, values: Values) -> bytes:
    """Return the frame that has these values (of an embedded record its bytes).

    Lengths, counts and sums that are left out are computed, and so is the head; those that are
    given must be right.

    Raises:
        EncodingError: A value does not fit, or the frame would be malformed.
    """
    check_values(tree, values)
    data = _written(tree, values)
    _verify(tree, data, values)
    return data


def amended(tree: nodes.Tree, data: bytes, changes: Changes, trailing: bytes = b"") -> bytes:
    """Return a well-formed frame with some values changed, all other bytes as they were.

    `trailing` are bytes after its last member, which stay there: `data` is the frame without them.
    Lengths, counts and sums that follow from the changes are computed, unless they are among them.
    In text lines, headers, JSON and Protobuf the spelling and order of all that is unchanged stays.

    Raises:
        EncodingError: A value does not fit, a path names no field, or the frame would be malformed.
    """
    if not changes:
        return data + trailing
    try:
        values, _ = reference.parse(tree.schema, tree.head, data, keeps=True)
    except DecodingError as problem:
        raise _error(tree, problem, "the frame is malformed") from None
    before = without_spelling(values)
    for path, value in changes.items():
        _change(tree, values, path, value)
    leave_out_derived(tree, values, changes.keys())
    check_values(tree, values)
    if same(before, without_spelling(values)):
        return data + trailing
    out = _written(tree, values, trailing)
    _verify(tree, out[: len(out) - len(trailing)], values)
    return out


def changes_between(before: Any, after: Any, path: Path = ()) -> dict[Path, Any]:
    """Return the changes that make one frame's values those of another, as small as they are.

    Lists of different lengths are changed as a whole.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        out: dict[Path, Any] = {(*path, name): REMOVED for name in before if name not in after}
        for name, value in after.items():
            if name in before:
                out |= changes_between(before[name], value, (*path, name))
            else:
                out[(*path, name)] = value
        return out
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        items = enumerate(zip(before, after, strict=True))
        return {
            place: value
            for index, (one, other) in items
            for place, value in changes_between(one, other, (*path, index)).items()
        }
    return {} if same(before, after) else {path: after}


def _written(tree: nodes.Tree, values: Values, trailing: bytes = b"") -> bytes:
    try:
        return reference.build(tree.schema, tree.head, values, trailing)
    except _REFUSED as error:
        raise _error(tree, error, "the values do not go together") from None


def _verify(tree: nodes.Tree, data: bytes, values: Values) -> None:
    """Raise `EncodingError` unless the bytes are a well-formed frame with these values."""
    head, size = tree.head, len(data)
    least = head.least if isinstance(head, Head) else 1
    if not least <= size <= head.most:
        source = f" ({head.source})" if head.source else ""
        raise EncodingError(f"{tree.prefix}: {size} bytes; {least} to {head.most}{source}")
    try:
        read, _ = reference.parse(tree.schema, head, data)
    except DecodingError as problem:
        _explain(tree, values)
        raise _error(tree, problem, problem.code.sentence) from None
    _verify_selectors(tree, read)
    path = _difference(without_spelling(values), read)
    if path is not None:
        _explain(tree, values)
        raise EncodingError(f"{named(tree, path)}: this does not go with the other values")


def _verify_selectors(tree: nodes.Tree, read: Values) -> None:
    """Raise `EncodingError` where the head selects another frame than that of the tree."""
    head, schema = tree.head, tree.schema
    if not isinstance(head, Head):
        return
    wanted: dict[str | None, list[Any]] = {
        head.key: [schema.key],
        head.version: [schema.version],
        head.response: [int(each) for each in schema.response_bits],
    }
    for name, known in wanted.items():
        if name and None not in known and read.get(name) not in known:
            message = f"{quoted(read.get(name))} selects another frame; {known[0]} is this one"
            raise EncodingError(f"{named(tree, (name,))}: {message}")


def _explain(tree: nodes.Tree, values: Values) -> None:
    """Raise `EncodingError` for the first length, count or sum that is given and wrong."""
    left = without_spelling(values)
    leave_out_derived(tree, left, frozenset())
    try:
        read, _ = reference.parse(
            tree.schema, tree.head, reference.build(tree.schema, tree.head, left)
        )
    except (DecodingError, *_REFUSED):
        return
    for node, record, path in walked(tree.root.members, values):
        right = _found(read, path)
        given = record[str(path[-1])]
        if node.value in expression_facts.derived(tree) and right not in (None, given):
            message = f"{quoted(given)} is given, {quoted(right)} is right; left out it is computed"
            raise EncodingError(f"{named(tree, path)}: {message}")


def leave_out_derived(tree: nodes.Tree, values: Values, kept: Any) -> None:
    """Remove the lengths, counts and sums that follow from other values, except those at a path.

    What nothing determines after all is written as it was.
    """
    derived = expression_facts.derived(tree)
    for node, record, path in list(walked(tree.root.members, values)):
        if node.value in derived and path not in kept:
            stored = record.setdefault(SPELLING, {}).setdefault(STORED, {})
            stored[path[-1]] = record.pop(str(path[-1]))


def _change(tree: nodes.Tree, values: Values, path: Path, value: Any) -> None:
    """Set, add or remove one value."""
    within: Any = values
    for each in path[:-1]:
        within = _step(tree, within, each, path)
    last = path[-1]
    if value is REMOVED:
        _step(tree, within, last, path)
        del within[last]
    elif isinstance(within, dict) and isinstance(last, str):
        within[last] = value
    elif isinstance(within, list) and last == len(within):
        within.append(value)
    elif isinstance(within, list) and isinstance(last, int):
        _step(tree, within, last, path)
        within[last] = value
    else:
        raise _missing(tree, path)


def _step(tree: nodes.Tree, within: Any, each: str | int, path: Path) -> Any:
    try:
        return within[each]
    except (KeyError, IndexError, TypeError):
        raise _missing(tree, path) from None


def _missing(tree: nodes.Tree, path: Path) -> EncodingError:
    return EncodingError(f"{named(tree, path)}: the frame has no such value")


def _difference(given: Any, read: Any, path: Path = ()) -> Path | None:
    """Return the path of the first given value that was not read back; None if all were."""
    if isinstance(given, dict) and isinstance(read, dict):
        for name, value in given.items():
            found = (*path, name) if name not in read and value != [] else None
            if name in read:
                found = _difference(value, read[name], (*path, name))
            if found is not None and name != FORM:
                return found
        return None
    if isinstance(given, list) and isinstance(read, list) and len(given) == len(read):
        for index, (one, other) in enumerate(zip(given, read, strict=True)):
            found = _difference(one, other, (*path, index))
            if found is not None:
                return found
        return None
    return None if same(given, read) else path


def _found(values: Any, path: Path) -> Any:
    """Return the value at a path; None if there is none."""
    for each in path:
        if isinstance(values, dict):
            values = values.get(each)
        elif isinstance(values, list) and isinstance(each, int) and each < len(values):
            values = values[each]
        else:
            return None
    return values


def _error(tree: nodes.Tree, error: Exception, otherwise: str) -> EncodingError:
    """Return an error of the words as one that names the field."""
    where = str(getattr(error, "path", None) or "")
    place = "".join(f".{each}" for each in where.replace("(building)", "").split(" -> ") if each)
    message = otherwise
    if isinstance(error, DecodingError):
        message = f"{error.code.word} at byte {error.offset}: {otherwise}"
    elif isinstance(error, construct.ConstructError):
        message = str(error).splitlines()[-1] or otherwise
    return EncodingError(f"{tree.prefix}{place}: {message}")
