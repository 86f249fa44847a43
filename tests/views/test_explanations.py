"""Explanations of all connections together: summary, order, folding, limits."""

from collections.abc import Sequence

from tests.views.findings import finding

from streamshark.conversations.explain import ExplainedLine, Explanation
from streamshark.findings.finding import Finding, Severity
from streamshark.views import explanations
from streamshark.views.colour import Palette
from streamshark.views.explain import ConnectionFacts, Explainer
from streamshark.views.explanations import SUMMARY_LINES, ConnectionPage, Explanations


def connection(
    flow: int,
    *found: Finding,
    said: str = "It sent 3 messages.",
    server: str = "b:2",
    failed: int = 0,
    pending: Sequence[str] = (),
) -> ConnectionPage:
    """Return a connection of which one sentence is said."""
    facts = ConnectionFacts(flow, (f"a:{5000 + flow}", server), last_ns=flow + 5)
    facts.calls.update({"done": 2, "failed": failed})
    facts.opened = True
    facts.ends = [("close", "client", 9)]
    parts = {"did": (ExplainedLine(said, 10 + flow, ""),)}
    name = f"{flow}-1-connection"
    explanation = Explanation(flow, 0, ("parcels",), name, True, True, True, parts)  # noqa: FBT003
    return ConnectionPage(explanation, facts, {}, 1000 + flow, [*found], tuple(pending))


def text(*pages: ConnectionPage, width: int = 0, late: Sequence[Finding] = ()) -> str:
    """Return the text of connections, in the order in which they ended."""
    explainer = Explainer(Palette(enabled=False), width=width, judged=["parcels"])
    made = Explanations(explainer, {"T-8": Severity.NOTE, "T-9": Severity.ERROR})
    for each in pages:
        made.add(each)
    for found in late:
        made.add_finding(found)
    return "".join(made.texts([]))


def heads(shown: str) -> list[str]:
    """Return the first two words of each page."""
    return [" ".join(each.split()[:2]).strip() for each in shown.split("\n\n")]


def test_pages_are_in_order_of_connection() -> None:
    """Although the first one ended last; a finding that comes late is on its page."""
    late = [finding(flow=1, message="too late"), finding(flow=7, rule="T-3", message="alone")]
    shown = text(connection(4, said="x"), connection(1, said="y"), late=late)

    assert heads(shown) == ["Summary 2", "Connection 1", "Connection 4", "Over all"]
    assert "too late" in shown.split("\n\n")[1]
    assert "[W] T-3 at frame 1, packet 1: alone." in shown.split("\n\n")[3]


def test_equal_healthy_connections_have_one_page() -> None:
    """Numbers may differ, and nouns follow them; notes are healthy, and nothing else."""
    note = finding(severity="note")
    shown = text(
        connection(0),
        connection(1, said="It sent 1 message."),
        connection(3, said="It sent 12,000 messages."),
        connection(4, said="It sent 3 frames."),
        connection(5, server="c:2"),
        connection(6, failed=1),
        connection(7, finding(flow=7)),
        connection(8, note),
        connection(9, note),
        connection(10, pending=["T-8"]),
        connection(11, pending=["T-8"]),
        connection(12, pending=["T-9"]),
        connection(13, pending=["T-9"]),
    )

    assert [each.split()[1] for each in heads(shown)[1:]] == [
        "0", "4", "5", "6", "7", "8", "10", "12", "13",
    ]  # fmt: skip
    assert "  2 more like connection 0: 1, 3.\n" in shown
    assert "  1 more like connection 8: 9.\n" in shown
    assert "  1 more like connection 10: 11.\n" in shown
    assert "4 healthy connections share the page of a similar one." in shown


def test_a_summary_has_few_lines() -> None:
    """Totals, then the worst findings; lines end at the width."""
    found = [finding(rule=f"T-{n}", flow=n, message="very bad " * 40) for n in range(20)]
    found.append(finding(rule="T-99", severity="error", message="the worst"))
    pages = [connection(n, found[n], server=f"10.0.0.{n}:5552") for n in range(21)]
    for width in (0, 80):
        lines = text(*pages, width=width).split("\n\n")[0].splitlines()

        assert len(lines) == SUMMARY_LINES
        assert max(map(len, lines)) <= (width or 1000)
    assert lines[1:3] == [
        "  21 connections, 0 frames in 25 ns: parcels, to 10.0.0.0:5552, 10.0.0.1:5552,",
        "    10.0.0.2:5552 and 18 more.",
    ]
    assert "  Findings: 1 error, 20 warnings." in lines
    assert "    [E] T-99 at frame 1 p1, connection 0: the worst" in lines


def test_pages_are_limited() -> None:
    """Further connections are counted, those like another one not among them."""
    limit = explanations.MOST_PAGES
    pages = [connection(n, finding(flow=n)) for n in range(limit + 2)]
    shown = text(*pages)

    assert shown.count("\nConnection ") == limit
    assert "\n... and 2 more connections; --flow N explains connection N.\n" in shown


def test_nothing_to_explain() -> None:
    """Is no text."""
    assert not text()
