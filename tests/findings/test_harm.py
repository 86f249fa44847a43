"""Notes that are warnings where harm is proved."""

from streamshark.findings.finding import Group, Severity
from streamshark.findings.harm import Harm, with_harm
from streamshark.findings.rule import Rule

NOTE = Rule(
    id="X-1", severity=Severity.NOTE, group=Group.SEQUENCE, title="waits", on="end:conn", needs="",
    when="conn.late > 1", message="it waits", cause="", source="a document", healthy="It rests.",
)  # fmt: skip
HARM = Harm(
    rules={"X-1": "X-1b"}, when="conn.ended == 1", so="it ends", title="until it ends",
    evidence="conn.end_n",
)  # fmt: skip


def test_a_note_and_its_warning_share_no_row() -> None:
    """The warning comes last, names the harm, and has its evidence besides that of the note."""
    note, warning = with_harm([NOTE], [HARM])

    assert (warning.id, warning.severity, warning.healthy) == ("X-1b", Severity.WARNING, "")
    assert (warning.message, warning.title) == ("it waits, so that it ends", "waits, until it ends")
    assert warning.evidence == "n, conn.end_n"
    assert warning.when == "(conn.late > 1) and (conn.ended == 1)"
    assert note.when == "(conn.late > 1) and (1 if conn.ended == 1 else 0) == 0"
    assert (note.id, note.severity, note.message) == ("X-1", Severity.NOTE, "it waits")


def test_other_rules_stay_as_they_are() -> None:
    """A rule that no proof names is left alone."""
    assert list(with_harm([NOTE], ())) == [NOTE]
