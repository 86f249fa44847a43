"""Findings as SARIF 2.1.0, which code hosts show next to the code.

Spec: OASIS, Static Analysis Results Interchange Format 2.1.0. Written as a stream: rules first,
then one result per line, then what could not be read. The location is the capture; frames, packets
and connection are properties, as SARIF has no members for them.
"""

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from streamshark import __version__
from streamshark.findings.baseline import Fingerprints
from streamshark.findings.finding import Finding
from streamshark.findings.rule import Rule
from streamshark.views.escaping import printable
from streamshark.views.findings import JudgedTotals
from streamshark.views.json import encoded
from streamshark.views.json_array import JsonArray
from streamshark.views.rule_reference import merged

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

_LEVELS = {"error": "error", "warning": "warning", "note": "note", "chat": "none"}
FINGERPRINT = "streamsharkFinding/v2"
"""Name of the fingerprint; its number changes with the way it is computed."""


class Sarif:
    """A SARIF log of one run.

    `rules` are those that were checked: protocol id and rule. `silenced` are the reasons for which
    rules are silenced, by rule id: their results are marked as suppressed. `known` are the
    fingerprints of a baseline, None without one: each result then says whether it is new.
    """

    def __init__(
        self,
        rules: Sequence[tuple[str, Rule]],
        files: Sequence[str],
        silenced: Mapping[str, str] | None = None,
        known: frozenset[str] | None = None,
    ) -> None:
        self.rules = merged(rules)
        self.files = files
        self.silenced = silenced or {}
        self.known = known
        self._fingerprints = Fingerprints(files)
        self._index = {rule.id: index for index, (_, rule) in enumerate(self.rules)}
        self._results = JsonArray()

    def head(self) -> str:
        """Return everything before the first result."""
        driver = {
            "name": "Streamshark",
            "version": __version__,
            "semanticVersion": __version__,
            "shortDescription": {"text": "Wireshark for streaming protocols."},
            "rules": [_descriptor(protocol, rule) for protocol, rule in self.rules],
        }
        artifacts = [
            {"location": {"uri": uri_of(name)}, "roles": ["analysisTarget"]} for name in self.files
        ]
        return (
            f'{{"$schema":{encoded(SCHEMA)},"version":"2.1.0","runs":[{{'
            f'"tool":{{"driver":{encoded(driver)}}},"artifacts":{encoded(artifacts)},"results":{JsonArray.START}'
        )

    def finding(self, finding: Finding) -> str:
        """Return a finding, and its echoes as results of their own."""
        out = self._result(finding, "")
        return out + "".join(self._result(each, finding.rule) for each in finding.echoes)

    def tail(self, judged: JudgedTotals) -> str:
        """Return everything after the last result, including what could not be read."""
        notifications = [
            {"level": "warning", "message": {"text": printable(each)}} for each in judged.unread
        ]
        if judged.nothing:
            notifications.append({"level": "error", "message": {"text": printable(judged.nothing)}})
        invocation: dict[str, Any] = {"executionSuccessful": not judged.nothing}
        if notifications:
            invocation["toolExecutionNotifications"] = notifications
        return f'{self._results.end},"invocations":[{encoded(invocation)}]}}]}}\n'

    def _result(self, finding: Finding, echo_of: str) -> str:
        file = self.files[finding.file]
        fingerprint = self._fingerprints.of(finding, echo_of)
        properties = {
            "protocol": finding.protocol,
            "group": finding.group,
            "flow": finding.flow,
            "frames": list(finding.frames),
            "packets": list(finding.packets),
            "conversation": finding.conversation,
            "cause": finding.cause,
            "source": finding.source,
            **({"echoOf": echo_of} if echo_of else {}),
        }
        result: dict[str, Any] = {
            "ruleId": finding.rule,
            "ruleIndex": self._index[finding.rule],
            "kind": "informational" if finding.severity == "chat" else "fail",
            "level": _LEVELS[finding.severity],
            "message": {"text": _message(finding)},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": uri_of(file), "index": finding.file},
                        # A capture has no lines, but code hosts show no result without one.
                        "region": {"startLine": 1},
                    },
                    "logicalLocations": [{"fullyQualifiedName": _logical(finding)}],
                }
            ],
            "occurrenceCount": finding.count,
            "partialFingerprints": {FINGERPRINT: fingerprint},
            "properties": properties,
        }
        if self.known is not None:
            result["baselineState"] = "unchanged" if fingerprint in self.known else "new"
        if finding.rule in self.silenced:
            result["suppressions"] = [
                {"kind": "external", "justification": self.silenced[finding.rule]}
            ]
        return self._results.item(encoded(result))


def uri_of(name: str) -> str:
    """Return a file name as a URI; relative names stay relative, as code hosts expect."""
    path = PurePath(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _message(finding: Finding) -> str:
    """Return the message with its place: code hosts show little else."""
    return f"{_logical(finding)}: {printable(finding.message)}"


def _logical(finding: Finding) -> str:
    """Return the place of a finding: `flow 0, frame 12, packet 40`."""
    parts = [f"flow {finding.flow}"]
    parts += [f"frame {each}" for each in finding.frames[:1]]
    return ", ".join(parts + [f"packet {each}" for each in finding.packets[:1]])


def _descriptor(protocol: str, rule: Rule) -> dict[str, Any]:
    """Return a rule as a reportingDescriptor (section 3.49)."""
    title = rule.title[:1].upper() + rule.title[1:]
    causes = " ".join(rule.all_causes)
    help_text = " ".join(filter(None, (f"{title}.", causes, f"Source: {rule.source}")))
    markdown = "\n\n".join(
        each
        for each in (
            f"**{title}**",
            f"Usual cause: {causes}" if causes else "",
            f"Healthy when: {rule.healthy}" if rule.healthy else "",
            f"Source: {rule.source}",
        )
        if each
    )
    return {
        "id": rule.id,
        "shortDescription": {"text": f"{title}."},
        "fullDescription": {"text": causes or f"{title}."},
        "help": {"text": help_text, "markdown": markdown},
        "defaultConfiguration": {"level": _LEVELS[rule.severity.value]},
        "properties": {"tags": [protocol, rule.group.value]},
    }
