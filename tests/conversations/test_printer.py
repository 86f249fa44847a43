"""The text of handlers: what nobody asks for is left out."""

from tests.conversations.talk import rule
from tests.frames.parcels import WIRE

from streamshark.conversations.adapter import RowAdapter
from streamshark.conversations.engine import Engine, Tables
from streamshark.conversations.model import Place
from streamshark.conversations.printer import Handler
from streamshark.conversations.program import Program
from streamshark.conversations.tables import Life, Move, Pair
from streamshark.findings.judge import Judge
from streamshark.findings.rule import Rule

SEND = Pair(name="send", request="send", answers="send_response", keep="address")


ENGINE = Engine([])
JUDGING = Engine([], judge=Judge(), tells=False)
"""Programs do not keep their engine."""


def program(*tables: object) -> Program:
    """The program of some tables."""
    return Program(Tables(WIRE, tables), ENGINE)


def place(name: str, sender: str = "client") -> Place:
    """Rows of a frame."""
    return Place("row", name, WIRE.table().named(name).tree, sender)


def test_what_nobody_asks_for_is_left_out() -> None:
    """Objects without a key here, moves without readers."""
    life = Life(name="box", scope="connection", key={"send": "correlation_id"})
    made = program(life, Move(on="any", do="conn.last = name"))

    text = Handler(made, place("tick"), RowAdapter()).row()
    assert "box" not in text
    assert "conn.last =" not in text


def watched(*rules: Rule) -> Program:
    """The program of some rules, without rows that are told anything."""
    return Program(Tables(WIRE, (), rules), JUDGING)


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
