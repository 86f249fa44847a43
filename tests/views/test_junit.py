"""Findings as JUnit XML."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import junitparser
from tests.views.findings import FAULT, NOTE, RULES

from streamshark.findings.finding import Finding, Severity
from streamshark.views.findings import JudgedTotals
from streamshark.views.junit import MOST_SHOWN, Junit

SEEN = JudgedTotals(protocols=("parrot_talk",))


def document(
    *findings: Finding,
    fails: Severity = Severity.WARNING,
    silenced: dict[str, str] | None = None,
    judged: JudgedTotals = SEEN,
) -> ET.Element:
    """The document, parsed."""
    junit = Junit(RULES, ["a\x00<.pcap"], fails=fails, silenced=silenced)
    assert junit.head() == ""
    assert {junit.finding(each) for each in findings} <= {""}
    return ET.fromstring(junit.tail(judged))  # noqa: S314 - our own


def test_a_test_for_each_rule() -> None:
    """It fails where the rule was broken; less severe findings are what it printed."""
    root = document(FAULT, NOTE)
    (suite,) = root
    first, second = suite.findall("testcase")

    assert (root.attrib["tests"], root.attrib["failures"]) == ("2", "1")
    assert (suite.attrib["name"], suite.attrib["skipped"]) == ("streamshark.parrot_talk", "0")
    assert suite.find("properties/property").attrib["value"] == "a\\x00<.pcap"
    assert first.attrib["name"] == "PARROT-1 Squawk before login"
    failure = first.find("failure")
    assert (failure.attrib["type"], failure.attrib["message"]) == (
        "error",
        "said \\x1b[31mhello <&>",
    )
    assert failure.text.splitlines() == [
        "error: a\\x00<.pcap: flow 3 frame 12 p40: said \\x1b[31mhello <&> (2 times)",
        "  consequence: note: a\\x00<.pcap: flow 3 frame 13 p42: hardly heard",
        "cause: The client does not wait.",
        "source: Parrot Talk, section 2",
    ]
    assert second.find("failure") is None
    assert second.find("system-out").text.startswith("note: ")


def test_what_fails() -> None:
    """As the user says."""
    assert document(NOTE, fails=Severity.NOTE).attrib["failures"] == "1"
    assert document(FAULT, fails=Severity.ERROR).attrib["failures"] == "1"
    assert (
        document(replace(FAULT, severity="warning"), fails=Severity.ERROR).attrib["failures"] == "0"
    )


def test_silenced_rules_are_skipped() -> None:
    """With the reason."""
    root = document(FAULT, silenced={"PARROT-1": 'we "like" <it>'})

    assert (root.attrib["failures"], root.attrib["skipped"]) == ("0", "1")
    assert root.find("testsuite/testcase/skipped").attrib["message"] == 'we "like" <it>'


def test_protocols_that_were_not_there() -> None:
    """Have no tests."""
    assert list(document(judged=JudgedTotals())) == []


def test_the_text_has_an_end() -> None:
    """However often a rule was broken."""
    failure = document(*[FAULT] * 500).find("testsuite/testcase/failure")
    assert len(failure.text.splitlines()) <= 2 * MOST_SHOWN + 2


def test_a_reader_of_junit_takes_it() -> None:
    """The counts are those that it finds, and each case says what became of it."""
    junit = Junit(RULES, ["a.pcap"], silenced={"PARROT-2": "they do"})
    for each in (FAULT, NOTE):
        junit.finding(each)
    read = junitparser.JUnitXml.fromstring(junit.tail(SEEN).encode())
    cases = [case for suite in read for case in suite]
    results = {
        case.name.split()[0]: [type(each).__name__ for each in case.result] for case in cases
    }

    assert (read.tests, read.failures, read.errors, read.skipped) == (2, 1, 0, 1)
    assert results == {"PARROT-1": ["Failure"], "PARROT-2": ["Skipped"]}
