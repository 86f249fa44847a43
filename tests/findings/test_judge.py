"""Findings: one for each rule and object, with a count, evidence and echoes."""

from copy import copy

import pytest
from tests.conversations.dialogue import CLIENT, SECOND, SERVER, Talk, rule
from tests.framing.parcel_protocol import TICKS, parcel, send, signed

from streamshark.conversations.tables import Constant, Lifecycle, Pair, Timer, Transition
from streamshark.findings.finding import MOST_FRAMES, Severity
from streamshark.findings.judge import Judge

PAIR = Pair(name="send", request="send", answers="send_response", keep="address")
BOX = Lifecycle(name="box", scope="connection", type="box", key={"send": "correlation_id"})


def test_one_for_each_rule_and_object() -> None:
    """The message is of the first time; later times are counted."""
    talk = Talk((BOX,), rule("send", "box.id > 0", message="to {address}"))
    for number, address in ((1, b"a"), (2, b"b"), (1, b"c")):
        talk.say(CLIENT, send(number, address))
    one, other = talk.findings()

    assert (one.message, one.count, one.frames, one.packets) == ("to a", 2, (1, 3), (1, 3))
    assert (other.message, other.count, other.frames) == ("to b", 1, (2,))
    assert one.conversation == "0-1-box"


def test_the_cause_is_that_of_the_variant() -> None:
    """Of the first time; what stands for the rest where the value has none."""
    causes = {"by": "address", "causes": {"a": "the first"}, "cause": "another one"}
    talk = Talk((BOX,), rule("send", "box.id > 0", message="to {address}", **causes))
    for number, address in ((1, b"a"), (2, b"b"), (1, b"b")):
        talk.say(CLIENT, send(number, address))

    assert [(each.message, each.cause) for each in talk.findings()] == [
        ("to a", "the first"),
        ("to b", "another one"),
    ]


def test_evidence_is_bounded() -> None:
    """The count is not."""
    talk = Talk((), rule("tick"))
    talk.say(CLIENT, TICKS * 100)
    (found,) = talk.findings()

    assert (found.count, len(found.frames)) == (100, MOST_FRAMES)


def test_packets_of_all_frames_that_prove_it() -> None:
    """The guilty frame's come first, as far as they are remembered."""
    talk = Talk((PAIR,), rule("send_response", "code > 0", evidence="req.n, n"))
    talk.say(CLIENT, send(1))
    talk.say(SERVER, TICKS)
    talk.say(SERVER, signed(1, 1))

    assert [(each.frames, each.packets) for each in talk.findings()] == [((1, 3), (1, 3))]


def test_packets_of_the_event_that_shows_it() -> None:
    """After those of the frames."""
    talk = Talk((), rule("tcp.reset", evidence="C.last_n"))
    talk.say(CLIENT, TICKS)
    talk.packet += 1
    talk.event(SERVER, "reset")

    assert [(each.frames, each.packets) for each in talk.findings()] == [((1,), (1, 2))]


def test_packets_are_those_of_one_file() -> None:
    """The file of the guilty frame, although the connection began in another one."""
    found = []
    for files in ((0, 0, 1), (0, 1, 1), (0, 1, 2)):
        talk = Talk((PAIR,), rule("send_response", "code > 0", evidence="req.n, n"))
        for talk.file, (side, data) in zip(
            files, ((CLIENT, TICKS), (CLIENT, send(1)), (SERVER, signed(1, 1))), strict=True
        ):
            talk.say(side, data)
        found += [(each.file, each.packets) for each in talk.findings()]

    assert found == [(0, (2,)), (1, (2, 3)), (1, (2,))]


@pytest.mark.parametrize(("between", "packets"), [(6, (1, 8)), (7, ())])
def test_packets_of_a_guilty_frame_long_ago(
    monkeypatch: pytest.MonkeyPatch, between: int, packets: tuple[int, ...]
) -> None:
    """Not those of a later frame."""
    monkeypatch.setattr("streamshark.findings.frame_places.REMEMBERED", 8)
    talk = Talk((PAIR,), rule("send_response", "code > 0", evidence="req.n, n"))
    talk.say(CLIENT, send(1))
    for number in range(between):
        talk.say(CLIENT, send(2 + number))
    talk.say(SERVER, signed(1, 1))

    assert [(each.frames[0], each.packets) for each in talk.findings()] == [(1, packets)]


@pytest.mark.parametrize(
    ("times", "pause", "severity"), [(10, 1, "warning"), (9, 1, "note"), (30, 2, "note")]
)
def test_what_is_repeated_is_more_severe(times: int, pause: int, severity: str) -> None:
    """Many times of one value within a short time, on whichever connections; not of several."""
    kept = rule("send", per="address", worsens=True, severity=Severity.NOTE)
    same, others = Talk((), kept), Talk((), kept)
    for number in range(times):
        for talk, address in ((same, b"a"), (others, b"%d" % number)):
            talk.say(CLIENT, send(1, address), number=number % 3)
            talk.now += (pause - 1) * SECOND

    assert [each.severity for each in same.findings()] == [severity]
    assert {each.severity for each in others.findings()} == {"note"}


def test_a_finding_over_connections_is_pending_on_each_of_them() -> None:
    """Not on the one where it began alone."""
    talk = Talk((), rule("send", per="address"))
    for number in range(3):
        talk.say(CLIENT, send(1), number=number)

    assert [talk.judge.pending(flow) for flow in range(4)] == [["T-1"], ["T-1"], ["T-1"], []]


def test_counting_by_a_value() -> None:
    """Over all connections, told at the end."""
    talk = Talk((), rule("send", per="address", message="{address}"))
    for number in range(3):
        talk.say(CLIENT, send(1), number=number)
        talk.close(number)
    assert talk.judge.findings() == []

    assert [(each.message, each.count, each.flow) for each in talk.findings()] == [("home", 3, 0)]


def test_counting_by_a_value_of_one_connection() -> None:
    """What can only be about one connection is handed out when that ends; others are pending."""
    own = rule("send", per="flow, address", message="{address}")
    others = rule("send", per="address", message="all {address}", id="T-9")
    talk = Talk((), own, others)
    talk.say(CLIENT, send(1))
    assert set(talk.judge.pending(0)) == {own.id, "T-9"}
    talk.close(0)

    assert [each.message for each in talk.judge.findings()] == ["home"]
    assert talk.judge.pending(0) == ["T-9"]
    assert [each.message for each in talk.findings()] == ["all home"]


def test_echoes_are_attached() -> None:
    """To the finding whose fault they repeat; without one they stand alone."""
    fault = rule("problem:trailing", id="T-F", severity=Severity.ERROR)
    echo = rule("tcp.reset", id="T-K", echo_of="T-F", evidence="C.last_n")
    any_error = rule("tcp.reset", id="T-L", echo_of="error", evidence="C.last_n")
    talk = Talk((), fault, echo, any_error)
    talk.say(CLIENT, parcel(3, b"x"), number=0)
    talk.event(SERVER, "reset", 0)
    talk.say(CLIENT, TICKS, number=1)
    talk.event(SERVER, "reset", 1)

    found = [(each.rule, each.flow, [e.rule for e in each.echoes]) for each in talk.findings()]
    assert found == [("T-F", 0, ["T-K", "T-L"]), ("T-K", 1, []), ("T-L", 1, [])]


def test_echoes_of_a_finding_are_bounded() -> None:
    """So many are attached; those of further objects stand alone."""
    fault = rule("tick", id="T-F")
    echo = rule("send", "box.id > 0", id="T-K", echo_of="T-F")
    talk = Talk((BOX,), fault, echo)
    talk.say(CLIENT, TICKS)
    for number in range(MOST_FRAMES + 2):
        talk.say(CLIENT, send(1 + number))
    first, *others = talk.findings()

    assert (first.rule, len(first.echoes)) == ("T-F", MOST_FRAMES)
    assert [each.frames for each in others] == [(MOST_FRAMES + 2,), (MOST_FRAMES + 3,)]


def test_what_is_noticed_of_an_object_that_has_ended() -> None:
    """Is handed out once, as is what was noticed before: as it ends, and at a later frame."""
    box = Lifecycle(
        name="box", scope="connection", type="box",
        key={"send": "correlation_id", "send_response": "correlation_id"},
        steps=(Transition("absent", "send", "asked"), Transition("asked", "send_response", "done")),
        final="done", live="asked",
    )  # fmt: skip
    found = {}
    for ends in (True, False):
        talk = Talk(
            (box, PAIR), rule("send", "box.id > 0", id="T-2"),
            rule("end:box", id="T-3", evidence="C.last_n"),
            rule("send_response", "box.state == 'done'", id="T-4"),
        )  # fmt: skip
        talk.say(CLIENT, send(1))
        talk.say(SERVER, signed(1) * 2)
        if ends:
            talk.close()
        found[ends] = [(each.rule, each.count) for each in talk.findings()]

    assert found[True] == found[False] == [("T-2", 1), ("T-3", 1), ("T-4", 1)]


def test_a_cause_on_many_connections_has_one_consequence() -> None:
    """Both are counted; the connection without the cause has a finding of its own."""
    fault = rule("send", id="T-F", per="address")
    echo = rule("tcp.reset", id="T-K", echo_of="T-F", evidence="C.last_n")
    talk = Talk((), fault, echo)
    for number in range(3):
        talk.say(CLIENT, send(1), number=number)
        talk.event(SERVER, "reset", number)
    talk.say(CLIENT, TICKS, number=3)
    talk.event(SERVER, "reset", 3)

    found = [
        (each.rule, each.count, [(e.rule, e.count, e.frames) for e in each.echoes])
        for each in talk.findings()
    ]
    assert found == [("T-F", 3, [("T-K", 3, (1, 2, 3))]), ("T-K", 1, [])]


def test_a_cause_has_one_consequence_for_each_value() -> None:
    """Of a rule that counts by value: it is counted, also after the state was restored."""
    fault = rule("send", id="T-F", per="address")
    echo = rule("send_response", id="T-K", echo_of="T-F", per="req.address")
    talk = Talk((PAIR,), fault, echo)
    for number in range(3):
        talk.say(CLIENT, send(number, b"a"))
        talk.say(SERVER, signed(number))
        for each in talk.judge.open():
            for consequence in each.echoes:
                consequence.rule = copy(consequence.rule)  # as a restored state has it
    (found,) = talk.findings()

    assert [(e.rule, e.count, e.frames) for e in found.echoes] == [("T-K", 3, (2, 4, 6))]


def test_an_error_of_long_ago_has_no_consequences() -> None:
    """But for rules that name it."""
    fault = rule("problem:trailing", id="T-F", severity=Severity.ERROR)
    named = rule("tcp.reset", id="T-K", echo_of="T-F", evidence="C.last_n")
    any_error = rule("tcp.reset", id="T-L", echo_of="error", evidence="C.last_n")
    talk = Talk((), fault, named, any_error)
    talk.say(CLIENT, parcel(3, b"x"))
    talk.now += 61_000_000_000
    talk.event(SERVER, "reset")

    found = [(each.rule, [e.rule for e in each.echoes]) for each in talk.findings()]
    assert found == [("T-F", ["T-K"]), ("T-L", [])]


def test_silenced_rules_are_not_heard() -> None:
    """By their id."""
    talk = Talk((), rule("tick"), rule("tick", id="T-2"))
    talk.judge.silenced = frozenset({"T-1"})
    talk.say(CLIENT, TICKS)

    assert [each.rule for each in talk.findings()] == ["T-2"]


def test_messages_have_values() -> None:
    """Unknown ones say so; times and constants too."""
    text = "{req.address} {t:time} {WAIT:time} {code:name}"
    constant = Constant(name="WAIT", value="3 s", doc="")
    talk = Talk((PAIR, constant), rule("send_response", message=text))
    talk.say(SERVER, signed(1, 2))

    assert [each.message for each in talk.findings()] == ["unknown 1 s 3 s 2"]


def test_findings_come_when_their_connection_ends() -> None:
    """In order of time."""
    late = Timer(name="late", of="conn", on="send", limit="2 s")
    talk = Talk((late,), rule("timer:late", id="T-2", evidence="C.last_n"), rule("tick"))
    talk.say(CLIENT, send(1))
    talk.say(CLIENT, TICKS, wait=5)
    assert talk.judge.findings() == []
    talk.close()

    assert [each.rule for each in talk.judge.findings()] == ["T-2", "T-1"]


def test_a_cause_waits_for_later_matches_of_its_consequences() -> None:
    """Those of an object that connections share: later ones may be of it, after the first ends."""
    shared = Lifecycle(name="shelf", scope="capture", key={"send": "address"})
    fault = rule("send", "correlation_id == 1", id="T-F", severity=Severity.ERROR)
    echo = rule("send", "shelf.last_n > 0", id="T-K", echo_of="T-F")
    talk = Talk((shared,), fault, echo)
    talk.say(CLIENT, send(1), number=0)
    talk.close(0)
    assert talk.judge.findings() == []
    assert "T-F" in {each.rule.id for each in talk.judge.open()}
    talk.say(CLIENT, send(2), number=1)
    (found,) = talk.findings()

    assert [(e.rule, e.count, e.frames) for e in found.echoes] == [("T-K", 2, (1, 2))]


def test_a_judge_counts_what_it_could_not_keep() -> None:
    """Nothing, here."""
    assert Judge().capped == {}
