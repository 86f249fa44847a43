"""Sentences of a connection: holes, brackets, what adds up, what is bounded."""

from dataclasses import replace

import pytest
from tests.conversations.dialogue import CLIENT, SERVER, Talk, rule
from tests.framing.parcel_protocol import TICKS, WIRE, send, signed

from streamshark.conversations.engine import Engine
from streamshark.conversations.engine_state import ProtocolTables
from streamshark.conversations.explain import (
    MOST_LINES,
    MOST_VALUES,
    ExplainedLine,
    Explanation,
    ExplanationBuilder,
    Sentence,
    together,
)
from streamshark.conversations.resolve import ResolvedTables
from streamshark.conversations.tables import Action, Lifecycle, Pair
from streamshark.errors import SchemaError
from streamshark.findings.rule import Rule

PAIR = Pair(name="send", request="send", answers="send_response", keep="address")
BOX = Lifecycle(name="box", scope="connection", key={"send": "correlation_id"}, type="box")
KEEP = Action(on="send", do="box.address = address")


class Telling(Talk):
    """A talk of which a story is told."""

    def __init__(self, *sentences: Sentence | Rule, start: bool = True) -> None:
        super().__init__((), start=start)
        self.explainer = ExplanationBuilder(self.judge)
        tables = ProtocolTables(WIRE, (PAIR, BOX, KEEP), sentences)
        self.engine = Engine([tables], conversations=True, judge=self.explainer)

    def sentences(self) -> Explanation:
        """The story of the only connection, the captures having ended."""
        self.end()
        (sentences,) = self.explainer.explanations()
        return sentences


def told(*lines: str) -> list[str]:
    """What a template tells of three parcels, to home, nowhere and home."""
    talk = Telling(*(Sentence(part="did", on="send", message=each) for each in lines))
    for number, address in ((1, b"home"), (0, b""), (1, b"home")):
        talk.say(CLIENT, send(number, address))
    return [each.text for each in talk.sentences().parts["did"]]


def test_each_time_makes_a_sentence() -> None:
    """With the values of that row, and its frame."""
    talk = Telling(
        Sentence(part="did", on="send", message="to {address}", advice="Go there."),
        Sentence(part="ended", on="send_response", message="{code} after {t - req.t:time}"),
    )
    talk.say(CLIENT, send(1, b"a"))
    talk.say(SERVER, signed(1, 5))
    talk.say(CLIENT, send(2, b"b"))
    sentences = talk.sentences()

    assert sentences.parts["did"] == (
        ExplainedLine("to a", 1, "Go there."),
        ExplainedLine("to b", 3, "Go there."),
    )
    assert sentences.parts["ended"] == (ExplainedLine("5 after 1 s", 2, ""),)
    assert (sentences.flow, sentences.protocols, sentences.conversation) == (
        0,
        ("parcels",),
        "0-1-connection",
    )
    assert (sentences.start, sentences.whole, sentences.both) == (True, True, True)
    assert talk.explainer.explanations() == []


def test_brackets_go_with_what_is_not_known_empty_or_nothing() -> None:
    """Outside of them it is said to be unknown."""
    assert told("a[ to {address}][ of {correlation_id}].") == [
        "a to home of 1.",
        "a.",
        "a to home of 1.",
    ]
    assert told("{req.n}[, {req.n}], {address}|{correlation_id}") == [
        "unknown, home|1", "unknown, |0", "unknown, home|1",
    ]  # fmt: skip


def test_brackets_on_the_wire_mean_nothing() -> None:
    """Only those of the template do."""
    talk = Telling(Sentence(part="did", on="send", message="[to {address}]!"))
    talk.say(CLIENT, send(1, b"][{x}"))
    assert talk.sentences().parts["did"][0].text == "to ][{x}!"


def test_rows_with_one_value_add_up() -> None:
    """Numbers are added, the most and least found, values counted; the rest is of the first."""
    talk = Telling(
        Sentence(
            part="did",
            on="send",
            per="address",
            message="{1:sum count parcel} to {address}, {correlation_id:least} to "
            "{correlation_id:most}: {correlation_id:each}",
        )
    )
    for number, address in ((4, b"a"), (9, b"a"), (5, b"b"), (4, b"a")):
        talk.say(CLIENT, send(number, address))
    one, other = talk.sentences().parts["did"]

    assert one == ExplainedLine("3 parcels to a, 4 to 9: 2 4, 1 9", 1, "", 3)
    assert other == ExplainedLine("1 parcel to b, 5 to 5: 1 5", 3, "")


def test_forms() -> None:
    """Times, sizes, counts with their noun."""
    (line, *_) = told("{t:time}|{correlation_id:size}|{2:count echo echoes}|{1:count echo}")
    assert line == "1 s|1 B|2 echoes|1 echo"


def test_sentences_at_an_object_s_end() -> None:
    """Its slots are all there."""
    talk = Telling(
        Sentence(part="did", on="end:box", evidence="box.n", message="{box.id} to {box.address}")
    )
    talk.say(CLIENT, send(7, b"home"))
    assert talk.sentences().parts["did"] == (ExplainedLine("7 to home", 1, ""),)


def test_many_are_counted() -> None:
    """And so are different values of one sentence."""
    talk = Telling(
        Sentence(part="did", on="tick", message="tick"),
        Sentence(part="ended", on="send", per="1", message="{correlation_id:each}"),
    )
    talk.say(CLIENT, TICKS * (MOST_LINES + 3))
    for number in range(MOST_VALUES + 5):
        talk.say(CLIENT, send(number))
    sentences = talk.sentences()

    assert (len(sentences.parts["did"]), sentences.more) == (MOST_LINES, {"did": 3})
    assert sentences.parts["ended"][0].text.endswith(", 5 more")


def test_rules_are_for_the_judge() -> None:
    """A rule is not part of an explanation."""
    talk = Telling(rule("send", message="to {address}"))
    talk.say(CLIENT, send(1, b"home"))

    assert [each.message for each in talk.findings()] == ["to home"]
    assert talk.explainer.explanations()[0].parts == {}


def test_what_is_not_known_of_a_connection() -> None:
    """Its beginning, lost bytes, the other side."""
    talk = Telling(start=False)
    talk.say(CLIENT, TICKS * 3)
    talk.lose(CLIENT)
    sentences = talk.sentences()

    assert (sentences.start, sentences.whole, sentences.both) == (False, False, False)


def test_what_is_wrong_is_an_error() -> None:
    """A part, a form, a total where nothing adds up."""
    with pytest.raises(SchemaError, match="no part middle"):
        Sentence(part="middle", on="send", message="")
    for table in (
        Sentence(part="did", on="send", message="{t:colour}"),
        Sentence(part="did", on="send", message="{nothing}"),
        rule("send", message="{t:sum}"),
    ):
        with pytest.raises(SchemaError):
            ResolvedTables(WIRE, (PAIR, BOX, KEEP), (table,))


def test_what_stands_inside_is_told_with_what_is_around() -> None:
    """By connection: the outer protocol's sentences first, those of either counted."""
    line = ExplainedLine("a", 1, "")
    outer, other = (
        Explanation(flow, 0, ("outer",), "1-1-connection", start=True, whole=True, both=True,
              parts={"ended": (line,), "did": (line,)}, more={"did": 1})
        for flow in (1, 2)
    )  # fmt: skip
    inner = replace(
        outer, protocols=("inner",), conversation=None, more={"did": 2},
        parts={"who": (line,), "did": (replace(line, text="b"),)},
    )  # fmt: skip
    first, second = together([outer, inner, outer, other])

    assert second is other
    assert (first.protocols, first.conversation) == (("outer", "inner"), "1-1-connection")
    assert list(first.parts) == ["who", "did", "ended"]
    assert [each.text for each in first.parts["did"]] == ["a", "b"]
    assert first.more == {"did": 3}
