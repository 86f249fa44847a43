"""Prints how many recorded faults the first finding of `check` names, and the captures where not.

    python -m tests.recorded.top_findings [PROTOCOL ...]

A fault is named if the rule of the first finding is one that the capture was recorded for. How
often other captures show a rule decides the order (`streamshark.views.ranking`): the capture that
is looked at is not counted, as if it were new.
"""

import sys
import tomllib
from collections.abc import Iterator
from functools import partial

from tests.recorded import index
from tests.recorded.rule_examples import faults_of

import streamshark
from streamshark.findings.finding import Finding
from streamshark.findings.rule import family
from streamshark.views.ranking import order
from streamshark.views.rule_examples import RuleExample, examples


def without(found: list[Finding], faults: set[str]) -> dict[str, RuleExample]:
    """Return the examples as if the capture with these findings had not been recorded."""
    every = dict(examples())
    for rule in {each.rule for one in found for each in (one, *one.echoes)} & every.keys():
        known = every[rule]
        own = family(rule) in faults
        every[rule] = known._replace(captures=known.captures - 1, faults=known.faults - own)
    return every


def first_findings(protocols: list[str]) -> Iterator[tuple[str, Finding, set[str]]]:
    """Yield each recorded fault that has findings, the first of them, and the rules it is for."""
    for line in index.lines().values():
        provenance = tomllib.loads((line.path.parent / "provenance.toml").read_text("utf-8"))
        faults = faults_of(provenance)
        if not faults or (protocols and line.protocol not in protocols):
            continue
        found = list(streamshark.check(str(line.path)))
        first = min(found, key=partial(order, recorded=without(found, faults)), default=None)
        if first:
            yield line.capture, first, faults


def lines(protocols: list[str]) -> Iterator[str]:
    """Yield the captures where another rule comes first, then the share of the others."""
    named = every = 0
    for capture, first, faults in first_findings(protocols):
        every += 1
        if family(first.rule) in faults:
            named += 1
        else:
            wanted = ", ".join(sorted(faults))
            yield f"{capture}: {first.severity} {first.rule} before {wanted}\n"
    yield f"{named} of {every} recorded faults are named by the first finding\n"


if __name__ == "__main__":
    sys.stdout.writelines(lines(sys.argv[1:]))
