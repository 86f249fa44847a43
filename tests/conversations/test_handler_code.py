"""The text of handlers, without code whose results are not used."""

from tests.conversations.dialogue import rule
from tests.framing.parcel_protocol import WIRE

from streamshark.conversations.engine import Engine
from streamshark.conversations.engine_state import ProtocolTables
from streamshark.conversations.handler_code import HandlerCode
from streamshark.conversations.program import Program
from streamshark.conversations.resolve import HandlerKey
from streamshark.conversations.row_access import SessionRowAccess
from streamshark.conversations.tables import Action, Lifecycle, Pair
from streamshark.findings.judge import Judge
from streamshark.findings.rule import Rule

SEND = Pair(name="send", request="send", answers="send_response", keep="address")


ENGINE = Engine([])
JUDGING = Engine([], judge=Judge(), annotates=False)
"""Programs do not keep their engine."""


def program(*tables: object) -> Program:
    """The program of some tables."""
    return Program(ProtocolTables(WIRE, tables), ENGINE)


def place(name: str, sender: str = "client") -> HandlerKey:
    """Rows of a frame."""
    return HandlerKey("row", name, WIRE.table().named(name).tree, sender)


def test_what_nobody_asks_for_is_left_out() -> None:
    """Objects without a key here, moves without readers."""
    lifecycle = Lifecycle(name="box", scope="connection", key={"send": "correlation_id"})
    made = program(lifecycle, Action(on="any", do="conn.last = name"))

    text = HandlerCode(made.chosen, place("tick"), SessionRowAccess()).row()
    assert "box" not in text
    assert "conn.last =" not in text


def watched(*rules: Rule) -> Program:
    """The program of some rules, without rows that are told anything."""
    return Program(ProtocolTables(WIRE, (), rules), JUDGING)


def test_rules_of_other_rows_are_left_out() -> None:
    """By the row's name, by what it has not."""
    made = watched(
        rule("any", "name == 'tick' and n > 1"),
        rule("any", "name in ('tick', 'hello') or sender == 'server'"),
        rule("any:request", "correlation_id > 5"),
    )
    for name, count in (("tick", 2), ("send", 1)):
        text = HandlerCode(made.chosen, place(name), SessionRowAccess()).row()
        assert (text.count("notice("), "'tick' ==" in text) == (count, False)


def test_what_is_seldom_asked_is_read_there() -> None:
    """The value is read after earlier conditions and in messages, not at the start."""
    made = watched(rule("send", "any_eq(goods, 'x') and conn.n > 1", message="{address}"))

    text = HandlerCode(made.chosen, place("send"), SessionRowAccess()).row()
    assert text.index("conn.n") < text.index("columns")
    assert "c0" not in text
    assert "return None" in text


def test_items_are_read_where_an_action_needs_them() -> None:
    """After its condition; a loop over items that cannot change anything does not begin."""
    actions = (
        Action(on="send", when="conn.n > 1", do="conn.first = first(goods)"),
        Action(on="send", when="conn.left < 9", items="goods", do="conn.left = conn.left + 1"),
        Action(on="send", when="version == 9", items="goods", do="conn.left = 0"),
    )
    asked = rule("send", "conn.first == 'x' and conn.left > 1")
    made = Program(ProtocolTables(WIRE, actions, (asked,)), JUDGING)

    text = HandlerCode(made.chosen, place("send"), SessionRowAccess()).row()
    lines = [each.strip() for each in text.splitlines()]
    loops = [at for at, line in enumerate(lines) if line.startswith("for item in")]
    assert lines[lines.index("conn.first = f_first(c0)") - 1].startswith("if ")
    assert [lines[at - 1][:4] for at in loops] == ["if ("]


def test_a_call_is_made_once() -> None:
    """Wherever it stands, and only where it is needed."""
    made = watched(
        rule("send", "digest(address) == conn.n"),
        rule("send", "conn.n > 1 and digest(address) != conn.t"),
    )

    text = HandlerCode(made.chosen, place("send"), SessionRowAccess()).row()
    assert text.count("m0 := f_digest(c0)") == 2
    assert text.replace("m0 := f_digest(c0)", "").count("f_digest") == 0


def test_what_neighbours_have_in_common_is_tested_once() -> None:
    """Where no action between them changes it; and not for each item of a list."""
    actions = (
        Action(on="send", when="conn.left < 9 and n > 7", do="conn.first = n"),
        Action(on="send", when="conn.left < 9 and n > 5", do="conn.first = 3"),
        Action(on="send", when="conn.left < 9", items="goods", do="conn.seen = n"),
        Action(on="send", when="conn.left < 9", do="conn.left = 5"),
        Action(on="send", when="conn.left < 9", do="conn.first = 8; conn.left = n"),
    )
    rules = (
        rule("send", "conn.seen == 1 and n > 3"),
        rule("send", "n > 4 and conn.seen == 1 and conn.first == 2"),
        rule("send", "conn.first == 2 and conn.seen == 1"),
        rule("send", "conn.first == 2"),
    )
    made = Program(ProtocolTables(WIRE, actions, rules), JUDGING)

    text = HandlerCode(made.chosen, place("send"), SessionRowAccess()).row()
    assert (text.count("conn.seen == 1"), text.count("conn.first == 2")) == (1, 2)
    assert text.count("conn.left) is not None") == 4


def test_objects_are_looked_at_where_one_may_count() -> None:
    """What is asked of the row alone is tested before all objects of a kind are looked at."""
    box = Lifecycle(name="box", scope="connection", key={"send": "correlation_id"})
    actions = (
        Action(on="tick", each="box", when="n > 7 and box.frames > 1", do="box.first = n"),
        Action(on="tick", each="box", when="name == 'send'", do="box.first = 3"),
    )
    asked = rule("send", "box.first == 2")
    made = Program(ProtocolTables(WIRE, (box, *actions), (asked,)), JUDGING)

    text = HandlerCode(made.chosen, place("tick"), SessionRowAccess()).row()
    lines = [each.strip() for each in text.splitlines()]
    loops = [at for at, line in enumerate(lines) if line.startswith("for one in")]
    assert [lines[at - 1] for at in loops] == ["if (n > 7):"]
    assert lines[loops[0] + 2].startswith("if ((v")


def test_a_part_of_a_column_is_taken_of_the_column() -> None:
    """A list that is read anyway is not decoded again for its first item."""
    made = watched(rule("send", "first(goods) == 'x'"), rule("send", "greatest(goods) == 'y'"))

    text = HandlerCode(made.chosen, place("send"), SessionRowAccess()).row()
    assert "c0 = f_first(c1)" in text
    assert "row.decoder.columns" not in text
