"""A finding while it grows."""

from tests.conversations.dialogue import CLIENT, SERVER, Talk, rule
from tests.framing.parcel_protocol import TICKS, send

from streamshark.findings.draft import REPEATED
from streamshark.findings.finding import Severity


def test_repetition_makes_it_worse() -> None:
    """Only where the rule says so, and only from `REPEATED` times in short time on."""
    for worsens, count, pause, severity in (
        (True, REPEATED, 0.1, Severity.ERROR),
        (True, REPEATED - 1, 0.1, Severity.WARNING),
        (True, REPEATED, 2, Severity.WARNING),
        (False, REPEATED, 0.1, Severity.WARNING),
    ):
        talk = Talk((), rule("tick", worsens=worsens))
        for _ in range(count):
            talk.say(CLIENT, TICKS, wait=pause)

        assert [each.severity for each in talk.findings()] == [severity.value], (worsens, count)


def test_a_number_of_matches_makes_it_worse() -> None:
    """From `worse_from` on, however long it takes."""
    for count, severity in ((2, Severity.WARNING), (3, Severity.ERROR), (9, Severity.ERROR)):
        talk = Talk((), rule("tick", worse_from=3))
        for _ in range(count):
            talk.say(CLIENT, TICKS, wait=100)

        assert [each.severity for each in talk.findings()] == [severity.value], count


def test_bytes_that_wait_may_explain_it() -> None:
    """Only a finding that needs all bytes, and only while TCP holds some back."""
    for needs, is_holding, may in (
        ("whole", True, True),
        ("whole", False, False),
        ("", True, False),
    ):
        talk = Talk((), rule("send", needs=needs))
        talk.say(SERVER, TICKS)
        talk.say(CLIENT, send(1))
        talk.connections[0].flow.is_holding = is_holding

        assert [each.may_be_explained for each in talk.judge.open()] == [may], (needs, is_holding)
