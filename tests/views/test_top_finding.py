"""The finding that explains most, as a sentence."""

from dataclasses import replace

from tests.views.findings import EVENT, FAULT, FINDING, NOTE

from streamshark.views.findings import JudgedTotals
from streamshark.views.top_finding import TopFinding, sentence, ticket

JUDGED = JudgedTotals(frames=20, connections=4)


def line(*findings: object, judged: JudgedTotals = JUDGED) -> str:
    """Return the line about findings."""
    report = TopFinding({FINDING.protocol: "Parrot Talk"}, ["a b.pcap"])
    assert report.head() == ""
    assert {report.finding(each) for each in findings} <= {""}  # type: ignore[arg-type]
    return report.tail(judged)


def test_the_worst_is_the_title() -> None:
    """With its rule, its place and the number of what it explains; escaped, on one line."""
    expected = (
        "Parrot Talk: said \\x1b[31mhello <&>, 2 times "
        "(error PARROT-1, frame 12 p40; explains 1 other finding)\n"
        "streamshark ticket 'a b.pcap' --finding PARROT-1@12 -o ticket\n"
    )
    assert line(NOTE, EVENT, FAULT) == line(FAULT, NOTE) == expected
    first, _, command = line(NOTE).partition("\n")
    assert first == "Parrot Talk: hardly heard (note PARROT-2, frame 13 p42)"
    assert command == "streamshark ticket 'a b.pcap' --finding PARROT-2@13 -o ticket\n"
    assert ticket(NOTE, ["standard input"]).startswith("streamshark ticket FILE --finding ")


def test_a_worse_consequence_is_said() -> None:
    """A warning that explains an error counts as one."""
    worse = replace(NOTE, severity="warning", echoes=(replace(NOTE, severity="error"),))
    assert "(warning, up to error PARROT-2" in sentence(worse, "Parrot Talk")
    assert sentence(replace(NOTE, protocol="owl"), "").startswith("owl: ")


def test_nothing_found() -> None:
    """In how much; or why nothing was decoded."""
    assert line() == "no findings in 20 frames of 4 connections\n"
    nothing = JudgedTotals(nothing="a.pcap: no TCP payload")
    assert line(judged=nothing) == "nothing decoded: a.pcap: no TCP payload\n"
    assert line(judged=JudgedTotals()) == "nothing decoded\n"
