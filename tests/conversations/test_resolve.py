"""Tables are checked when they are loaded."""

from typing import Any

import pytest
from tests.failures import every
from tests.framing.parcel_protocol import WIRE

from streamshark.conversations.resolve import MOST_MODELS, ResolvedTables, duration, model_of
from streamshark.conversations.tables import (
    Action,
    Burst,
    Constant,
    Context,
    CrossLink,
    Lifecycle,
    Pair,
    Timer,
    Transition,
    Watch,
)
from streamshark.errors import SchemaError

BOX = Lifecycle(name="box", scope="connection", key={"send": "correlation_id"})


@every(
    ("tables", "told"),
    [
        ([Action(on="sent", do="conn.x = 1")], "no frame sent"),
        ([Action(on="tick_response", do="conn.x = 1")], "declare a frame 'tick' of the kind"),
        ([Action(on="tcp.opened", do="conn.x = 1")], "no event opened"),
        ([Action(on="any:entity", do="conn.x = 1")], "no kind of row entity"),
        ([Action(on="timer:x", do="conn.x = 1")], "no timer x"),
        ([Action(on="send", do="conn.x = weight")], "send has no field weight"),
        ([Action(on="send tick", do="conn.x = address")], "tick has no field address"),
        ([Action(on="send", do="conn.x = conn.y")], "conn.y is assigned nowhere"),
        ([Action(on="send", do="conn.x = LIMIT")], "no constant LIMIT"),
        ([Action(on="send", do="conn.state = 'x'")], "conn.state is the engine's"),
        ([Action(on="send", do="conn.lost_n = n")], "conn.lost_n is the engine's"),
        ([Action(on="send", do="put(conn.kept, address)")], "conn.kept is the engine's"),
        ([Action(on="send", do="me.d1 = t")], "side.d1 is the engine's"),
        ([BOX, Action(on="send", do="box.over = 1")], "box.over is the engine's"),
        ([Lifecycle(name="box", scope="connection", starts={"number": 0})], "box.number is the"),
        ([Pair(name="p", request="send", answers="send_response", keep="address as later")],
            "req.later is the engine's"),
        ([Constant(name="LIMIT", value=1, doc=""), Constant(name="LIMIT", value=2, doc="")],
            "two constants LIMIT"),
        ([Action(on="send", do="conn.x = 1", each="cup")], "no lifecycle cup"),
        ([Action(on="send", do="conn.x = live(me)")], "live takes the name of a lifecycle"),
        ([Lifecycle(name="address", scope="connection")], "name of a column"),
        ([Lifecycle(name="box", scope="flow")], "no scope flow"),
        ([Lifecycle(name="row", scope="capture")], "a name that handlers use"),
        ([Lifecycle(name="box", scope="connection:one")], "conn is the connection"),
        ([Timer(name="t", of="cup", on="send", limit="1 s")], "no object cup"),
        ([Timer(name="t", of="conn", on="send", limit="1 s", mode="last")], "first or again"),
        ([Burst(name="r", on="send", key="flow", window="X", limit=2)], "numbers or constants"),
        ([Context(name="c", value="address")], "slots only"),
        ([CrossLink(kind="k", role="is", on="send", key="address")], "leads, follows or both"),
        ([Pair(name="p", request="send", answers="send_response", key="place")], "field place"),
        ([Pair(name="p", request="send", answers="send_response", key="address")], "address"),
        ([BOX, Lifecycle(name="cup", scope="connection", key={"send": "place"})], "no field place"),
        ([Lifecycle(name="box", scope="connection", steps=(Transition("a", "sent", "b"),))],
            "no frame sent"),
        ([Lifecycle(name="box", scope="connection", final="b")], "no transition leads to b"),
        ([Lifecycle(name="box", scope="connection", closing={"b": "1"})], "no transition leads to"),
        ([Lifecycle(name="box", scope="connection", counted="x")], "no measure x"),
        ([BOX, Action(on="send", do="box.a = coalesce(box.a, 0) + 1"),
            Action(on="send", do="box.a = place == 'x'")], "box.a: a number in .* a truth value"),
        ([Lifecycle(name="box", scope="connection", starts={"a": 0}),
            Action(on="send", do="box.a = 'x'")], "box.a: a text in .* a number in 'starts'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(tables: list[Any], told: str) -> None:
    """Before any traffic."""
    with pytest.raises(SchemaError, match=told):
        ResolvedTables(WIRE, tables)


@pytest.mark.parametrize(
    ("watch", "told"),
    [
        (Watch(on="send", needs="luck"), "no need luck"),
        (Watch(on="end:cup", needs=""), "no end cup"),
        (Watch(on="unanswered:send", needs=""), "no unanswered send"),
        (Watch(on="problem:odd", needs=""), "no problem odd"),
        (Watch(on="send", needs="", evidence="box.first"), "box.first is assigned nowhere"),
    ],
)
def test_watches_too(watch: Watch, told: str) -> None:
    """Their evidence as well."""
    with pytest.raises(SchemaError, match=told):
        ResolvedTables(WIRE, [BOX], [watch])


def test_the_object_of_a_watch() -> None:
    """The first one named, that of the trigger, else the connection."""
    timer = Timer(name="t", of="box", on="send", limit="1 s")
    watches = [
        Watch(on="send", needs="", when="conn.whole and box.n > 1"),
        Watch(on="send", needs="", when="me.last_n > 1"),
        Watch(on="timer:t", needs=""),
        Watch(on="send", needs="", of="C"),
    ]
    model = ResolvedTables(WIRE, [BOX, timer], watches)

    assert [each.values["of"] for each in model.watches] == ["conn", "conn", "box", "C"]


def test_constants_are_times() -> None:
    """Or numbers, by name."""
    tables = [Constant(name="WAIT", value="1.5 s", doc=""), Constant(name="MOST", value=3, doc="")]

    assert ResolvedTables(WIRE, tables).constants == {"WAIT": 1_500_000_000, "MOST": 3}
    assert [duration(each) for each in ("1", "s", "3 d", "1s")] == [None, None, None, 10**9]


def test_readings_of_the_same_tables_share_a_model() -> None:
    """Of few tables, those that were read last; others with the same words have their own."""
    tables = (BOX, Constant(name="LIMIT", value="3 s", doc=""))
    other = (BOX, Constant(name="LIMIT", value="4 s", doc=""))
    first = model_of(WIRE, tables, (), ())
    assert model_of(WIRE, list(tables), (), ()) is first
    assert model_of(WIRE, other, (), ()).constants == {"LIMIT": 4_000_000_000}
    assert first.constants == {"LIMIT": 3_000_000_000}

    for _ in range(MOST_MODELS):
        model_of(WIRE, (Constant(name="LIMIT", value="5 s", doc=""),), (), ())
    assert model_of(WIRE, tables, (), ()) is not first
