"""Findings as text and JSON."""

import json
from dataclasses import replace

from tests.views.findings import EVENT, FAULT, FINDING, NOTE, RULES

from streamshark.findings.finding import Finding
from streamshark.findings.news import Change, News
from streamshark.views.colour import Palette
from streamshark.views.findings import (
    MOST_SHOWN,
    FindingJson,
    FindingNews,
    FindingText,
    JudgedTotals,
)

JUDGED = JudgedTotals(frames=20, connections=4, protocols=("parrot_talk",), rules=2)


def title(finding: Finding) -> str:
    """The title of a finding's rule."""
    return {rule.id: rule.title for _, rule in RULES}.get(finding.rule, "")


def text(*findings: object, width: int = 0, colour: bool = False, files: tuple[str, ...] = ("a",),
         judged: JudgedTotals = JUDGED) -> str:  # fmt: skip
    """The page about findings."""
    page = FindingText(
        title, Palette(enabled=colour),
        ends=lambda flow: f"client{flow} -> server", files=files, width=width,
    )  # fmt: skip
    assert page.head() == ""
    assert {page.finding(each) for each in findings} <= {""}  # type: ignore[arg-type]
    return page.tail(judged)


def test_a_page() -> None:
    """The worst first; frame and packet first; what all share once; echoes under their fault."""
    assert text(NOTE, EVENT, FAULT) == (
        "[E] error PARROT-1  Squawk before login  (sequence)\n"
        "  frame 12 p40, flow 3 client3 -> server\n"
        "      said \\x1b[31mhello <&> [2 times; see frames 9, 10]\n"
        "        consequence: [N] PARROT-2 frame 13 p42: hardly heard\n"
        "    cause: The client does not wait.\n"
        "    source: Parrot Talk, section 2\n"
        "\n"
        "[N] note PARROT-2  Mumbling  (protocol)\n"
        "  frame 13 p42, flow 3 client3 -> server\n"
        "      hardly heard\n"
        "  p50, flow 3 client3 -> server\n"
        "      hardly heard\n"
        "    source: Parrot Talk, section 3\n"
        "\n"
        "1 error, 2 notes, 1 consequence in 20 frames of 4 connections (2 rules checked)\n"
    )


def test_nothing_found() -> None:
    """It says how much was judged; nothing where nothing was."""
    assert text() == "no findings in 20 frames of 4 connections (2 rules checked)\n"
    assert text(judged=JudgedTotals(nothing="a.pcap: no TCP payload")) == (
        "nothing decoded: a.pcap: no TCP payload\n"
    )
    silenced = replace(JUDGED, silenced=3)
    assert text(judged=silenced).endswith("(2 rules checked); 3 silenced\n")


def test_connections_that_were_not_captured_completely() -> None:
    """The last line says what is missing, and of how many."""
    for incomplete, line in (
        ({"bytes were lost": 1}, "1 connection is incomplete (bytes were lost: 1): "),
        ({"late": 2, "cut": 1}, "3 connections are incomplete (late: 2, cut: 1): "),
    ):
        assert text(judged=replace(JUDGED, incomplete=incomplete)).splitlines()[1:] == [
            f"{line}rules that need what is missing did not apply"
        ], incomplete


def test_many_of_one_rule() -> None:
    """Some are shown, the others counted: the page has an end."""
    page = text(*(replace(NOTE, frames=(number,)) for number in range(1, 1001)))

    assert page.count("hardly heard") == MOST_SHOWN
    assert f"... and {1000 - MOST_SHOWN} more (all with -T ndjson)" in page
    assert "1,000 notes in" in page


def test_evidence_is_cut() -> None:
    """The first frames, and how many more."""
    page = text(replace(NOTE, frames=tuple(range(1, 20))))
    assert "[see frames 2, 3, 4, 5, 6, 7, 8, 9 and 10 more]" in page


def test_colours_files_and_narrow_terminals() -> None:
    """Severity by colour, the file where there are several, lines as wide as the terminal."""
    assert text(FAULT, colour=True).startswith("\x1b[1;31m[E] error PARROT-1\x1b[0m")
    assert "client3 -> server, in b\n" in text(replace(FINDING, file=1), files=("a", "b"))
    long = replace(FINDING, message="word " * 60)
    page = text(long, width=60)
    assert max(map(len, page.splitlines()[2:-3])) <= 60
    assert page.count("word") == 60


def test_changes_as_text() -> None:
    """A new finding whole; then only what became of it; at the end how many were settled."""
    page = FindingNews(
        title,
        Palette(enabled=False),
        ends=lambda flow: f"client{flow} -> server",
    )
    grown = replace(NOTE, count=5)
    told = [
        page.news(News(change, number, finding))
        for change, number, finding in (
            (Change.NEW, 1, NOTE), (Change.NEW, 2, FAULT), (Change.NEW, 3, EVENT),
            (Change.GROWN, 1, grown), (Change.WITHDRAWN, 2, FAULT),
            (Change.SETTLED, 3, EVENT), (Change.SETTLED, 1, grown),
        )
    ]  # fmt: skip

    assert told[0] == (
        "#1 [N] note PARROT-2  Mumbling  (protocol)\n"
        "  frame 13 p42, flow 3 client3 -> server\n"
        "      hardly heard\n"
        "    source: Parrot Talk, section 3\n"
        "\n"
    )
    assert told[1].startswith("#2 [E] error PARROT-1")
    assert told[3:6] == [
        "", "#2 withdrawn: lost bytes may explain it (PARROT-1, frame 12 p40)\n\n", "",
    ]  # fmt: skip
    assert told[6].startswith("#1 settled: [N] note PARROT-2")
    assert "[5 times]" in told[6]
    assert page.tail(JUDGED) == "2 notes in 20 frames of 4 connections (2 rules checked)\n"


def test_changes_as_json() -> None:
    """An object that begins with the change and the finding's number."""
    text = FindingJson(["a"]).news(News(Change.WITHDRAWN, 7, FINDING))

    assert text.startswith('{"change":"withdrawn","number":7,"rule":')
    assert json.loads(text).keys() - json.loads(FindingJson(["a"]).finding(FINDING)).keys() == {
        "change", "number",
    }  # fmt: skip


def test_json() -> None:
    """An object a line, or one array; the design's members in order, then count and echoes."""
    lines, array = FindingJson(["x\x1b.pcap"]), FindingJson(["x\x1b.pcap"], array=True)

    line = lines.head() + lines.finding(FAULT) + lines.tail(JUDGED)
    whole = array.head() + array.finding(FAULT) + array.finding(NOTE) + array.tail(JUDGED)

    found = json.loads(line)
    assert list(found) == [
        "rule", "severity", "group", "protocol", "file", "flow", "frames", "packets",
        "conversation", "message", "cause", "source", "count", "echoes",
    ]  # fmt: skip
    assert found["frames"] == [12, 9, 10]
    assert [each["rule"] for each in found["echoes"]] == ["PARROT-2"]
    assert "\x1b" not in line
    assert json.loads(whole)[0] == found
    assert len(json.loads(whole)) == 2
    assert json.loads(array.head() + FindingJson([], array=True).tail(JUDGED)) == []


def test_echoes_in_other_files() -> None:
    """Each names the file that it was found in."""
    found = replace(FAULT, file=1, echoes=(replace(NOTE, file=0),))
    told = json.loads(FindingJson(("a", "b")).finding(found))
    assert (told["file"], told["echoes"][0]["file"]) == ("b", "a")
