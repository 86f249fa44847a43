"""The engine on small conversations: what each table shape promises, and what is not known."""

from dataclasses import replace

import pytest
from tests.conversations.dialogue import CLIENT, SECOND, SERVER, Talk, rule
from tests.framing.parcel_protocol import TICKS, parcel, send, signed

from streamshark.conversations import engine, program
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
)

SEND = Pair(name="send", request="send", answers="send_response", keep="address",
            failed="code != 0")  # fmt: skip
OFFER = Pair(name="offer", request="offer", answers="offer_response", key="", keep="price")


def offer(price: int) -> bytes:
    """The server's request, which has no id."""
    return parcel(4, price.to_bytes(2, "big"))


TAKEN = parcel(4, b"\0\2no", response=True)


def hello(limit: int) -> bytes:
    """A command of either side."""
    return parcel(2, limit.to_bytes(4, "big"))


# Pairs


def test_an_answer_knows_its_request() -> None:
    """Frame, time between, conversation."""
    talk = Talk((SEND,))
    asked, answered = talk.say(CLIENT, send(7)), talk.say(SERVER, signed(7), wait=0.5)

    assert (asked.annotation.conversation, asked.annotation.request_frame) == ("0-1-call", None)
    told = answered.annotation
    assert (told.conversation, told.request_frame, told.response_time_ns) == (
        "0-1-call", 1, 500_000_000,
    )  # fmt: skip


def test_a_call_is_a_conversation() -> None:
    """With both turns, and how it ended."""
    talk = Talk((SEND,))
    talk.say(CLIENT, send(7))
    talk.say(SERVER, signed(7, 3))
    talk.say(CLIENT, send(8))
    talk.close()
    first, second, connection = talk.end()

    assert (first.id, first.state, first.correlation_id) == ("0-1-call", "failed", 7)
    assert (first.request and first.request.frame, first.outcome and first.outcome.frame) == (1, 2)
    assert first.measures == {"response_time_ns": 1_000_000_000}
    assert first.parent == connection.id == "0-1-connection"
    assert (second.state, second.outcome) == ("unanswered", None)
    assert (connection.type, connection.state, connection.frame_count) == ("connection", "done", 3)


def test_requests_with_one_id_are_told_apart() -> None:
    """The oldest is answered first."""
    talk = Talk((SEND,), rule("send", "duplicate", message="{correlation_id}"))
    talk.say(CLIENT, send(7) * 3)
    answers = [talk.say(SERVER, signed(7)).annotation.request_frame for _ in range(3)]
    found = talk.findings()

    assert answers == [1, 2, 3]
    assert [(each.frames, each.count, each.message) for each in found] == [((2, 3), 2, "7")]


def test_ids_of_the_two_directions_do_not_meet() -> None:
    """An answer answers the other side alone."""
    talk = Talk((SEND, OFFER))
    talk.say(SERVER, offer(5))
    talk.say(CLIENT, send(1))

    assert talk.say(CLIENT, TAKEN).annotation.request_frame == 1
    assert talk.say(SERVER, signed(1)).annotation.request_frame == 2


def test_answers_in_order() -> None:
    """Where frames have no id, a queue tells."""
    talk = Talk((OFFER,))
    talk.say(SERVER, offer(5) + offer(6))

    assert [talk.say(CLIENT, TAKEN).annotation.request_frame for _ in range(2)] == [1, 2]
    assert talk.say(CLIENT, TAKEN).annotation.request_frame is None


def test_answers_of_several_commands_up_to_the_last() -> None:
    """`done` says which is the last one; the key may be any column."""
    pair = Pair(name="p", request="hello", answers="tick hello", key="limit", answer_key="limit",
                when="sender == 'client'", done="limit == 9")  # fmt: skip
    talk = Talk((pair,))
    talk.say(CLIENT, hello(9) + hello(5))

    answers = [talk.say(SERVER, hello(each)).annotation.request_frame for each in (5, 5, 9, 9)]
    assert answers == [2, 2, 1, None]


def test_an_answer_on_another_connection() -> None:
    """Scope capture."""
    talk = Talk((Pair(name="p", request="client:send", answers="server:send_response",
                      scope="capture"),))  # fmt: skip
    talk.say(CLIENT, send(3), number=0)

    told = talk.say(SERVER, signed(3), number=1).annotation
    assert (told.request_frame, told.conversation) == (1, "0-1-call")


def test_unanswered_requests_are_told_of_at_the_end() -> None:
    """With why it ended, and what was kept of the request."""
    unanswered = rule("unanswered:send", "why == 'closed'", evidence="req.n",
                      message="{req.address} {why}")  # fmt: skip
    talk = Talk((SEND,), unanswered)
    talk.say(CLIENT, send(1, b"there"))
    talk.say(SERVER, TICKS)
    talk.close()

    assert [(each.frames, each.message) for each in talk.findings()] == [((1,), "there closed")]


# Lives, moves, order of work

PARCELS = Lifecycle(
    name="box", scope="connection", type="box",
    key={"send": "correlation_id", "send_response": "correlation_id"},
    steps=(
        Transition("absent", "send", "asked"),
        Transition("asked unknown", "send_response", "done", "code == 0"),
        Transition("asked unknown", "send_response", "refused"),
    ),
    final="done refused", failed="refused", live="asked", starts={"tries": 0},
    measures={"tries": "box.tries", "address": "box.address"},
)  # fmt: skip
TRIES = Action(on="send", do="box.tries = box.tries + 1; box.address = address")


def test_a_life_is_a_conversation() -> None:
    """From its birth to its end, with what is measured."""
    talk = Talk((PARCELS, TRIES))
    talk.say(CLIENT, send(4) + send(4))
    assert talk.rows[-1].annotation.conversation == "0-1-box"
    talk.say(SERVER, signed(4, 1))
    box = talk.end()[0]

    assert (box.id, box.state, box.frame_count, box.last_frame) == ("0-1-box", "failed", 3, 3)
    assert box.measures == {"tries": 2, "address": "home"}


COUNTED = replace(
    PARCELS, counted="tries", closing={"asked": "'unanswered' if box.tries > 0 else 'failed'"}
)


@pytest.mark.parametrize(
    ("said", "measures", "state"),
    [
        (("both",), {"tries": 1, "address": "home"}, "unanswered"),
        ((), {"address": "home"}, "unknown"),
        (("both", "lose"), {"address": "home"}, "unknown"),
    ],
)
def test_what_is_counted_needs_all_of_it(
    said: tuple[str, ...], measures: dict[str, object], state: str
) -> None:
    """Birth, both sides, no bytes lost since; else it is not told, nor who is to blame."""
    talk = Talk((COUNTED, TRIES))
    talk.say(CLIENT, send(4))
    if "both" in said:
        talk.say(SERVER, TICKS)
    if "lose" in said:
        talk.lose(CLIENT)
    talk.event(CLIENT, "close")
    talk.event(SERVER, "close")
    box = next(each for each in talk.end() if each.type == "box")

    assert (dict(box.measures), box.state) == (measures, state)


def test_a_request_after_lost_bytes_is_not_called_unanswered() -> None:
    """A request is complete only once the bytes before it are known to be lost, perhaps late."""
    talk = Talk((SEND,))
    talk.say(CLIENT, TICKS)
    talk.say(SERVER, signed(1))
    talk.lose(CLIENT)
    talk.say(CLIENT, send(1), wait=0)
    talk.say(CLIENT, send(2))
    talk.event(CLIENT, "close")
    talk.event(SERVER, "close")

    assert {each.first_frame: each.state for each in talk.end() if each.type == "call"} == {
        3: "unknown", 4: "unanswered",
    }  # fmt: skip


def test_what_a_connection_counts_begins_with_it() -> None:
    """Where its beginning was not seen, it cannot be known."""
    tables = (
        Lifecycle(name="conn", scope="connection:one", type="connection", starts={"sent": 0},
             measures={"sent": "conn.sent"}, counted="sent"),
        Action(on="send", do="conn.sent = conn.sent + 1"),
    )  # fmt: skip
    for start, measures in ((True, {"sent": 2}), (False, {})):
        talk = Talk(tables, start=start)
        talk.say(CLIENT, TICKS * 4 + send(1))
        talk.say(SERVER, TICKS * 4)
        talk.say(CLIENT, send(2))

        assert talk.end()[-1].measures == measures


def test_rules_see_what_was_before_the_row() -> None:
    """State and slots alike."""
    seen = rule("send", "box.tries == 1 and box.state == 'asked'", message="{box.tries}")
    talk = Talk((PARCELS, TRIES), seen)
    talk.say(CLIENT, send(4))
    talk.say(CLIENT, send(4))

    assert [(each.frames, each.message) for each in talk.findings()] == [((2,), "1")]


def test_a_key_that_is_used_again_begins_a_new_object() -> None:
    """The rule on that row still sees the old one."""
    again = rule("send", "box.state == 'done'", evidence="n, box.ended_n")
    talk = Talk((PARCELS, TRIES), again)
    talk.say(CLIENT, send(4))
    talk.say(SERVER, signed(4))
    talk.say(CLIENT, send(4))
    ended = talk.end()

    assert [each.id for each in ended if each.type == "box"] == ["0-1-box", "0-3-box"]
    assert [each.frames for each in talk.judge.findings()] == [(3, 2)]


def test_absent_is_known_and_unknown_is_not() -> None:
    """Only where everything was seen an object is known not to be there."""
    absent = rule("send_response", "box.state == 'absent'")
    whole, joined = Talk((PARCELS, TRIES), absent), Talk((PARCELS, TRIES), absent, start=False)
    for talk in (whole, joined):
        talk.say(CLIENT, TICKS * 4)
        talk.say(SERVER, signed(9) * 4)

    assert [each.count for each in whole.findings()] == [4]
    assert joined.findings() == []


def test_all_objects_take_a_step() -> None:
    """`each`, in lifecycles and in moves."""
    lost = Lifecycle(
        name="box", scope="connection", key=PARCELS.key, type="box", final="lost",
        steps=(Transition("absent", "send", "asked"),),
        each=(Transition("asked", "hello", "lost", "box.count < limit"),),
        measures={"mark": "box.mark"},
    )  # fmt: skip
    talk = Talk((
        lost, Action(on="send", do="box.count = correlation_id"),
        Action(on="hello", each="box", when="box.count == 1", do="box.mark = n"),
    ))  # fmt: skip
    talk.say(CLIENT, send(1) + send(2) + send(3))
    talk.say(SERVER, hello(3))

    boxes = [(each.correlation_id, each.state, dict(each.measures)) for each in talk.end()[:3]]
    assert boxes == [(1, "done", {"mark": 4}), (2, "done", {}), (3, "open", {})]


def test_lives_that_all_connections_share() -> None:
    """By a key of several values."""
    shared = Lifecycle(name="house", scope="capture", key={"send": "server, address"})
    talk = Talk((shared, Action(on="send", do="house.seen = coalesce(house.seen, 0) + 1")),
                rule("send", "house.seen == 1", message="{house.seen}"))  # fmt: skip
    talk.say(CLIENT, send(1), number=0)
    talk.say(CLIENT, send(1), number=1)
    talk.say(CLIENT, send(1, b"away"), number=2)

    assert [each.frames for each in talk.findings()] == [(2,)]


def test_items_of_a_list() -> None:
    """A move runs over them."""
    talk = Talk((Action(on="send", items="goods", do="conn.goods = coalesce(conn.goods, 0) + 1"),),
                rule("tick", "conn.goods == 3"))  # fmt: skip
    talk.say(CLIENT, send(1, b"x", b"a", b"b", b"c"))
    talk.say(CLIENT, TICKS)

    assert len(talk.findings()) == 1


def test_objects_of_a_list_beside_those_of_its_items() -> None:
    """An action over the items leaves those alone whose keys are of the list as a whole."""
    talk = Talk((
        Lifecycle(name="pile", scope="connection", key={"send": "len(goods)"}),
        Lifecycle(name="good", scope="connection", key={"send": "goods"}),
        Action(on="send", items="goods", do="good.sent = coalesce(good.sent, 0) + 1; "
               "conn.most = max(coalesce(conn.most, 0), good.sent)"),
        Action(on="send", do="pile.seen = coalesce(pile.seen, 0) + 1"),
    ), rule("send", "pile.seen == 2", message="{pile.seen} {conn.most}"))  # fmt: skip
    talk.say(CLIENT, send(1, b"x", b"a", b"b"))
    talk.say(CLIENT, send(2, b"x", b"a"))
    talk.say(CLIENT, send(3, b"x", b"b", b"a") * 2)

    assert [each.message for each in talk.findings()] == ["2 3"]


def test_outstanding_ids_answer_what_takes_them() -> None:
    """The first frame whose ids are taken."""
    talk = Talk((Action(on="send", do="add(conn.open, correlation_id)"),
                 Action(on="send_response", do="take(conn.open, correlation_id)")),
                rule("send_response", "missing(conn.open, correlation_id) == 1"))  # fmt: skip
    talk.say(CLIENT, send(1) + send(2))
    told = talk.say(SERVER, signed(2)).annotation
    assert (told.request_frame, told.response_time_ns) == (2, 1_000_000_000)
    talk.say(SERVER, signed(2))

    assert [each.frames for each in talk.findings()] == [(4,)]


# Timers and repeats

WAIT = Constant(name="WAIT", value="3 s", doc="How long.")


@pytest.mark.parametrize(("mode", "fires"), [("first", 1), ("again", 0)])
def test_timers_keep_or_move_their_deadline(mode: str, fires: int) -> None:
    """Armed at 1, 3 and 5 s."""
    timer = Timer(name="late", of="conn", on="tick", limit="WAIT", mode=mode)
    talk = Talk((WAIT, timer), rule("timer:late", evidence="conn.last_n", message="{t:time}"))
    for _ in range(3):
        talk.say(CLIENT, TICKS, wait=2)

    assert sum(each.count for each in talk.findings()) == fires


def test_a_timer_that_is_cleared_and_armed_again_fires() -> None:
    """At its new deadline."""
    timer = Timer(name="late", of="C", on="client:tick", limit="3 s", clear="server:tick")
    talk = Talk((timer,), rule("timer:late", message="{t}"))
    talk.say(CLIENT, TICKS)
    talk.say(SERVER, TICKS)
    talk.say(CLIENT, TICKS)
    talk.say(SERVER, hello(1), wait=10)

    assert [each.message for each in talk.findings()] == ["6000000000"]


@pytest.mark.parametrize(("of", "end"), [("C", "reset"), ("conn", "reset"), ("conn", "close")])
def test_timers_of_what_has_ended_do_not_fire(of: str, end: str) -> None:
    """A closed connection has no late requests, and no timer keeps it in memory."""
    timer = Timer(name="late", of=of, on="client:tick", limit="3 s")
    talk = Talk((timer,), rule("timer:late", evidence="conn.last_n"))
    talk.say(CLIENT, TICKS)
    talk.say(SERVER, TICKS)
    client = talk.engine.by_flow[0].sides[CLIENT]
    for side in (CLIENT, SERVER):
        talk.event(side, end)
    assert client.conn is None
    assert not any(getattr(entity, f"d{at}") for _, _, entity, at, _ in talk.engine.heap)
    talk.say(CLIENT, TICKS, number=1, wait=10)
    talk.say(SERVER, TICKS, number=1, wait=10)

    assert [each.flow for each in talk.findings()] == [1]


def test_time_stands_still_at_the_end() -> None:
    """What is not over by the last packet does not fire."""
    talk = Talk((Timer(name="late", of="me", on="tick", limit="3 s"),), rule("timer:late"))
    talk.say(CLIENT, TICKS)
    talk.say(SERVER, hello(1), wait=2)

    assert talk.findings() == []


def test_repeats_within_a_window() -> None:
    """From the limit on, with the frames that prove it."""
    repeat = Burst(name="storm", on="send", key="flow, address", window="2 s", limit=3)
    talk = Talk((repeat,), rule("repeat:storm", message="{address}"))
    for address, wait in ((b"a", 1), (b"b", 0.1), (b"a", 1), (b"a", 5), (b"a", 0.1), (b"a", 0.1)):
        talk.say(CLIENT, send(1, address), wait=wait)

    assert [(each.frames, each.message) for each in talk.findings()] == [((5, 6), "a")]


def test_a_window_that_is_closed_clears_a_timer() -> None:
    """Before it fires, though no row has come since."""
    timer = Timer(
        name="late", of="C", on="client:tick", limit="3 s", clear="server:tcp.zero_window"
    )
    for closed in (False, True):
        talk = Talk((timer,), rule("timer:late"), rule("tcp.zero_window", id="T-2"))
        talk.say(CLIENT, TICKS)
        if closed:
            talk.connections[0].flow.trouble[SERVER].see_zero_window((0, 0, 9))
        talk.say(SERVER, TICKS, wait=5)
        (found,) = talk.findings()
        assert (found.rule, 9 in found.packets) == ("T-2" if closed else "T-1", closed)


# What is not known


def test_needs() -> None:
    """Each stays silent where its evidence may be missing."""
    orphan = "orphan"
    rules = [
        rule("send_response", orphan, id=each, needs=each) for each in ("start", "whole", "both")
    ]
    joined = Talk((SEND,), *rules, start=False)
    joined.say(CLIENT, TICKS * 4)
    joined.say(SERVER, signed(9) * 4)
    assert [each.rule for each in joined.findings()] == ["whole", "both"]

    alone = Talk((SEND,), *rules)
    alone.say(SERVER, signed(9))
    assert [each.rule for each in alone.findings()] == ["start", "whole"]


def test_lost_bytes_empty_what_is_open() -> None:
    """A request may have been among them, and its answer too."""
    orphan = rule("send_response", "orphan", needs="whole")
    known = rule("send_response", "box.state == 'asked'", needs="object", id="T-2")
    talk = Talk((SEND, PARCELS, TRIES), orphan, known)
    talk.say(CLIENT, send(1))
    talk.lose(CLIENT)
    told = talk.say(SERVER, signed(1)).annotation
    ended = talk.end()

    assert told.request_frame is None
    assert talk.judge.findings() == []
    assert (ended[0].type, ended[0].state) == ("call", "unknown")


def bargain(talk: Talk, *, wait: float = 1) -> int | None:
    """An offer that is taken; the frame that is said to be answered, counted from the answer."""
    talk.say(SERVER, offer(5), wait=wait)
    row = talk.say(CLIENT, TAKEN)
    request = row.annotation.request_frame
    return None if request is None else request - row.number


def lose(talk: Talk, side: int) -> None:
    """Bytes of a side, and more of it in which step is found again."""
    talk.lose(side)
    talk.say(side, TICKS * 4, wait=0)


def test_answers_in_order_are_of_nobody_after_lost_requests() -> None:
    """The number of expected answers is unknown until the connection has been idle for a while."""
    talk = Talk((OFFER,))
    assert bargain(talk) == -1
    lose(talk, SERVER)
    assert bargain(talk) is None
    assert bargain(talk, wait=9) is None
    assert bargain(talk, wait=11) == -1
    assert bargain(talk) == -1
    calls = [each.state for each in talk.end() if each.type == "call"]
    assert calls == ["done", "unknown", "unknown", "done", "done"]


def test_an_answer_to_nobody_shows_that_some_are_owed() -> None:
    """Who asks next is not who is answered next."""
    talk = Talk((OFFER,))
    lose(talk, SERVER)
    talk.say(CLIENT, TAKEN, wait=9)
    assert bargain(talk, wait=9) is None
    assert bargain(talk, wait=10) == -1


def test_lost_answers_are_those_of_what_waits() -> None:
    """Where nothing does, all that is asked later is answered later."""
    talk = Talk((OFFER,))
    bargain(talk)
    lose(talk, CLIENT)
    assert bargain(talk) == -1
    talk.say(SERVER, offer(6))
    lose(talk, CLIENT)
    assert talk.say(CLIENT, TAKEN).annotation.request_frame is None
    assert bargain(talk) is None


def test_answers_in_order_of_a_capture_that_begins_late() -> None:
    """Some may be owed from before."""
    talk = Talk((OFFER,), start=False)
    for side in (CLIENT, SERVER):
        talk.say(side, TICKS * 4, wait=0)
    assert bargain(talk) is None
    assert bargain(talk, wait=10) == -1


def test_too_many_requests_that_wait_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of them is kept: the answers of the first would be linked to later ones."""
    monkeypatch.setattr(program, "MOST_REQUESTS", 2)
    talk = Talk((OFFER,))
    for _ in range(3):
        talk.say(SERVER, offer(5))
    told = [talk.say(CLIENT, TAKEN).annotation for _ in range(3)]

    assert [each.request_frame for each in told] == [None] * 3
    assert talk.engine.capped["open requests"] == 3
    assert bargain(talk, wait=10) == -1


def test_a_hole_that_is_known_late_takes_back_what_it_explains() -> None:
    """The answer to a lost request is no orphan; a fault before the hole stays."""
    orphan = rule("send_response", "orphan", needs="whole")
    talk = Talk((SEND,), orphan)
    talk.say(CLIENT, TICKS)
    talk.say(SERVER, signed(5))
    talk.lose(CLIENT)
    assert talk.findings() == []

    before = Talk((SEND,), orphan)
    before.say(SERVER, signed(5))
    before.say(CLIENT, TICKS)
    before.lose(CLIENT)
    assert len(before.findings()) == 1


# Context, links, caps


def test_context_goes_with_the_rows() -> None:
    """Of the connection, of the object, of the call."""
    talk = Talk((
        SEND, PARCELS, TRIES, Action(on="hello", do="conn.limit = limit"),
        Context(name="limit", value="conn.limit"),
        Context(name="address", value="box.address req.address"),
    ))  # fmt: skip
    talk.say(CLIENT, TICKS)
    before = talk.rows[-1].annotation.context
    talk.say(CLIENT, hello(9))
    talk.say(CLIENT, TICKS)
    talk.say(CLIENT, send(1))
    talk.say(SERVER, signed(1))

    assert dict(before) == {}
    assert [dict(row.annotation.context) for row in talk.rows[-3:]] == [
        {"limit": 9}, {"limit": 9, "address": "home"}, {"limit": 9, "address": "home"},
    ]  # fmt: skip


def test_links_join_connections() -> None:
    """What leads with what follows, on another connection."""
    talk = Talk((
        CrossLink(kind="house", role="leads", on="send", key="address"),
        CrossLink(kind="house", role="follows", on="hello", key="'home'"),
    ))  # fmt: skip
    talk.say(CLIENT, send(1), number=0)
    talk.say(CLIENT, hello(1), number=1)
    first, second = talk.end()

    assert (first.links, second.links) == (("1-2-connection",), ("0-1-connection",))
    assert first.flows == (0, 1)


def test_an_object_that_has_ended_leads_to_others() -> None:
    """By its name alone: its connection is not kept."""
    talk = Talk((
        PARCELS,
        CrossLink(kind="box", role="leads", on="end:box", of="box", key="box.address"),
        CrossLink(kind="box", role="follows", on="send", of="box", key="address"), TRIES,
    ))  # fmt: skip
    talk.say(CLIENT, send(1) + send(1), number=0)
    talk.say(SERVER, signed(1), number=0)
    talk.say(CLIENT, send(2), number=1)
    boxes = [each for each in talk.end() if each.type == "box"]

    assert [each.links for each in boxes] == [(), ("0-1-box",)]


def test_connections_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that was silent longest goes, and that is said."""
    monkeypatch.setattr(engine, "MOST_CONNECTIONS", 3)
    talk = Talk((SEND,))
    for number in range(5):
        talk.say(CLIENT, TICKS, number=number)

    assert len(talk.engine.open) == 3
    assert talk.engine.capped == {"connections": 2}
    assert [each.state for each in talk.engine.ended] == ["unknown", "unknown"]


def test_a_connection_that_has_ended_is_forgotten() -> None:
    """No state of a closed connection is kept, and later frames match no rule of it."""
    talk = Talk((SEND,))
    talk.say(CLIENT, send(1))
    talk.event(SERVER, "reset")
    row = talk.say(CLIENT, TICKS)

    assert row.annotation is None
    assert not talk.engine.open
    assert [each.state for each in talk.engine.ended] == ["unknown", "failed"]


def test_problems_are_rows() -> None:
    """Code, field, place and value."""
    wrong = rule(
        "problem:trailing", "name == 'tick'", message="{problem_length} at {problem_offset}"
    )
    talk = Talk((), wrong, rule("problem:any", "problem == 'trailing'", id="T-2"))
    talk.say(CLIENT, parcel(3, b"abc"))

    assert [(each.rule, each.frames, each.message) for each in talk.findings()] == [
        ("T-1", (1,), "3 at 8"), ("T-2", (1,), ""),
    ]  # fmt: skip


# All that is answered


PARCELS_IN_FLIGHT = (
    Lifecycle(name="line", scope="connection", key={"send send_response": "0"},
         steps=(Transition("absent", "send", "open"),)),
    Action(on="send", do="add(line.waiting, correlation_id)"),
    Action(on="send_response", do="take_upto(line.waiting, correlation_id)"),
)  # fmt: skip


def test_all_that_is_answered_is_told_where_it_is_asked_for() -> None:
    """An acknowledgement of several frames; `request_frame` stays the first."""
    for in_full, answers in ((True, (1, 2)), (False, ())):
        talk = Talk(PARCELS_IN_FLIGHT, in_full=in_full)
        for number in (1, 2, 3):
            talk.say(CLIENT, send(number))
        told = talk.say(SERVER, signed(2)).annotation

        assert (told.request_frame, told.answers) == (1, answers)


def test_what_nobody_answers_is_kept_with_its_state() -> None:
    """They are `open` if the captures end, and `unknown` if bytes are missing."""
    for lost, closed, state in (
        (False, True, "unanswered"), (False, False, "open"), (True, True, "unknown"),
    ):  # fmt: skip
        talk = Talk((*PARCELS_IN_FLIGHT, OFFER), in_full=True)
        talk.say(CLIENT, send(1) + send(2))
        talk.say(SERVER, signed(1))
        if lost:
            talk.lose(SERVER)
        else:
            talk.say(SERVER, offer(3))
        if closed:
            talk.close()
        talk.end()
        expected = {2: state} if lost else {2: state, 4: state}
        assert talk.engine.unanswered == expected


def test_rows_are_told_nothing_where_nobody_shows_them() -> None:
    """What is found is the same."""
    found = rule("send_response", "req.address == 'there'", evidence="req.n, n")
    given = []
    for annotates in (True, False):
        talk = Talk((SEND, Context(name="to", value="req.address")), found, annotates=annotates)
        talk.say(CLIENT, send(1, b"there"))
        row = talk.say(SERVER, signed(1))
        assert (row.annotation is not None) is annotates
        given.append(talk.findings())

    assert given[0] == given[1]
    assert given[0][0].frames == (1, 2)


def test_what_two_frames_prove_needs_nothing_before_them() -> None:
    """`since`: no match while bytes between its frames are missing, or were missing before them."""
    moved = Action(on="hello", do="me.hello_n = n; me.limit = limit")
    fell = rule("hello", "limit < me.limit", needs="since", evidence="n, me.hello_n")
    talk = Talk((moved,), fell)
    talk.say(CLIENT, hello(9))
    talk.lose(CLIENT)
    talk.say(CLIENT, hello(5) * 4)
    talk.say(CLIENT, hello(7))
    talk.say(CLIENT, hello(6))
    talk.say(CLIENT, hello(3))

    assert [each.frames for each in talk.findings()] == [(7, 6, 8)]
    whole = Talk((moved,), fell)
    whole.say(CLIENT, hello(9) + hello(5))
    assert [each.frames for each in whole.findings()] == [(2, 1)]


def test_what_lay_after_a_hole_proves_nothing_with_what_comes_later() -> None:
    """`since`: no match if the connection's last frame is not read, since it came late."""
    moved = Action(on="hello", do="me.hello_n = n; me.limit = limit")
    talk = Talk(
        (moved,), rule("hello", "limit < me.limit", needs="since", evidence="n, me.hello_n")
    )
    talk.say(CLIENT, hello(9))
    talk.lose(CLIENT)
    talk.now -= SECOND
    talk.say(CLIENT, hello(8))
    talk.say(CLIENT, hello(7))
    talk.say(CLIENT, hello(6))

    assert [each.frames for each in talk.findings()] == [(4, 3)]


# Between rows


def test_a_tick_fires_timers_that_are_due() -> None:
    """Without a row, and only up to its time."""
    timer = Timer(name="late", of="conn", on="tick", limit="WAIT", mode="first")
    talk = Talk((WAIT, timer), rule("timer:late"), follow=True)
    talk.say(CLIENT, TICKS, wait=1)
    talk.engine.tick(4 * SECOND - 1)
    before = talk.changes()
    talk.engine.tick(4 * SECOND)

    assert (before, talk.changes()) == ([], [("new", 1, 1)])


def test_open_conversations_can_be_asked_for() -> None:
    """As they are by then; asking changes nothing."""
    talk = Talk((PARCELS, TRIES))
    talk.say(CLIENT, send(1))
    talk.say(CLIENT, send(2))
    talk.say(SERVER, signed(1))
    asked = [talk.engine.opened() for _ in range(2)]
    ended = talk.end()

    assert asked[0] == asked[1]
    assert {each.id for each in asked[0]} <= {each.id for each in ended}
    assert [(each.type, each.state, each.frame_count) for each in asked[0]] == [
        ("box", "open", 1),
        ("connection", "open", 3),
    ]
