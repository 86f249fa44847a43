"""Vectors of all protocols: every decoder agrees on them, and on what is left of broken ones.

A protocol needs no test of its own for its vectors: they are found in `tests/vectors/<name>`. What
differs of a protocol (bytes that an encoder writes in another way than ours, names that it uses) is
listed here.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import pytest
from tests.failures import Failures
from tests.protocols.rabbitmq_stream import traffic as rabbitmq_stream
from tests.schema.reader_agreement import (
    Layout,
    Vector,
    agree,
    broken,
    frame_layout,
    vectors,
    vectors_by_hand,
    whole,
)
from tests.schema.shapes import nats

from streamshark.fields.common_fields import CommonFlag, sources
from streamshark.framing.wire_format import WireFormat
from streamshark.protocols.catalog import catalog
from streamshark.protocols.pravega.detect import INSIDE
from streamshark.schema import FrameKind, FrameSchema
from streamshark.schema.info_template import REFUSAL, parse, paths_of, template_of, words_of
from streamshark.schema.random_frames import samples

PROTOCOLS = {each.wire.id: each for each in catalog()}
WIRES = {name: each.wire for name, each in PROTOCOLS.items()}
DRAWN = 40
"""Frames drawn of each schema."""
LARGE = 4096
"""Bytes from which a vector is broken at fewer places."""
PLACES, FEW_PLACES = 20, 5
RESPONSE_BIT = 0x80

PROBLEMS: Mapping[str, Mapping[str, list[str]]] = {
    "liftbridge": {"envelope_checksum/wrong": ["checksum"]},
    "rabbitmq_stream": {
        "consumer_update_response/rstream_first_with_eight_bytes": ["trailing"],
        "publish/rstream_v2": ["text", "short"],  # leaves out filter values that are not set
    },
}
"""Vectors whose bytes are wrong, by protocol and name, and the problems that are reported."""

CANONICAL: Mapping[str, Callable[[Vector, FrameSchema], bool]] = {
    "liftbridge": lambda _vector, _schema: False,  # Protobuf members in another order
    "nats": lambda vector, _schema: nats.canonical(vector.data),
    "rabbitmq_stream": lambda vector, schema: (
        (schema.kind is FrameKind.RESPONSE) == (vector.data[4] >= RESPONSE_BIT)
    ),
    "rsocket": lambda vector, _schema: not vector.data[3] & RESPONSE_BIT,
}
"""Whether encoding the values gives the same bytes; always, for a protocol that is not here."""

EXPECTED: Mapping[str, Callable[[Vector], Any]] = {
    "nats": lambda vector: vector.expect.get("json", vector.expect),
    "rabbitmq_stream": rabbitmq_stream.expected,
}
"""What a reference encoder's vector expects, under the names of our schemas."""

WITHOUT_VECTOR: Mapping[str, frozenset[str]] = {"pravega": INSIDE}
"""Commands that are proved inside the vectors of others."""

UNDRAWN: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "nats": lambda values: values.get("reply_to") in ("+", "|"),  # such a token has a meaning
}
"""Values that are not read as they were built."""


UNCHANGED = {"grpc", "nats", "rsocket"}
"""Protocols of whose drawn values all come back: no lengths and counts are among them."""


class Case(NamedTuple):
    """A vector of a frame."""

    vector: Vector
    layout: Layout
    expect: Any

    @property
    def schema(self) -> FrameSchema:
        """Return the frame's schema."""
        schema = self.layout.tree.schema
        assert schema is not None
        return schema


@cache
def cases(protocol: str) -> list[Case]:
    """Return the vectors of a protocol's frames."""
    return list(_cases(WIRES[protocol]))


def _cases(wire: WireFormat) -> Iterator[Case]:
    renamed = EXPECTED.get(wire.id, lambda vector: vector.expect)
    for vector in vectors(wire.id):
        if layout := frame_layout(wire, vector):
            yield Case(vector, layout, renamed(vector))
    for vector in vectors_by_hand(wire.id):
        layout = frame_layout(wire, vector)
        assert layout is not None, f"{wire.id}: {vector.name} names no frame"
        yield Case(vector, layout, vector.expect)


of_each_protocol = pytest.mark.parametrize("protocol", WIRES)


@of_each_protocol
def test_decoders_agree_on_vectors(protocol: str) -> None:
    """Values are those of the vector, and encode to its bytes; wrong bytes have their problems."""
    problems = PROBLEMS.get(protocol, {})
    canonical = CANONICAL.get(protocol, lambda _vector, _schema: True)
    with Failures() as failures:
        for vector, layout, expect in cases(protocol):
            with failures.of(vector.name):
                if vector.name in problems:
                    found = layout.decoder.read(vector.data)[1]
                    assert [each.code.word for each in found] == problems[vector.name]
                else:
                    whole(
                        layout, vector.data, expect, canonical=canonical(vector, layout.tree.schema)
                    )


@pytest.mark.slow
@of_each_protocol
def test_decoders_agree_on_broken_vectors(protocol: str) -> None:
    """Truncated at every length, made longer, with bits flipped."""
    with Failures() as failures:
        for vector, layout, _ in cases(protocol):
            with failures.of(vector.name):
                most = PLACES if len(vector.data) < LARGE else FEW_PLACES
                broken(layout, vector.data, most=most)


@of_each_protocol
def test_every_frame_has_a_vector(protocol: str) -> None:
    """Every form, version and dialect is proved by bytes."""
    proved = {id(case.schema) for case in cases(protocol)}
    without = WITHOUT_VECTOR.get(protocol, frozenset())

    assert [
        " ".join(filter(None, (each.name, each.kind.value, each.dialect, str(each.version or ""))))
        for each in WIRES[protocol].frames
        if id(each) not in proved and each.name not in without
    ] == []


@of_each_protocol
def test_what_one_line_shows_is_a_field(protocol: str) -> None:
    """Each value in a template is one of some frame of the command, in this or another dialect."""
    shown: dict[str, set[str]] = {}
    known: dict[str, set[str]] = {}
    for layout in layouts(protocol):
        tree = layout.tree
        holes = [hole for word in parse(template_of(tree)) for hole in word.holes]
        shown.setdefault(tree.prefix, set()).update(path for each in holes for path in each.paths)
        known.setdefault(tree.prefix, set()).update(paths_of(tree))
    assert {name: paths - known[name] for name, paths in shown.items() if paths - known[name]} == {}


@of_each_protocol
def test_the_mark_of_a_refusal_is_the_field_failed(protocol: str) -> None:
    """`!` is shown of all frames that `--failed` selects: by command, or by the value of a code."""
    flags = [each for each in PROTOCOLS[protocol].fields if isinstance(each, CommonFlag)]
    failed = next(each for each in flags if each.name == "failed")
    for layout in layouts(protocol):
        tree = layout.tree
        words = words_of(template_of(tree), tree)
        refuses = any(word.texts == (REFUSAL,) for word in words)
        judged = {hole.path for word in words for hole in word.holes if hole.form == "ok"}
        by_command = tree.prefix.partition(".")[2] in failed.commands
        by_value = {".".join(each.path) for each in sources(failed, tree)}
        assert refuses or (by_value <= judged and not by_command), tree.prefix


@pytest.mark.slow
@of_each_protocol
def test_decoders_agree_on_drawn_frames(protocol: str) -> None:
    """Values drawn with a fixed seed, boundary lengths included, come back from their bytes."""
    undrawn = UNDRAWN.get(protocol, lambda _values: False)
    with Failures() as failures:
        for layout in layouts(protocol):
            with failures.of(layout.tree.prefix):
                for drawn in samples(layout.tree, DRAWN):
                    if not undrawn(drawn):
                        values = agree(layout, layout.build(drawn))
                        assert values is not None, drawn
                        assert protocol not in UNCHANGED or drawn.items() <= values.items()


def layouts(protocol: str) -> list[Layout]:
    """Return the layouts of all frames of a protocol."""
    wire = WIRES[protocol]
    return [Layout.of_frame(each, wire.heads[each.dialect], wire.short) for each in wire.frames]
