"""Slots are found in decoded frames, unpacked, and read only when they are used.

`JSON` here is the test format and RSocket's composite metadata the test record.
"""

import json
from typing import Any

from tests.schema.reader_agreement import NULL, vectors
from tests.schema.shapes import rsocket
from tests.schema.shapes.catalog import cases

from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import (
    MAX_DEPTH,
    MOST_EMBEDDED,
    DecodedPayload,
    EmbeddedRecord,
    Format,
    Payload,
    PayloadReaders,
    cells,
    codec_problem,
    never,
    veiled,
)
from streamshark.schema import (
    REST,
    U8,
    U16,
    Either,
    Many,
    Problem,
    ProblemCode,
    ProtoMessage,
    Record,
    Slot,
    TextLine,
    When,
    field,
    len_,
    proto,
    raw,
    remainder,
    text,
    this,
)
from streamshark.schema.walk import walk_word


def _pairs(found: list[tuple[str, Any]]) -> list[dict[str, Any]]:
    return [{"key": key, "value": value} for key, value in found]


def _json(data: bytes) -> DecodedPayload:
    try:
        value = json.loads(data, object_pairs_hook=_pairs)
    except (ValueError, RecursionError) as error:
        return DecodedPayload(
            None, [Problem(ProblemCode.VALUE, -1, 0, len(data), f"JSON: {error}")]
        )
    return DecodedPayload(value, [])


JSON = Format(
    "json",
    frozenset({"json", "rsocket.data"}),
    _json,
    lambda data: 80 if data.lstrip()[:1] in (b"{", b"[") else 0,
)
COMPOSITE = EmbeddedRecord(
    "rsocket.composite_metadata", frozenset({"rsocket.metadata"}), rsocket.COMPOSITE_METADATA
)
ROUTING = EmbeddedRecord(
    "rsocket.routing", frozenset({"rsocket.metadata"}), rsocket.ROUTING, lambda _: 10
)
LAYERS = PayloadReaders([JSON, COMPOSITE, ROUTING])


def plain(expect: dict[str, Any]) -> object:
    """Return a `{type, value}` of a vector as a format gives it."""
    kind, value = expect["type"], expect["value"]
    if kind == "array":
        return [plain(each) for each in value]
    if kind == "map":
        return [{"key": plain(e["key"]), "value": plain(e["value"])} for e in value]
    return None if value == NULL else value


def test_a_format_gives_plain_values() -> None:
    """Of every vector of JSON; maps keep order and duplicates."""
    for vector in vectors("json"):
        decoded = Payload(vector.data, JSON).decoded
        assert decoded.problems == []
        assert decoded.value == plain(vector.expect)


def test_a_value_that_breaks_its_rules_is_a_problem() -> None:
    """As is one that is too deep; nothing raises."""
    for data in (b"{", b"\xff", b"", b"[" * 100_000):
        assert Payload(data, JSON).decoded.problems[0].code is ProblemCode.VALUE
    assert MAX_DEPTH == 64


def test_nothing_is_decoded_before_somebody_looks() -> None:
    """A payload is decoded at its first use, and once."""
    asked: list[bytes] = []

    def decode(data: bytes) -> DecodedPayload:
        asked.append(data)
        return DecodedPayload(len(data), [])

    body = PayloadReaders([Format("len", frozenset({"x"}), decode, lambda _: 1)]).body("x", b"abc")

    assert asked == []
    assert body is not None
    assert body.decoded.value == 3
    assert body.decoded.value == 3
    assert asked == [b"abc"]


def test_the_surest_reader_is_taken() -> None:
    """The reader with the highest confidence is used unless one is chosen; there may be none."""
    for slot, data, wanted, reader in (
        ("rsocket.metadata", b"\xfe\0\0\3\2hi", None, COMPOSITE),
        ("rsocket.metadata", b"\2hi", "rsocket.routing", ROUTING),
        ("rsocket.data", b' {"a": 1}', None, JSON),
        ("rsocket.data", b"\0\1", None, None),
        ("rsocket.data", b"{}", "cbor", None),
        ("nobody", b"{}", None, None),
    ):
        body = LAYERS.body(slot, data, wanted)
        assert (body.reader if body else None) is reader


def test_an_embedded_record_in_a_frame_that_an_encoder_wrote() -> None:
    """RSocket: a request whose metadata is composite and holds a route."""
    case = next(c for c in cases("rsocket") if "composite_metadata_with" in c.vector.name)
    values = case.layout.decoder.fast(case.vector.data)
    found = [each for each in cells(case.layout.tree, values) if each.slot == "rsocket.metadata"]
    body = LAYERS.body("rsocket.metadata", found[0].data)
    assert body is not None
    inner = next(cells(COMPOSITE.decoder.tree, body.decoded.value))
    route = LAYERS.body(inner.slot, inner.data, "rsocket.routing")

    assert body.decoded.value["entries"][0]["mime_id"] == 0x7E
    assert route is not None
    assert route.decoded == DecodedPayload({"entries": ["hi"]}, [])


def test_an_embedded_record_has_problems_of_its_own() -> None:
    """Counted from its own first byte."""
    decoded = COMPOSITE.decode(b"\xfe\0\0\5hi")

    assert [(each.code, each.offset) for each in decoded.problems] == [(ProblemCode.SHORT, 4)]


def test_records_in_records_are_read_to_a_depth() -> None:
    """So many, and no more: their problems, those of a frame put together, and their values."""
    record = Record(field("inner", raw(U8, slot="nested"), "Another one."))
    layers = PayloadReaders(
        [EmbeddedRecord("nest", frozenset({"nested"}), record, lambda data: 50 * bool(data))]
    )
    decoder = Decoder(walk_word(record, "nest"))
    for count in (1, MOST_EMBEDDED, MOST_EMBEDDED + 1):
        data = b"\5"
        for _ in range(count):
            data = bytes([len(data)]) + data
        values = decoder.fast(data)
        (cell,) = cells(decoder.tree, values)
        codes = [ProblemCode.SHORT] if count <= MOST_EMBEDDED else []
        assert [each.code for each in layers.problems(decoder, data, values)] == codes
        assert [each.code for each in layers.problems_of_whole(decoder.tree, values)] == codes
        assert len(list(layers.embedded_records(cell))) == min(count, MOST_EMBEDDED)


def test_sub_batches_are_unpacked_by_the_codec_of_their_entry() -> None:
    """In a Deliver that a broker wrote."""
    case = next(c for c in cases("rabbitmq_stream") if c.vector.name == "deliver/sub_batch_gzip")
    values = case.layout.decoder.fast(case.vector.data)
    (cell,) = cells(case.layout.tree, values)

    assert (cell.slot, cell.packed, cell.problem) == ("sub_batch", "gzip", None)
    assert cell.data == b"\0\0\0\1a\0\0\0\2bc"
    assert codec_problem(cell) is None


CODECS = {0: "none", 1: "gzip"}
PACKED = Slot("inner", codec=this.codec, size=this.size - 1, cap=100)
SHAPE = walk_word(
    Record(
        field(
            "items",
            Many(
                Record(
                    field("codec", U8, "How.", names=CODECS),
                    field("size", U8, "One more than the bytes."),
                    field("data", raw(U16, slot=PACKED), "Data."),
                )
            ),
            "Items.",
        )
    ),
    "any.packed",
)


def test_what_cannot_be_unpacked_stays_as_it_was() -> None:
    """With a problem that says why."""
    values = {
        "items": [
            {"codec": 0, "size": 3, "data": b"ab"},
            {"codec": 1, "size": 3, "data": b"ab"},
            {"codec": 7, "size": 3, "data": b"ab"},
            {"codec": 1, "size": 255, "data": b"ab"},
        ]
    }
    found = list(cells(SHAPE, values))

    assert [each.data for each in found] == [b"ab"] * 4
    assert [each.problem for each in found] == [
        None,
        "not valid gzip",
        "no codec 7 is known",
        "254 unpacked bytes announced for 2 compressed bytes, too many",
    ]
    problem = codec_problem(found[1])
    assert problem is not None
    assert problem[:2] == (ProblemCode.CODEC, SHAPE.find("items.data").id)


def test_slots_are_found_in_every_kind_of_field() -> None:
    """Absent and null ones are left out; a name in two arms counts once."""
    tree = walk_word(
        Record(
            Either(
                clear=(field("a", raw(U8, slot="one"), "A."),),
                set=(field("a", raw(U16, slot="two"), "A."),),
            ),
            field("c", raw(U8), "No slot."),
            When(len_(this.c) > 0, field("b", raw(U8, slot="three"), "B.")),
            ProtoMessage(
                {
                    1: proto("text", "string", "Text.", slot="four"),
                    2: proto("many", "bytes", "Many.", slot="five", repeated=True),
                    3: proto(
                        "inner", "message", "Inside.",
                        message=ProtoMessage({1: proto("x", "bytes", "X.", slot="six")}),
                    ),
                }
            ),
        ),
        "any.slots",
    )  # fmt: skip
    data = b"\1a\0" + bytes.fromhex("0a0162 120163 120164 1a030a0165")
    found = list(cells(tree, Decoder(tree).fast(data)))

    assert [(each.slot, each.data) for each in found] == [
        ("one", b"a"), ("four", b"b"), ("five", b"c"), ("five", b"d"), ("six", b"e"),
    ]  # fmt: skip


def test_a_line_may_have_a_slot() -> None:
    """NATS's JSON."""
    tree = walk_word(
        Record(TextLine("INFO", remainder("json", "Options.", slot="json"))), "any.info"
    )
    (cell,) = cells(tree, Decoder(tree).fast(b'INFO {"a": 1}\r\n'))
    body = LAYERS.body(cell.slot, cell.data)

    assert body is not None
    assert body.decoded.value == [{"key": "a", "value": 1}]


TYPED = Record(
    field("number", U8, "A type by number.", names={1: "Text/Loud", 2: "x/rider"}),
    When(this.number == 0, field("type", text(U8), "A type in full.")),
    field("inner", raw(U8, slot=Slot("typed", types=(this.type, this.number))), "Of a type."),
    field("rest", raw(REST, slot=Slot("typed", agreed="rest_type")), "Of an agreed type."),
)
LOUD = Format(
    "loud", frozenset({"typed"}), lambda data: DecodedPayload(data.decode().upper(), []),
    lambda data: int(data.isalpha()), types=frozenset({"text/loud"}),
)  # fmt: skip
PAIR = EmbeddedRecord(
    "pair", frozenset({"typed"}), Record(field("one", U8, "One."), field("two", U8, "Two.")),
    never, types=frozenset({"x/rider"}),
)  # fmt: skip


def readers(data: bytes, agreed: dict[str, str]) -> list[str | None]:
    """What reads the two slots of `TYPED`."""
    layers = PayloadReaders([LOUD, PAIR])
    decoder = Decoder(walk_word(TYPED, "typed"))
    values = decoder.read(data)[0]
    found = [layers.body(each.slot, each.data, declared=each.declared)
             for each in cells(decoder.tree, values, agreed)]  # fmt: skip
    return [each.reader.id if each else None for each in found]


def test_a_type_that_is_said_chooses() -> None:
    """By number, in full, or agreed; letter case and parameters do not count."""
    assert readers(b"\1\2abab", {}) == ["loud", "loud"]
    assert readers(b"\2\2abab", {"rest_type": "X/Rider; a=b"}) == ["pair", "pair"]
    assert readers(b"\0\7x/rider\2abab", {"rest_type": "text/loud"}) == ["pair", "loud"]


def test_a_type_that_nobody_reads_is_left_to_formats() -> None:
    """A record of another type does not match; a format reads what it is sure of."""
    assert readers(b"\7\2abab", {"rest_type": "x/y"}) == ["loud", "loud"]
    assert readers(b"\1\2\1\1\2\2", {"rest_type": "x/y"}) == [None, None]


def test_problems_of_a_typed_slot() -> None:
    """By the reader that the type chose."""
    decoder = Decoder(walk_word(TYPED, "typed"))
    layers = PayloadReaders([LOUD, PAIR])
    data = b"\2\1aa"
    values = decoder.read(data)[0]

    assert [each.offset for each in layers.problems(decoder, data, values)] == [3]
    found = layers.problems(decoder, data, values, {"rest_type": "x/rider"})
    assert [(each.code, each.offset) for each in found] == [
        (ProblemCode.SHORT, 3),
        (ProblemCode.SHORT, 4),
    ]


def test_secrets_may_stand_where_the_type_is_not_known() -> None:
    """Or is one of those that have secrets."""
    slot = Slot("typed", veiled=frozenset({"x/secret"}))

    assert [veiled(slot, said) for said in (None, "x/secret", "x/y")] == [True, True, False]
    assert not veiled(Slot("typed"), None)
