"""Handlers for rows with and without a prefix say what one handler for all rows says."""

import pytest
from tests.conversations.dialogue import CLIENT, Talk, rule
from tests.framing.parcel_protocol import send

from streamshark.conversations import prefix_cases
from streamshark.conversations.constant_folding import FALSE, NONE, TRUE
from streamshark.conversations.expression_functions import f_called, f_starts
from streamshark.conversations.expressions import ColumnRef, FunctionCall, NamedConstant, Scalar
from streamshark.conversations.prefix_cases import Prefix, PrefixCase, chosen_prefix
from streamshark.conversations.tables import Action, Constant

SUBJECTS = (None, "", "$", "$J", "$JS.", "$JS.API.INFO", "$JS.ACK.a", "orders.$JS.", "_INBOX.1")
SUBJECT = ("subject",)
NAMES = {"JETSTREAM": {"$JS.API.INFO": "info", "$JS.API.*.NEXT": "next"}, "ALL": {">": "any"}}


def test_what_a_case_knows_holds_for_its_rows() -> None:
    """Of each subject, each test of a prefix and each name of a pattern; it knows the usual."""
    known = 0
    for text in ("$JS.", "$"):
        for subject in SUBJECTS:
            case = PrefixCase(Prefix(SUBJECT, text), f_starts(subject, text))
            for other in ("$", "$JS.", "$JS.API.", "orders", "_"):
                for path in (SUBJECT, ("fields", "subject")):
                    call = FunctionCall("starts", (ColumnRef(path), Scalar(other)))
                    found = case.known(call, NAMES)
                    assert found in (None, Scalar(f_starts(subject, other))), (text, subject, other)
                    known += found is not None
            for name, patterns in NAMES.items():
                call = FunctionCall("called", (ColumnRef(SUBJECT), NamedConstant(name)))
                found = case.known(call, NAMES)
                assert found in (None, Scalar(f_called(subject, patterns))), (text, subject, name)
                known += found is not None
    assert known > len(SUBJECTS) * 10

    case = PrefixCase(Prefix(SUBJECT, "$"), holds=False)
    asked = FunctionCall("called", (ColumnRef(SUBJECT), NamedConstant("JETSTREAM")))
    reply = FunctionCall("starts", (ColumnRef(("reply_to",)), Scalar("$JS.")))
    assert (case.known(asked, NAMES), case.known(reply, NAMES)) == (NONE, None)
    assert (
        PrefixCase(Prefix(SUBJECT, "$JS."), holds=True).known(
            FunctionCall("starts", (ColumnRef(SUBJECT), Scalar("_"))), NAMES
        )
        == FALSE
    )
    assert (
        PrefixCase(Prefix(SUBJECT, "$JS."), holds=True).known(
            FunctionCall("starts", (ColumnRef(SUBJECT), Scalar("$"))), NAMES
        )
        == TRUE
    )


def test_the_prefix_that_decides_most_is_chosen() -> None:
    """If it decides enough."""
    counts = {(SUBJECT, "$JS."): 30, (SUBJECT, "$"): 9, (SUBJECT, "_"): 20, (("reply",), "$"): 35}
    assert chosen_prefix(counts) is None
    assert chosen_prefix(counts | {(SUBJECT, "$O."): 5}) == Prefix(SUBJECT, "$")
    assert chosen_prefix({}) is None


def found(*, cases: set[bool]) -> dict[str, int]:
    """Rule id to the number of matches; the cases of which handlers were made are these."""
    tables = (
        Constant(name="NAMES", value={"$a.*": "a"}, doc=""),
        Action(on="send", when="starts(address, '$')", do="conn.odd = coalesce(conn.odd, 0) + 1"),
        Action(on="send", when="not starts(address, '$')", do="conn.even = n"),
    )
    rules = [
        rule("send", "starts(address, '$a.')", id="T-1", message="{address}"),
        rule("send", "called(address, NAMES) is None", id="T-2", message="{address}"),
        rule("send", "conn.odd > 1 and conn.even > 1", id="T-3", message="{conn.odd}"),
    ]
    talk = Talk(tables, *rules)
    for number, address in enumerate((b"home", b"$a.b", b"$c", b"work", b"$a.d", b"there"), 1):
        talk.say(CLIENT, send(number, address))
    (program,) = talk.engine.programs.values()
    handler = next(each for key, each in program.handlers["client"].items() if key != "open")
    assert set(handler.__globals__.get("f_known", ())) == cases
    talk.end()
    return {each.rule: each.count for each in talk.findings()}


def test_findings_are_those_of_one_handler(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row of each case takes its handler, compiled for the first; slots belong to both."""
    one = found(cases=set())
    assert one == {"T-1": 2, "T-2": 4, "T-3": 2}
    monkeypatch.setattr(prefix_cases, "LEAST", 1)
    assert found(cases={True, False}) == one
