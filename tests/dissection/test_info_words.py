"""The words of one line, found in the values of a frame."""

from collections.abc import Mapping
from typing import Any

from tests.failures import every

from streamshark.dissection.info_words import NOTHING, InfoWords, RecordView
from streamshark.schema import I64, U8, U16, Many, Record, field, raw, text
from streamshark.schema.nodes import Tree
from streamshark.schema.walk import walk_word

RECORD = Record(
    field("id", I64, "A."),
    field("code", U8, "B.", names={1: "ok", 2: "refused"}),
    field("name", text(U8), "C."),
    field("body", raw(U8), "D."),
    field("ids", Many(I64, count=U8), "E."),
    field("names", Many(text(U8), count=U8), "F."),
    field(
        "nodes",
        Many(Record(field("key", U8, "G."), field("host", text(U8), "H.")), count=U8),
        "I.",
    ),
    field(
        "streams",
        Many(Record(field("stream", text(U8), "J."), field("leader", U16, "K.")), count=U8),
        "L.",
    ),
    field(
        "map",
        Many(Record(field("key", text(U8), "M."), field("value", text(U8), "N.")), count=U8),
        "O.",
    ),
)
VALUES: Mapping[str, Any] = {
    "id": 7, "code": 1, "name": "a", "body": b"12", "ids": [1, 2, 3, 9], "names": ["x", "y"],
    "nodes": [{"key": 1, "host": "h1"}, {"key": 2, "host": "h2"}],
    "streams": [{"stream": "s", "leader": 2}, {"stream": "t", "leader": 9}],
    "map": [{"key": "version", "value": "3"}, {"key": "sac", "value": "true"}],
}  # fmt: skip


def tree() -> Tree:
    """The nodes of the record."""
    return walk_word(RECORD, "any.thing")


def words(template: str) -> InfoWords:
    """What writes the words of a template; codes by their names."""
    return InfoWords(
        tree(),
        template,
        lambda node: lambda value: (node.facts.names or {}).get(value, str(value)),
        str,
    )


@every(
    ("template", "shown"),
    [
        ("{id}", " 7"),
        ("id={id} {name}", " id=7 a"),
        ("{id:signed} {code}", " +7 ok"),
        ("{gone} {name}", " a"),
        ("{name}/{gone} {gone}/{name}", " a"),
        ("{name}:{id}", " a:7"),
        ("{body:bytes} {ids:count}", " 2 bytes 4"),
        ("ids={ids:ranges} {ids}", " ids=1-3,9 1,2,3 and 1 more"),
        ("{id+code}", " 7"),
        ("{names}", " x,y"),
        ("{nodes.key}={nodes.host}", " 1=h1,2=h2"),
        ("{streams.stream}@{nodes.host|streams.leader=nodes.key}", " s@h2,t"),
        ("{map[version]} {map[sac]?sac} {map[other]}", " 3 sac"),
        ("{@stream} {name}", " orders a"),
        ("{code:ok ok?}", ""),
    ],
)
def test_words(template: str, shown: str) -> None:
    """Values, of which some are known from elsewhere; what is absent is left out."""
    assert words(template)(RecordView(dict(VALUES)), {"stream": "orders"}) == shown


@every(
    ("template", "values", "refuses"),
    [
        ("! {name}", {}, True),
        ("{code:ok ok}", {}, False),
        ("{code:ok ok}", {"code": 2}, True),
        ("{name:ok a}", {"name": "b"}, True),
        ("{names:ok x y}", {}, False),
        ("{names:ok x}", {}, True),
        ("{name:ok}", {"name": ""}, False),
        ("{name}", {}, False),
    ],
)
def test_refusals(template: str, values: dict[str, Any], refuses: bool) -> None:  # noqa: FBT001 - a case
    """Always, or by the value of a code."""
    shown = words(template)

    assert shown.refuses(RecordView({**VALUES, **values})) is refuses
    assert shown.may_refuse or not refuses


def test_words_of_many_values_are_not_all_remembered() -> None:
    """They are right all the same."""
    shown = words("{id} {code} {@stream}")

    for number in range(1000):
        values = {"id": number, "code": number % 256}
        assert shown(RecordView(values), {"stream": number}).endswith(f" {number}")
    assert shown(RecordView({}), NOTHING) == ""
