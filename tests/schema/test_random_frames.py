"""Sample values: every shape that a schema allows, read by all readers alike."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from tests.schema.reader_agreement import Layout, agree, same
from tests.schema.shapes.catalog import SHAPES, layouts

from streamshark.schema import (
    I16,
    U8,
    U32,
    Bits,
    Either,
    Many,
    Record,
    Tail,
    When,
    field,
    part,
    raw,
    reserved,
    text,
    this,
)
from streamshark.schema.random_frames import samples
from streamshark.schema.walk import walk_word

FRAMES = 40
"""Frames drawn of each layout here; a protocol's own tests draw more."""


def within(drawn: Any, read: Any) -> bool:  # noqa: ANN401 - any values
    """Return whether everything drawn was read; what the reference filled in may be more."""
    if isinstance(drawn, list):
        return len(drawn) == len(read) and all(map(within, drawn, read))
    if isinstance(drawn, Mapping):
        return all(n in read and within(value, read[n]) for n, value in drawn.items())
    return same(drawn, read)


@pytest.mark.parametrize("protocol", SHAPES)
def test_readers_read_what_is_drawn(protocol: str) -> None:
    """Built by the reference, read by all three, without problems, with the drawn values."""
    for layout in layouts(protocol).values():
        for values in samples(layout.tree, FRAMES):
            read = agree(layout, layout.build(values))
            assert read is not None, values
            assert layout.has_trial or within(values, read)


def seen(layout: Layout, count: int = 400) -> Counter[str]:
    """Return how often each name stands in drawn frames, and in how many ways."""
    out: Counter[str] = Counter()

    def look(values: Mapping[str, Any], path: str) -> None:
        for name, value in values.items():
            kind = {None: "null", "": "empty", b"": "empty"}.get(value) if not isinstance(
                value, (list, dict)
            ) else {0: "empty", 1: "one"}.get(len(value))  # fmt: skip
            out[path + name] += 1
            if kind:
                out[f"{path}{name} {kind}"] += 1
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, dict):
                    look(each, f"{path}{name}.")

    for values in samples(layout.tree, count):
        out["frames"] += 1
        look(values, "")
    return out


SHAPE = Layout.of_record(
    Record(
        field("flags", U8, "Flags."),
        When(this.flags & 1, field("one", U32, "One.")),
        When(this.flags == 77, field("rare", U8, "Rare.")),
        field("name", text(I16, null=True), "Name."),
        field(
            "entries",
            Many(
                Record(
                    Either(
                        clear=(field("body", raw(U32), "Body."),),
                        set=(Bits(1, reserved(1, written=1), part("kind", 7, "Kind.")),),
                    )
                ),
                count=U32,
            ),
            "Entries.",
        ),
        field("count", U8, "Bytes."),
        field("data", raw(this.count), "Data."),
        Tail(field("first", U32, "First.")),
        Tail(field("second", U8, "Second.")),
    ),
    "any.shape",
)


def test_both_sides_of_everything_are_drawn() -> None:
    """Conditions, nulls, empty lists, arms, tails in every number."""
    found = seen(SHAPE)

    for often in ("one", "name null", "name empty", "entries empty", "entries one",
                  "entries.body", "entries.kind", "first", "second", "data empty"):  # fmt: skip
        assert found[often] > 10, often
    for often in ("one", "first", "second"):
        assert found[often] < found["frames"] - 10, often
    assert found["second"] < found["first"]


def test_what_is_compared_is_drawn() -> None:
    """A condition that holds for one of 256 values is drawn."""
    assert seen(SHAPE)["rare"] > 5


def test_the_first_is_the_leanest_and_the_second_the_fullest() -> None:
    """Boundaries do not hang on luck."""
    lean, full = samples(SHAPE.tree, 2)

    assert lean == {"flags": 0, "name": "", "entries": [], "count": 0, "data": b""}
    assert full["second"] == 255
    assert len(full["data"]) == full["count"] > 200


def test_the_same_seed_draws_the_same() -> None:
    """And another seed another."""
    first, again, other = (list(samples(SHAPE.tree, 9, seed=seed)) for seed in (1, 1, 2))

    assert first == again
    assert first[2:] != other[2:]


def test_tails_end_only_where_only_tails_follow() -> None:
    """A tail before a member that is always there is always there."""
    tree = walk_word(Record(Tail(field("one", U8, "One.")), field("two", U8, "Two.")), "any.middle")

    assert all(set(each) == {"one", "two"} for each in samples(tree, 50))


@pytest.mark.slow
def test_every_node_is_drawn_somewhere() -> None:
    """No node of any shape is out of the sampler's reach."""
    for protocol in SHAPES:
        for layout in layouts(protocol).values():
            names = {each.name for each in layout.tree.named()}
            missing = names - {"unknown_fields", "status", "description"}
            for values in samples(layout.tree, 200):
                if not missing:
                    break
                missing -= _names(layout.build(values), layout)
            assert not missing, (layout.tree.prefix, missing)


def _names(data: bytes, layout: Layout) -> set[str]:
    found: set[str] = set()
    values, ranges, _ = layout.decoder.careful(data)
    for node, *_ in ranges:
        if node >= 0:
            found |= set(layout.tree.nodes[node].path)
    stack: list[Any] = [values]
    while stack:
        each = stack.pop()
        if isinstance(each, dict):
            found |= each.keys()
            stack += each.values()
        elif isinstance(each, list):
            stack += each
    return found
