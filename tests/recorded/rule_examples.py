"""Writes the recorded examples of rules, which `check --explain-rule` and the pages of rules show.

    python -m tests.recorded.rule_examples [--check] [FOLDER]

Of each rule the first finding in the first capture: one that was recorded for its fault comes
before other recorded bugs, these before other captures that are not healthy, and these before
healthy ones. Clients of this repository are not named. Captures that show the rule are counted,
those recorded for its fault and healthy ones apart.
"""

import json
import re
import sys
import tomllib
from typing import Any

from tests.recorded.index import ROOT

import streamshark
from streamshark.findings.finding import Finding
from streamshark.findings.rule import family
from streamshark.views.generated_files import GeneratedFiles
from streamshark.views.rule_examples import FILE

MODULE = "tests.recorded.rule_examples"
FOLDER = ROOT / "src/streamshark/views"
OWN = ("raw socket", "hand-made")
"""How the names of this repository's own clients begin."""


def client(provenance: dict[str, Any]) -> str:
    """Return name and version of a public client; empty for a client of this repository."""
    text = str(provenance["client"]).strip().splitlines()[0]
    name = re.split(r" \(|, ", text)[0].strip()
    return "" if name.lower().startswith(OWN) or not re.search(r"\d", name) else name


def findings(path: str) -> list[Finding]:
    """Return the findings of a capture, with consequences, by time."""
    analysis = streamshark.open(path).analysis(rules=True)
    for _ in analysis.rows():
        pass
    found = analysis.findings()
    every = [*found, *(each for one in found for each in one.echoes)]
    return sorted(every, key=lambda each: (each.time_ns, each.frames))


def order(capture: str, provenance: dict[str, Any]) -> tuple[bool, bool, str]:
    """Return the position of a capture among those that show a rule."""
    return "/bug_" not in capture, bool(provenance["healthy"]), capture


def faults_of(provenance: dict[str, Any]) -> set[str]:
    """Return the rules of the faults that a capture was recorded for, without letters."""
    if provenance["healthy"]:
        return set()
    return {family(each["rule"]) for each in provenance.get("guilty", ()) if "rule" in each}


def rows() -> dict[str, dict[str, Any]]:
    """Return the examples by the id of their rule."""
    read = {
        "/".join(path.parts[-3:-1]): tomllib.loads(path.read_text("utf-8"))
        for path in ROOT.glob("captures/*/*/provenance.toml")
    }
    out: dict[str, dict[str, Any]] = {}
    for capture in sorted(read, key=lambda each: order(each, read[each])):
        provenance = read[capture]
        name, seen, faults = client(provenance), set[str](), faults_of(provenance)
        for each in findings(str(ROOT / "captures" / capture / provenance["file"])):
            if each.rule in seen:
                continue
            seen.add(each.rule)
            frame = each.frames[0] if each.frames else None
            example = {"capture": capture, "frame": frame, "title": provenance["title"]}
            counts = {"captures": 0, "faults": 0, "healthy": 0}
            row = out.setdefault(each.rule, {**example, "clients": [], **counts})
            if family(each.rule) in faults:
                if not row["faults"]:
                    row.update(example)
                row["faults"] += 1
            row["captures"] += 1
            row["healthy"] += provenance["healthy"]
            if name and name not in row["clients"]:
                row["clients"].append(name)
    return dict(sorted(out.items()))


def text() -> str:
    """Return the file, one rule on each line."""
    lines = (
        f"{json.dumps(rule)}: {json.dumps({**row, 'clients': sorted(row['clients'])})}"
        for rule, row in rows().items()
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.exit(GeneratedFiles({FILE: text()}, (FILE,)).main(sys.argv[1:], FOLDER, MODULE))
