"""The text of handlers: columns are read where some table needs them, and no others."""

from collections.abc import Iterable, Mapping
from typing import Any

from tests.conversations.talk import rule
from tests.frames.parcels import WIRE

from streamshark.conversations.engine import Engine, Tables
from streamshark.conversations.model import Place
from streamshark.conversations.printer import Handler, RowAdapter
from streamshark.conversations.program import Program
from streamshark.conversations.tables import Context, Life, Move, Pair
from streamshark.findings.judge import Judge
from streamshark.findings.rule import Rule
from streamshark.schema.nodes import Tree

SEND = Pair(name="send", request="send", answers="send_response", keep="address")


class Columns:
    """An adapter of batches: a row is a tuple, its columns are taken by their place."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.bound: dict[str, Any] = {}

    def built_in(self, name: str) -> str:
        """By place."""
        return f"row[{self.names.index(name)}]"

    def column(self, tree: Tree | None, path: tuple[str, ...], part: str) -> str:
        """By place."""
        assert tree is not None
        assert not part
        return f"row[{self.names.index('.'.join(path))}]"

    def sure(self, tree: Tree, path: tuple[str, ...], part: str) -> str | None:
        """No more than that."""
        assert part in ("", "len")
        assert tree.find(".".join(path)).name
        return None

    def lines(self, tree: Tree | None, read: Mapping[str, str]) -> Iterable[str]:
        """One after the other."""
        assert tree is not None
        return [f"{name} = {text}" for text, name in read.items()]

    def common(self, body: str) -> Iterable[tuple[str, str]]:
        """Nothing."""
        assert body
        return ()


def program(*tables: object) -> Program:
    """The program of some tables."""
    return Program(Tables(WIRE, tables), Engine([]))


def place(name: str, sender: str = "client") -> Place:
    """Rows of a frame."""
    return Place("row", name, WIRE.table().named(name).tree, sender)


def test_columns_are_read_where_they_are_needed() -> None:
    """A tick has none, an answer its id."""
    made = program(SEND)

    assert "outline" not in Handler(made, place("tick"), RowAdapter()).row()
    answer = Handler(made, place("send_response", "server"), RowAdapter()).row()
    assert answer.count("row.outline") == 1
    assert "values" not in answer


def test_lists_are_measured_without_being_read() -> None:
    """Their items are read when somebody wants them."""
    made = program(
        Move(on="send", do="conn.count = len(goods)"), Context(name="count", value="conn.count")
    )
    assert "row.values" not in Handler(made, place("send"), RowAdapter()).row()


def test_what_nobody_asks_for_is_left_out() -> None:
    """Objects without a key here, moves without readers."""
    life = Life(name="box", scope="connection", key={"send": "correlation_id"})
    made = program(life, Move(on="any", do="conn.last = name"))

    text = Handler(made, place("tick"), RowAdapter()).row()
    assert "box" not in text
    assert "conn.last =" not in text


def watched(*rules: Rule) -> Program:
    """The program of some rules, without rows that are told anything."""
    return Program(Tables(WIRE, (), rules), Engine([], judge=Judge(), tells=False))


def test_rules_of_other_rows_are_left_out() -> None:
    """By the row's name, by what it has not."""
    made = watched(
        rule("any", "name == 'tick' and n > 1"),
        rule("any", "name in ('tick', 'hello') or sender == 'server'"),
        rule("any:request", "correlation_id > 5"),
    )
    for name, count in (("tick", 2), ("send", 1)):
        text = Handler(made, place(name), RowAdapter()).row()
        assert (text.count("notice("), "'tick' ==" in text) == (count, False)


def test_what_is_seldom_asked_is_read_there() -> None:
    """Behind what decides sooner, and in what is said of it; never twice at the start."""
    made = watched(rule("send", "any_eq(goods, 'x') and conn.n > 1", message="{address}"))

    text = Handler(made, place("send"), RowAdapter()).row()
    assert text.index("conn.n") < text.index("columns")
    assert "c0" not in text
    assert "return None" in text


def test_the_same_tables_over_columns() -> None:
    """A handler of another adapter pairs tuples."""
    names = ("t", "n", "side", "correlation_id", "address")
    made = program(SEND)
    conn = made.meet(0, 0, start=True)
    conn.sides[0].frames = conn.sides[1].frames = 1
    rows = [(place("send"), 0, (5, 1, 0, 7, "home")),
            (place("send_response", "server"), 1, (9, 2, 1, 7, None))]  # fmt: skip
    told = []
    for where, side, row in rows:
        text = Handler(made, where, Columns(*names)).row()
        handle = made._compiled(text, "test")
        told.append(handle(row, conn, conn.sides[side], conn.sides[1 - side]))

    assert (told[1].request_frame, told[1].response_time_ns) == (1, 4)
