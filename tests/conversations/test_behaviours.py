"""Behaviours over parcels: what each of them finds, and what is left alone."""

from collections.abc import Callable, Iterable

import pytest
from tests.conversations.dialogue import CLIENT, SERVER, Talk, rule
from tests.failures import every
from tests.framing.parcel_protocol import TICKS, parcel, send, signed

from streamshark.conversations.behaviours import (
    Alternation,
    Backlog,
    Churn,
    Count,
    Flood,
    Forbidden,
    Leak,
    Mismatch,
    Mixture,
    Ratio,
    Repetition,
    ResumePlace,
    RoundTrips,
    Sequence,
    SharedIdentity,
)
from streamshark.conversations.tables import (
    Action,
    Behaviour,
    Lifecycle,
    Pair,
    Transition,
)
from streamshark.errors import SchemaError

SEND = Pair(name="send", request="send", answers="send_response", keep="address",
            failed="code != 0")  # fmt: skip
BOX = Lifecycle(
    name="box", scope="connection", key={"send send_response": "correlation_id"},
    steps=(
        Transition("absent", "send", "open"),
        Transition("open", "send_response", "done", "code == 0"),
        Transition("open", "send_response", "refused"),
    ),
    final="done refused",
)  # fmt: skip
FILL = Action(on="send", do="box.address = address")


def hello(limit: int) -> bytes:
    """A command of either side."""
    return parcel(2, limit.to_bytes(4, "big"))


def found(
    behaviour: Behaviour,
    *said: tuple[int, bytes, float],
    tables: Iterable[object] = (),
    at: str = "",
) -> list[tuple[str, tuple[int, ...], str]]:
    """What is found of a connection that ends: severity, frames, message."""
    watch = rule(f"{behaviour.kind}:{behaviour.name}", message=at)
    talk = Talk((SEND, BOX, FILL, *tables, behaviour), watch)
    for side, data, wait in said:
        talk.say(side, data, wait=wait)
    talk.close()
    return [(each.severity, each.frames, each.message) for each in talk.findings()]


def asked(
    *codes: int, address: bytes = b"home", wait: float = 0.1
) -> list[tuple[int, bytes, float]]:
    """Requests, each with an answer of a code."""
    made = []
    for number, code in enumerate(codes):
        made += [(CLIENT, send(number, address), wait), (SERVER, signed(number, code), 0.001)]
    return made


REFUSED = Repetition(
    name="refused", on="send_response", when="code != 0", per="client, server, req.address",
    same="code", question="req.n", limit=4, success="send_response", success_when="code == 0",
)  # fmt: skip


def test_a_repetition_names_the_second_question() -> None:
    """Then the last one and its answer, and the first one; one finding, which grows."""
    assert found(REFUSED, *asked(3, 3, 3, 3), at="{refused.times} to {req.address}") == [
        ("warning", (3, 7, 8, 1), "3 to home")
    ]
    assert len(found(REFUSED, *asked(*[3] * 9))) == 1


@every(
    "said",
    [
        asked(3, 3, 3),
        asked(3, 3, 4, 3, 3, 3),
        asked(3, 3, 0, 3, 3),
        asked(3, 3, wait=0.5) + asked(3, 3, wait=3),
        asked(3, 3) + asked(3, 3, address=b"work"),
        [each for wait in (1, 1.1, 1.5, 2.0) for each in asked(3, wait=wait)][:6],
        [each for wait in (0.1, 0.2, 0.3, 0.5, 0.8) for each in asked(3, wait=wait)],
    ],
)
def test_what_is_no_repetition(said: list[tuple[int, bytes, float]]) -> None:
    """Too few; another outcome; success; a pause; another question; a peer that backs off."""
    assert found(REFUSED, *said) == []


def test_success_makes_a_note_of_a_repetition() -> None:
    """What was asked in vain was answered in the end."""
    (one,) = found(REFUSED, *asked(3, 3, 3, 3, 0))
    assert one[0] == "note"
    (other,) = found(REFUSED, *asked(3, 3, 3, 3), *asked(0, address=b"work"))
    assert other[0] == "warning"


def test_a_repetition_over_connections() -> None:
    """Counts for the client; with `flow` first for each connection."""
    counted = {}
    for per in ("client, server, req.address", "flow, req.address"):
        again = Repetition(name="again", on="send_response", when="code != 0", per=per,
                           question="req.n", limit=3)  # fmt: skip
        talk = Talk((SEND, again), rule("repetition:again"))
        for number in range(4):
            talk.say(CLIENT, send(1), wait=0.1, number=number)
            talk.say(SERVER, signed(1, 3), wait=0.1, number=number)
        counted[per] = len(talk.findings())

    assert counted == {"client, server, req.address": 1, "flow, req.address": 0}


def test_churn() -> None:
    """Objects one after the other that end unused; not two at a time, not what is used."""
    churn = Churn(name="boxes", life="box", per="flow", when="box.state == 'refused'", limit=3)
    one_by_one = asked(3, 3, 3)
    at_once = [(CLIENT, send(number), 0.1) for number in range(3)]
    at_once += [(SERVER, signed(number, 3), 0.1) for number in range(3)]

    assert [frames for _, frames, _ in found(churn, *one_by_one)] == [(3, 5, 1)]
    assert found(churn, *at_once) == []
    assert found(churn, *asked(3, 3, 0)) == []


def test_churn_of_connections() -> None:
    """Of one client and server; one of which bytes are missing may have been used more."""
    churn = Churn(name="short", life="conn", per="client, server", when="conn.frames <= 2", limit=3)
    for wait, lossy, count in ((0.1, None, 1), (5, None, 0), (0.1, 1, 0), (0.1, 2, 0)):
        talk = Talk((SEND, churn), rule("churn:short"))
        for number in range(3):
            talk.say(CLIENT, send(1), wait=wait, number=number)
            talk.say(SERVER, signed(1), wait=0.1, number=number)
            if number == lossy:
                talk.lose(CLIENT, number=number)
            talk.close(number)
        assert len(talk.findings()) == count


@pytest.mark.parametrize(
    ("lossy", "both", "count"), [(None, True, 1), (0, True, 0), (1, True, 0), (None, False, 0)]
)
def test_what_is_missing_may_have_been_on_any_connection(
    lossy: int | None, *, both: bool, count: int
) -> None:
    """A rule with the need `all` is silent if something of one connection was not captured."""
    shelf = Lifecycle(name="shelf", scope="capture", key={"send": "address"})
    fill = Action(on="send", do="shelf.sent_n = n")
    unread = rule("end:shelf", "shelf.sent_n is not None", needs="all", evidence="shelf.sent_n")
    talk = Talk((SEND, shelf, fill), unread)
    for number in (0, 1):
        talk.say(CLIENT, hello(1) if number else send(1), number=number)
        if both:
            talk.say(SERVER, TICKS, number=number)
        if number == lossy:
            talk.lose(SERVER, number=number)

    assert len(talk.findings()) == count


def test_leak() -> None:
    """Objects that are open when their connection ends, unless most had ended before."""
    leak = Leak(name="boxes", life="box", limit=3, percent_ended=20)
    opened = [(CLIENT, send(number), 0.1) for number in range(3)]

    kept = found(leak, (SERVER, TICKS, 1), *opened, at="{conn.boxes_left} of {conn.boxes_all}")
    assert kept == [("warning", (4, 2), "3 of 3")]
    assert (
        found(leak, *asked(0, 0), *[(s, send(9 + n), w) for n, (s, _, w) in enumerate(opened)])
        == []
    )
    assert found(leak, (SERVER, TICKS, 1), *opened[:2]) == []


def test_leak_of_connections() -> None:
    """Of one client and server, until the captures end; not of which bytes are missing."""
    idle = Leak(name="idle", life="conn", per="client, server", when="conn.frames == 2", limit=3)
    for lost, count in ((False, 1), (True, 0)):
        talk = Talk((idle,), rule("leak:idle", message="{idle.left} of {idle.all}"))
        for number in range(4):
            talk.say(CLIENT, hello(1), number=number)
            talk.say(SERVER, TICKS, number=number)
            if lost:
                talk.lose(SERVER, number=number)
        talk.say(CLIENT, TICKS, number=0)
        talk.close(1)
        assert [each.message for each in talk.findings()] == ["3 of 4"][:count]


@every(
    ("limits", "expected"),
    [([1] * 4, True), ([1, 1, 1, 9], False), ([1, 1, 1], False), ([1] * 8 + [9, 9], True)],
)
def test_ratio(limits: list[int], *, expected: bool) -> None:
    """At least so many, and at least so many of all."""
    ratio = Ratio(name="small", per="conn", of=Count("hello", "limit == 1"), to=Count("hello"),
                  least=4, percent=80)  # fmt: skip
    said = [(CLIENT, hello(each), 0.1) for each in limits]

    assert bool(found(ratio, *said)) is expected


def test_ratio_over_connections() -> None:
    """Of what an expression names, at the end of the captures."""
    ratio = Ratio(name="small", per="client, server", of=Count("hello", "limit == 1"),
                  to=Count("hello"), least=4, percent=80)  # fmt: skip
    talk = Talk((ratio,), rule("ratio:small", message="{small.count} of {small.among}"))
    for number in range(3):
        talk.say(CLIENT, hello(1), number=number)
        talk.say(SERVER, hello(1), number=number)
        talk.close(number)

    assert [(each.message, each.frames) for each in talk.findings()] == [("6 of 6", (6, 2))]


@every(
    ("expect", "values", "expected"),
    [
        ("rises", (1, 2, 2), [(3, 2)]),
        ("rises", (1, 2, 5), []),
        ("never falls", (2, 2, 1), [(3, 2)]),
        ("never falls", (2, 2, 3), []),
        ("is next", (1, 2, 4), [(3, 2)]),
        ("is next", (1, 2, 3), []),
        ("leaves no gap", (1, 2, 4), [(3, 2)]),
        ("leaves no gap", (4, 5, 1), []),
        ("differs", (1, 2, 2), [(3, 2)]),
        ("is new", (1, 2, 1), [(3, 2)]),
        ("is new", (3, 1, 2), []),
    ],
)
def test_sequence(expect: str, values: tuple[int, ...], expected: list[tuple[int, ...]]) -> None:
    """The first value that is not as expected, and the one before."""
    sequence = Sequence(name="limits", on="hello", per="me", value="limit", expect=expect)
    said = [(CLIENT, hello(each), 0.1) for each in values]

    assert [frames for _, frames, _ in found(sequence, *said)] == expected


def test_a_sequence_may_break_a_few_times() -> None:
    """From the limit on."""
    sequence = Sequence(name="limits", on="hello", per="me", value="limit", expect="rises", limit=3)
    for count, expected in ((3, []), (4, [(4, 3)])):
        said = [(CLIENT, hello(1), 0.1)] * count
        assert [frames for _, frames, _ in found(sequence, *said)] == expected


def test_a_gap_says_nothing_after_lost_bytes() -> None:
    """The missing values may be in them; falling values cannot."""
    for expect, values, count in (("leaves no gap", (1, 5), 0), ("never falls", (5, 1), 1)):
        talk = Talk(
            (Sequence(name="limits", on="hello", per="me", value="limit", expect=expect),),
            rule("sequence:limits"),
        )
        talk.say(SERVER, TICKS)
        talk.say(CLIENT, hello(values[0]))
        talk.lose(CLIENT)
        talk.say(CLIENT, hello(values[1]) * 2)
        assert len(talk.findings()) == count


def test_backlog() -> None:
    """So many questions at once without an answer; not one after the other."""
    backlog = Backlog(name="open", ask="send", answer="send_response", per="conn", limit=3)
    opened = [(CLIENT, send(number), 0.1) for number in range(3)]

    assert [f for _, f, _ in found(backlog, (SERVER, TICKS, 1), *opened)] == [(4, 2)]
    assert found(backlog, *asked(0, 0, 0, 0)) == []


def test_round_trips() -> None:
    """Each question right after the answer; not with a pause, not two at once."""
    trips = RoundTrips(name="lookups", ask="send", answer="send_response", per="conn", limit=3)
    at_once = [(CLIENT, send(number), 0.001) for number in range(3)]

    assert [f for _, f, _ in found(trips, *asked(0, 0, 0, wait=0.001))] == [(3, 5, 1)]
    assert found(trips, *asked(0, 0, 0, wait=1)) == []
    assert found(trips, (SERVER, TICKS, 0.001), *at_once) == []


def test_round_trips_with_different_questions() -> None:
    """The same question again is a poll and no list to ask for."""
    trips = RoundTrips(name="lookups", ask="send", answer="send_response", per="conn", limit=3,
                       distinct="address")  # fmt: skip
    different = [each for name in (b"a", b"b", b"c") for each in asked(0, address=name, wait=0.001)]

    assert len(found(trips, *different)) == 1
    assert found(trips, *asked(0, 0, 0, wait=0.001)) == []


def test_flood() -> None:
    """Much faster than agreed, several times in a row."""
    flood = Flood(name="ticks", on="tick", per="me", every="1 s", percent=10, limit=3)

    assert [f for _, f, _ in found(flood, *[(CLIENT, TICKS, 0.05)] * 3)] == [(2, 3, 1)]
    assert found(flood, *[(CLIENT, TICKS, 0.2)] * 3) == []
    assert found(flood, *[(CLIENT, TICKS, 0.05), (CLIENT, TICKS, 1)] * 2) == []


def test_forbidden() -> None:
    """In this state from this side; some time after a frame that it may have crossed."""
    ending = Action(on="server:hello", do="conn.ended = t")
    crossed = Forbidden(name="late", on="client:tick", when="conn.ended is not None",
                        since="conn.ended", race="50 ms", limit=2)  # fmt: skip
    start, stop = (CLIENT, TICKS, 1.0), (SERVER, hello(1), 0.1)
    late, soon = (CLIENT, TICKS, 0.06), (CLIENT, TICKS, 0.01)
    for said, count in (([late, late], 1), ([late], 0), ([soon, soon], 0), ([soon, late, late], 1)):
        assert len(found(crossed, start, stop, *said, tables=[ending])) == count
    at_once = Forbidden(name="late", on="client:tick", when="conn.ended is not None")
    assert [f for _, f, _ in found(at_once, start, stop, soon, tables=[ending])] == [(3,)]


def talk_of(behaviour: Behaviour, *tables: object) -> Talk:
    """Parcels with one behaviour, which a rule finds."""
    watch = rule(f"{behaviour.kind}:{behaviour.name}")
    return Talk((SEND, BOX, FILL, *tables, behaviour), watch)


def test_shared_identity() -> None:
    """Two live owners of a name, both used; not an owner that comes back."""
    shared = SharedIdentity(name="names", life="conn", on="hello", key="server, limit",
                            end_key="server, conn.limit",
                            used="conn.tick_n")  # fmt: skip
    tables = (
        Action(on="hello", do="conn.limit = limit"),
        Action(on="client:tick", do="conn.tick_n = n"),
    )
    for used, name, count in (((0, 1), 7, 1), ((1, 1), 7, 0), ((0, 1), 8, 0)):
        talk = talk_of(shared, *tables)
        talk.say(CLIENT, hello(7) + TICKS, number=0)
        talk.say(SERVER, TICKS, number=0)
        talk.say(CLIENT, hello(name), number=1)
        talk.say(SERVER, TICKS, number=1)
        for number in used:
            talk.say(CLIENT, TICKS, number=number)
        talk.close(0)
        talk.close(1)
        assert len(talk.findings()) == count, (used, name)


def test_an_owner_that_has_ended_shares_nothing() -> None:
    """A client that connects again takes its name over."""
    shared = SharedIdentity(name="names", life="conn", on="hello", key="server, limit",
                            end_key="server, conn.limit",
                            used="conn.last_n")  # fmt: skip
    talk = talk_of(shared, Action(on="hello", do="conn.limit = limit"))
    for number in range(3):
        talk.say(CLIENT, hello(7), number=number)
        talk.say(SERVER, TICKS, number=number)
        talk.close(number)
    assert talk.findings() == []


def test_alternation() -> None:
    """Two connections that use one name in turn; not one that takes it over for good."""
    turns = Alternation(name="names", on="hello", per="server, limit")
    for users, expected in (((0, 1, 0), [(3, 5, 1)]), ((0, 0, 1, 1, 2), [])):
        talk = talk_of(turns)
        for number in users:
            talk.say(CLIENT, hello(7), number=number)
            talk.say(SERVER, TICKS, number=number)
        assert [each.frames for each in talk.findings()] == expected, users


def test_mixture() -> None:
    """Another value than that of the first user, or one user with two; not where both mix."""
    for alone, said, expected in (
        (False, ((0, 7), (1, 8), (1, 8)), [(5, 1)]),
        (False, ((0, 7), (1, 8)), []),
        (False, ((0, 7), (1, 7), (1, 7)), []),
        (False, ((0, 7), (0, 8), (1, 8), (1, 8)), []),
        (True, ((0, 7), (0, 8), (0, 8)), [(5, 1)]),
        (True, ((0, 7), (0, 8), (0, 7)), []),
        (True, ((0, 7), (1, 8), (1, 8)), []),
    ):
        mixture = Mixture(name="units", on="hello", per="server", value="limit", alone=alone)
        talk = talk_of(mixture)
        for number, limit in said:
            talk.say(CLIENT, hello(limit), number=number)
            talk.say(SERVER, TICKS, number=number)
        assert [each.frames for each in talk.findings()] == expected, (alone, said)


def test_mismatch() -> None:
    """A value that the other side never has; unknown where bytes of the others are missing."""
    mismatch = Mismatch(name="places", life="box", key="'all'", value="box.address",
                        others=Count("server:hello", "", "'home'"), others_key="'all'",
                        least=2)  # fmt: skip
    for place, told, count in ((b"work", 2, 1), (b"home", 2, 0), (b"work", 1, 0)):
        talk = talk_of(mismatch)
        talk.say(CLIENT, TICKS, number=1)
        for _ in range(told):
            talk.say(SERVER, hello(1), number=1)
        talk.say(CLIENT, send(1, place))
        talk.say(SERVER, signed(1))
        assert len(talk.findings()) == count, (place, told)
    talk = talk_of(mismatch)
    talk.say(CLIENT, TICKS, number=1)
    talk.say(SERVER, hello(1), number=1)
    talk.lose(SERVER, number=1)
    talk.say(SERVER, hello(1) * 2, number=1)
    talk.say(CLIENT, send(1, b"work"))
    talk.say(SERVER, signed(1))
    assert talk.findings() == []


def test_resumption() -> None:
    """Where the next one begins, beside where the one before began and came to."""
    place = ResumePlace(name="place", life="conn", key="client, server", on="client:hello",
                       begin_key="client, server", begins="limit",
                       began="conn.began", reached="conn.reached",
                       lost="why == 'reset'", stores=Count("server:hello", "", "limit"),
                       stores_key="client, server")  # fmt: skip
    tables = (
        Action(
            on="client:hello", do="conn.began = coalesce(conn.began, limit); conn.reached = limit"
        ),
    )
    watch = rule("resumption:place", "limit <= place.began",
                 message="{limit} {place.began} {place.reached} {place.stored} "
                 "{place.lost}")  # fmt: skip
    talk = Talk((*tables, place), watch)
    for number, (first, last) in enumerate(((5, 9), (5, 12), (13, 20))):
        talk.say(SERVER, TICKS, number=number)
        talk.say(CLIENT, hello(first), number=number)
        talk.say(SERVER, hello(3), number=number)
        talk.say(CLIENT, hello(last), number=number)
        talk.event(CLIENT, "reset", number)

    assert [each.message for each in talk.findings()] == ["5 5 9 3 1"]


def test_behaviours_say_what_they_are() -> None:
    """In words, for the description of a rule."""
    assert REFUSED.words == "4 times in a row send_response, at most 2 s apart"
    assert REFUSED.rows == "send_response"


def unknown_expectation() -> None:
    """A sequence of which something unknown is expected."""
    found(Sequence(name="limits", on="hello", per="me", value="limit", expect="grows"))


def two_triggers() -> None:
    """A rule on a behaviour and a row."""
    Talk((SEND, REFUSED), rule("repetition:refused send"))
    talk = Talk((SEND, REFUSED), rule("repetition:refused send"))
    talk.say(CLIENT, send(1))


@every("wrong", [unknown_expectation, two_triggers])
def test_wrong_tables(wrong: Callable[[], None]) -> None:
    """Are errors before any traffic is read."""
    with pytest.raises(SchemaError):
        wrong()
