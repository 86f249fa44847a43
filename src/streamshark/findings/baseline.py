"""Baselines: findings of an earlier run that are known, and fail no later one.

A finding is recognised by its fingerprint, which is equal in another recording of the same
scenario.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Any

from streamshark.errors import StreamsharkError
from streamshark.findings.finding import Finding

VERSION = 1
"""Version of the file; another number means another layout or another fingerprint."""

_NUMBERS = re.compile(r"\d+")
_VALUES = re.compile(r"[^\s'\"]*\d[^\s'\"]*")


class Fingerprints:
    """The fingerprints of one run's findings; `files` are the names of its captures.

    A fingerprint depends on the rule, the severity, the name of the capture without its folder,
    and the words of the message; numbers in both count as equal. It does not depend on frames,
    packets, flows and times. The second of two findings that are otherwise equal has another
    fingerprint than the first.
    """

    def __init__(self, files: Sequence[str]) -> None:
        self.names = [_NUMBERS.sub("#", PurePath(each).name) for each in files]
        self._seen: Counter[tuple[str, ...]] = Counter()

    def of(self, finding: Finding, consequence_of: str = "") -> str:
        """Return the fingerprint of the next finding, or of a consequence of the rule named."""
        words = _VALUES.sub("#", finding.message)
        name = self.names[finding.file]
        key = (finding.rule, finding.severity, consequence_of, name, words)
        self._seen[key] += 1
        return hashlib.sha256(repr((key, self._seen[key])).encode()).hexdigest()[:32]

    def all_of(self, finding: Finding) -> list[str]:
        """Return the fingerprints of a finding and of its consequences, in this order."""
        return [self.of(finding), *(self.of(each, finding.rule) for each in finding.echoes)]


class Baseline:
    """Known fingerprints, and those of the run that is compared with them."""

    def __init__(self, known: Iterable[str], files: Sequence[str]) -> None:
        self.known = frozenset(known)
        self.fingerprints = Fingerprints(files)
        self._found: list[dict[str, Any]] = []

    def add(self, finding: Finding) -> bool:
        """Add a finding of this run; return whether it and all its consequences are known."""
        fingerprints = self.fingerprints.all_of(finding)
        for fingerprint, each in zip(fingerprints, (finding, *finding.echoes), strict=True):
            self._found.append(
                {
                    "fingerprint": fingerprint,
                    "rule": each.rule,
                    "severity": each.severity,
                    "capture": self.fingerprints.names[each.file],
                    "message": each.message,
                }
            )
        return self.known.issuperset(fingerprints)

    def text(self) -> str:
        """Return the findings of this run as a baseline file, one finding per line."""
        rows = ",\n".join(json.dumps(each, ensure_ascii=False) for each in self._found)
        return f'{{"baseline": {VERSION}, "findings": [\n{rows}\n]}}\n'


def parsed(content: bytes) -> frozenset[str]:
    """Return the fingerprints of a baseline file; StreamsharkError if it is not one."""
    try:
        members = json.loads(content)
        version, rows = members["baseline"], members["findings"]
        known = frozenset(str(row["fingerprint"]) for row in rows)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise StreamsharkError("not a baseline: write one with --write-baseline") from None
    if version != VERSION:
        raise StreamsharkError(f"baseline version {version!r} is not supported: write it again")
    return known
