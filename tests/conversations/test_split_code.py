"""Facts: what leaves a connection, and what is done with it."""

from typing import Any

from tests.conversations.dialogue import CLIENT, Talk, rule
from tests.framing.parcel_protocol import WIRE, send

from streamshark.conversations.engine import Engine
from streamshark.conversations.engine_state import ProtocolTables
from streamshark.conversations.split_code import reference
from streamshark.conversations.state import NO_OBJECT
from streamshark.conversations.tables import Action, Lifecycle

HOUSE = Lifecycle(name="house", scope="capture", key={"send": "server, address"})


class Facts:
    """Receiver of facts and matches."""

    def __init__(self) -> None:
        self.left: list[tuple[Any, ...]] = []
        self.rows: list[Any] = []
        self.matched: list[int] = []
        self.codes: list[str] = []

    def fact(self, program: Any, number: int, *more: Any) -> None:  # noqa: ANN401 - the engine's
        """Take a fact."""
        self.codes = program.chosen.facts
        self.left.append((program.chosen.facts[number], more[-1]))
        self.rows.append(more[-2])

    def notice(self, _program: Any, index: int, *_more: Any) -> None:  # noqa: ANN401 - the engine's
        """Take a match."""
        self.matched.append(index)

    def __getattr__(self, _name: str) -> Any:  # noqa: ANN401 - further calls of the engine
        return lambda *_given: None


def said(
    tables: tuple[Any, ...],
    *rules: Any,  # noqa: ANN401 - tables
    words: tuple[bytes, ...],
    goods: tuple[bytes, ...] = (),
) -> Facts:
    """What leaves a connection on which a client sends."""
    facts = Facts()
    talk = Talk(tables, *rules)
    talk.engine = Engine(
        [ProtocolTables(WIRE, tables, rules)], judge=facts, facts=facts, annotates=False
    )
    for number, word in enumerate(words):
        talk.say(CLIENT, send(number, word, *goods))
    return facts


def test_a_fact_leaves_only_where_the_connection_allows_it() -> None:
    """With what the connection gives as values, the key first."""
    seen = Action(on="send", when="len(address) > 1 and house.seen < 9", do="house.seen = n + 1")
    many = rule("send", "house.seen > 1 and correlation_id == 2", message="{address}")
    alone = rule("send", "correlation_id == 1")
    facts = said((HOUSE, seen), many, alone, words=(b"a", b"bb", b"cc"))

    assert facts.matched == [1]
    assert [code.count("notice(") for code, _ in facts.left] == [0, 1, 0]
    assert [row is not None for row in facts.rows] == [False, True, False]
    moved, judged, _ = (values for _, values in facts.left)
    assert (moved[0][1], judged[0][1]) == ("bb", "cc")
    assert all("row.shallow" not in code for code, _ in facts.left)


def test_a_fact_leaves_beside_ids_that_are_taken() -> None:
    """The handler of such a row begins with one line more."""
    kept = Action(on="send", do="add(conn.open, correlation_id); house.seen = n; "
                  "take(conn.open, correlation_id)")  # fmt: skip
    asked = rule(
        "send", "house.seen > 1 and missing(conn.open, correlation_id) == 1", message="{address}"
    )
    facts = said((HOUSE, kept), asked, words=(b"a", b"b"))
    assert [code.count("x_house.seen = v") for code, _ in facts.left].count(1) == 2


def test_items_of_a_list_leave_one_fact() -> None:
    """With the values of each; it concerns the objects of all of them."""
    stock = Lifecycle(name="stock", scope="capture", key={"send": "goods"})
    sold = Action(on="send", items="goods", do="stock.seen = coalesce(stock.seen, 0) + 1")
    kept = Action(on="send", items="goods", do="put(house.goods, goods)")
    many = rule("send", "count(house.goods) > 1")
    goods = (b"x", b"y", b"x")
    for tables, asked, count in (
        ((HOUSE, kept), many, 1),
        ((HOUSE, kept, stock, sold), rule("send", "count(house.goods) > 1 and stock.seen > 1"), 2),
    ):
        facts = said(tables, asked, words=(b"a",), goods=goods)
        found = [(code, given) for code, given in facts.left if isinstance(given, list)]
        assert [len(given) for _, given in found] == [len(goods)] * len(found)
        objects = []
        for code, given in found:
            scope: dict[str, Any] = {}
            exec(code, scope)  # noqa: S102 - our own
            objects.append(scope["objects"](0, 0, 0, given))
        assert max(map(len, objects)) == count


def test_facts_under_the_same_conditions_are_one_if_they_concern_the_same_objects() -> None:
    """One after the other; what the second one does sees what the first one has done."""
    yard = Lifecycle(name="yard", scope="capture", key={"send": "server"})
    long = "len(address) > 1"
    for second, count in (
        (Action(on="send", when=long, do="house.known = house.seen + 1"), 1),
        (Action(on="send", when="len(address) > 2", do="house.known = house.seen + 1"), 2),
        (Action(on="send", when=long, do="yard.known = n"), 2),
        (Action(on="send", when=long, do="yard.known = house.seen"), 2),
    ):
        asked = rule("send", f"house.seen > 0 and {second.do.split('.')[0]}.known > 0")
        first = Action(on="send", when=long, do="house.seen = n")
        facts = said((HOUSE, yard, first, second), asked, words=(b"abc", b"x"))
        moved = [code for code, _ in facts.left if "notice(" not in code]
        assert len(moved) == count, second
        assert ".seen =" in moved[0]
        assert ".known =" in moved[-1]
        assert moved[0].index(".seen =") < "".join(moved).index(".known =")


def test_what_cannot_matter_leaves_no_fact() -> None:
    """A disjunction is tested as far as it concerns the connection."""
    seen = Action(on="send", do="house.seen = 1")
    either = rule("send", "correlation_id == 1 or len(address) == 2 and house.seen == 1")
    facts = said((HOUSE, seen), either, words=(b"a", b"b", b"cc"))
    assert sum("notice(" in code for code, _ in facts.left) == 2


def test_a_reference_stands_for_an_object() -> None:
    """The same one each time."""
    talk = Talk((Lifecycle(name="box", scope="connection", key={"send": "correlation_id"}),
                 Action(on="send", do="box.seen = n")), rule("send", "box.seen > 0"))  # fmt: skip
    talk.say(CLIENT, send(1))
    (conn,) = talk.engine.open.values()
    one = conn.o_box[1]  # type: ignore[attr-defined]
    assert reference(NO_OBJECT) is None
    assert reference(one) == reference(one) == (one.number, False, False, one.name)
    assert one.number > 0
