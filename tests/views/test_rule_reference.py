"""Rules in words."""

from dataclasses import replace

import pytest
from tests.madeup import parrot_traffic
from tests.views.findings import MUMBLE, SQUAWK

from streamshark.conversations.expressions import Parser
from streamshark.conversations.tables import Burst, Constant, Timer
from streamshark.errors import StreamsharkError
from streamshark.findings.finding import Severity
from streamshark.findings.rule import family
from streamshark.protocols.catalog import catalog
from streamshark.views.rule_reference import (
    PRINCIPLE,
    TCP,
    RuleText,
    explained,
    listed,
    listing,
    merged,
    page,
    words,
)

TABLES = (
    Constant(name="LOUD", value=3, doc="Loud."),
    Constant(name="SOON", value="1 s", doc="Soon."),
    Timer(name="late", of="conn", on="say", limit="SOON"),
    Burst(name="storm", on="say", key="phrase", window="SOON", limit="LOUD"),
)
PROTOCOL = replace(parrot_traffic.PROTOCOL, conversations=TABLES, rules=(SQUAWK, MUMBLE))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "0 < sub.balance <= sub.initial // 2",
            "0 < sub.balance and sub.balance <= (sub.initial / 2)",
        ),
        ("not starts(stream, 'shop.')", "not starts(stream, shop.)"),
        ("code not in (1, 19) and a.b is None", "code is none of 1 or 19 and a.b is not known"),
        ("state in ('live', 'asked', 'x')", "state is one of live, asked or x"),
        (
            "max(1 if x else 2, LOUD) != y + 1 or (z is not None and a)",
            "max(1 if x, else 2, LOUD) is not (y + 1) or (z is known and a)",
        ),
        ("not a == b", "a is not b"),
        ("strange(names, known, ()) is None", "strange(names, known, nothing) is not known"),
    ],
)
def test_conditions(text: str, told: str) -> None:
    """As one reads them."""
    condition = Parser(frozenset()).condition(text)
    assert condition is not None
    assert words(condition) == told


def test_what_a_rule_depends_on() -> None:
    """Constants in its condition, and in the timer or repeat that it waits for."""

    def thresholds(**changes: str) -> list[str]:
        return [each.name for each in RuleText(PROTOCOL, replace(SQUAWK, **changes)).thresholds]

    assert thresholds() == ["LOUD"]
    assert thresholds(on="timer:late", when="") == ["SOON"]
    assert thresholds(on="repeat:storm", when="") == ["SOON", "LOUD"]
    assert RuleText(PROTOCOL, replace(SQUAWK, on="timer:late", when="")).when == (
        "on timer:late (SOON after say)"
    )
    assert RuleText(PROTOCOL, replace(SQUAWK, on="repeat:storm", when="")).when == (
        "on repeat:storm (LOUD times say within SOON)"
    )


def test_all_about_a_rule() -> None:
    """A line for each thing there is to say."""
    assert explained([PROTOCOL], "parrot-1").splitlines() == [
        "PARROT-1  Squawk before login  (error, sequence; Parrot)",
        "  Message:    said {phrase}",
        "  Severity:   error: stops the client, or loses data",
        "  When:       on say, when conn.user is not known and volume > LOUD",
        "  Needs:      the connection's first bytes",
        "  Thresholds: LOUD = 3",
        "  Evidence:   frames n, conn.n",
        "  Guilty:     client",
        "  Cause:      The client does not wait.",
        "  Source:     Parrot Talk, section 2",
    ]
    with pytest.raises(StreamsharkError, match="did you mean PARROT-1"):
        explained([PROTOCOL], "PARROT-11")
    with pytest.raises(StreamsharkError, match="--list-rules lists them"):
        explained([PROTOCOL], "?")


def test_python_is_told() -> None:
    """In the rule, and how many there are on the page."""
    odd = replace(MUMBLE, predicate=lambda _: True)
    python = replace(PROTOCOL, rules=(SQUAWK, odd))

    assert "and a Python function agrees" in explained([python], "PARROT-2")
    assert "1 of them are rows of data, 1 needed Python." in page(python)
    assert "none needed Python" in page(PROTOCOL)
    assert [each["python"] for each in listing([python])] == [False, True]


def test_a_page() -> None:
    """All rules, their thresholds, each with an anchor from the list."""
    text = page(PROTOCOL)

    assert "2 rules in 2 rows (1 error, 1 note)" in text
    assert "| [PARROT-1](#parrot-1) | error | sequence | Squawk before login |" in text
    assert "\n## PARROT-1\n" in text
    assert "| `SOON` | 1 s | Soon. |" in text


def test_rows_of_one_id() -> None:
    """Stand together; formats that name a rule once are given one."""
    other = replace(SQUAWK, severity=Severity.NOTE, title="Other", cause="Why not.")
    protocol = replace(PROTOCOL, rules=(SQUAWK, MUMBLE, other))
    text = page(protocol)

    assert "2 rules in 3 rows (1 error, 2 notes)" in text
    assert text.count("\n## PARROT-1\n") == 1
    assert text.index("**Other**") < text.index("## PARROT-2")
    assert explained([protocol], "PARROT-1").count("PARROT-1") == 2
    both, single = (rule for _, rule in merged(("p", rule) for rule in protocol.rules))
    assert single is MUMBLE
    assert (both.title, both.severity) == ("Squawk before login; Other", Severity.ERROR)
    assert both.cause == "The client does not wait. Why not."


def test_a_list() -> None:
    """One line a rule."""
    assert listed([PROTOCOL])[1].split()[:3] == ["PARROT-1", "error", "sequence"]
    long = replace(
        PROTOCOL, rules=(replace(SQUAWK, title="Squawk before the parrot has logged in"),)
    )
    lines = listed([long], width=55)
    assert max(map(len, lines)) <= 55
    assert " ".join(" ".join(lines[1:]).split()).endswith("before the parrot has logged in")
    assert lines[2].startswith(" " * lines[0].index("what"))


def test_every_rule_can_be_told() -> None:
    """Of every protocol there is."""
    for protocol in catalog():
        for rule in protocol.rules:
            assert explained([protocol], rule.id).startswith(rule.id)


def test_notes_say_when_nobody_errs() -> None:
    """What healthy peers do is no fault, and the page of rules tells so."""
    notes = [rule for each in catalog() for rule in each.rules if rule.severity is Severity.NOTE]

    assert notes
    assert [(rule.id, rule.title) for rule in notes if not rule.healthy] == []


def test_pages_say_severities_by_the_principle() -> None:
    """A note is what healthy peers do too, an error what none does."""
    wrong = []
    for protocol in (*catalog(), TCP):
        told = page(protocol)
        assert PRINCIPLE in told
        for rule in protocol.rules:
            is_healthy = bool(rule.healthy)
            said = f"**{rule.title}** ({rule.severity.value}, {rule.group.value})"
            if (
                said not in told
                or (rule.severity is Severity.NOTE and not is_healthy)
                or (rule.severity is Severity.ERROR and is_healthy)
            ):
                wrong.append((rule.id, rule.title))

    assert wrong == []


def test_variants_have_causes_of_their_own() -> None:
    """They are told apart by a value, and each differs from what stands for the rest."""
    rules = [rule for protocol in (*catalog(), TCP) for rule in protocol.rules]
    wrong = [
        rule.id
        for rule in rules
        if bool(rule.by) != bool(rule.causes)
        or not all(rule.causes.values())
        or rule.cause in rule.causes.values()
    ]

    assert wrong == []
    assert sum(bool(rule.by) for rule in rules) > 40


def test_how_to_mend_what_a_rule_finds() -> None:
    """Most rules that accuse a client say it; no line is of a rule that is gone."""
    severe = (Severity.WARNING, Severity.ERROR)
    accusing, mended, stale = set(), set(), []
    for protocol in catalog():
        ids = {rule.id for rule in protocol.rules}
        families = {family(each) for each in ids}
        stale += [name for name, _ in protocol.fixes if name not in ids | families]
        for rule in protocol.rules:
            if rule.severity in severe and rule.guilty != "server" and not rule.is_general:
                accusing.add(rule.id)
                mended |= {rule.id} if RuleText(protocol, rule).fix else set()

    assert stale == []
    assert len(mended) > len(accusing) * 4 // 5, sorted(accusing - mended)
    assert "  Fix:        Give a credit of 1 to 32,767.\n" in explained(catalog(), "RMQ-C6")
