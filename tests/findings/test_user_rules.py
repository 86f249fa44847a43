"""What users change about the rules."""

import pytest

from streamshark.conversations.tables import Constant, Pair
from streamshark.errors import StreamsharkError
from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule
from streamshark.findings.user_rules import UserRules, read

RULE = Rule(
    id="PARROT-1", severity=Severity.ERROR, group=Group.SEQUENCE, title="Squawk", on="say",
    needs="", message="said {phrase}", cause="", source="Parrot Talk, section 2",
)  # fmt: skip
TABLES = (
    Constant(name="LOUD", value=3, doc="Loud."),
    Constant(name="SOON", value="1 s", doc="Soon."),
    Pair(name="say", request="say", answers="say_response"),
)
OWN = """
[[rule]]
id = "SHOP-1"
protocol = "parrot_talk"
severity = "warning"
title = "Too long"
on = "say"
when = "len(phrase) > 40"
message = "said {phrase}"
"""


def of(text: str) -> UserRules:
    """What a text says of Parrot Talk."""
    return read(text, {"parrot_talk": ["PARROT-1", "PARROT-2"]}, {"parrot_talk": ["LOUD", "SOON"]})


def test_nothing() -> None:
    """An empty text changes nothing, nor does none."""
    for said in (of(""), UserRules()):
        assert said.tables("parrot_talk", TABLES) == TABLES
        assert said.rules_of("parrot_talk", [RULE]) == (RULE,)
        assert said.silenced == {}


def test_thresholds() -> None:
    """Constants of the protocol get other values; everything else stays."""
    said = of('[thresholds.parrot_talk]\nLOUD = 9\nSOON = "5 s"')

    loud, soon, pair = said.tables("parrot_talk", TABLES)
    assert (loud.value, soon.value, loud.doc) == (9, "5 s", "Loud.")
    assert pair is TABLES[2]
    assert said.tables("other", TABLES) == TABLES


def test_severities() -> None:
    """Of the protocols' rules, and of one's own."""
    said = of(OWN + '[severity]\nPARROT-1 = "note"\nSHOP-1 = "error"')

    rules = said.rules_of("parrot_talk", [RULE])
    assert [(rule.id, rule.severity.value) for rule in rules] == [
        ("PARROT-1", "note"),
        ("SHOP-1", "error"),
    ]


def test_rules_of_ones_own() -> None:
    """They follow the protocol's own rules, and name their origin."""
    (rule,) = of(OWN).rules_of("parrot_talk", [])

    assert (rule.on, rule.when, rule.needs) == ("say", "len(phrase) > 40", "")
    assert (rule.group, rule.source) == (Group.PROTOCOL, "a user's rule")
    assert of(OWN).rules_of("other", []) == ()


def test_silence_has_a_reason() -> None:
    """Which is kept."""
    said = of('[silence]\nPARROT-2 = " old birds "')
    assert said.silenced == {"PARROT-2": "old birds"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a =", "invalid TOML: "),
        ("[silnce]", "unknown name 'silnce' (known: rule, severity, silence, thresholds)"),
        ("[thresholds.toucan]\nLOUD = 1", "thresholds: unknown name 'toucan' (known: parrot_talk)"),
        ("[thresholds.parrot_talk]\nLOUDS = 1", "thresholds.parrot_talk: unknown name 'LOUDS'"),
        ("[thresholds]\nparrot_talk = 1", "thresholds.parrot_talk must be a table"),
        ("[thresholds.parrot_talk]\nLOUD = 1.5", "LOUD must be a number, text or list"),
        ("silence = 1", "silence must be a table"),
        ('[silence]\nPARROT-1 = " "', "silence.PARROT-1 must state the reason"),
        ("[silence]\nPARROT-1 = true", "silence.PARROT-1 must state the reason"),
        ('[silence]\nPARROT-9 = "x"', "silence: unknown name 'PARROT-9'"),
        ('[severity]\nPARROT-1 = "fatal"', "severity.PARROT-1: unknown name 'fatal' (known: chat"),
        ("rule = 1", "your own rules must be [[rule]] tables"),
        ("rule = [1]", "rule 1 must be a table"),
        ('[[rule]]\nid = "SHOP-1"', "rule 1 lacks protocol, severity, title, on, message"),
        ("[[rule]]\non = 1", "rule 1: on must be text"),
        ('[[rule]]\nwhens = "x"', "rule 1: unknown name 'whens'"),
        (OWN.replace("SHOP-1", "shop"), "rule shop: the id must be unique"),
        (OWN.replace("SHOP-1", "PARROT-1"), "rule PARROT-1: the id must be unique"),
        (OWN.replace("parrot_talk", "toucan"), "rule SHOP-1: unknown name 'toucan'"),
        (OWN.replace("warning", "bad"), "rule SHOP-1: unknown name 'bad'"),
        (OWN + 'group = "x"', "rule SHOP-1: unknown name 'x'"),
        (OWN + 'needs = "luck"', "rule SHOP-1: needs: unknown name 'luck'"),
    ],
)
def test_what_is_wrong_is_named(text: str, told: str) -> None:
    """In one line, with the place."""
    with pytest.raises(StreamsharkError) as caught:
        of(text)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
