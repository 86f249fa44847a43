"""Recorded examples of rules: which captures show one, and which clients they were recorded with.

`rule_examples.json` is written from the recorded captures by `python -m
tests.recorded.rule_examples`.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

from streamshark.conversations.units import counted

FILE: Final = "rule_examples.json"


class RuleExample(NamedTuple):
    """A finding of a recorded capture."""

    capture: str
    """Folder in `captures`."""
    frame: int | None
    title: str
    """What the capture shows, in its own words."""
    clients: tuple[str, ...]
    """Name and version of the public clients whose captures show a finding of the rule."""
    captures: int
    """Recorded captures that show a finding of the rule."""
    faults: int
    """Those of them that were recorded for this fault."""
    healthy: int
    """Those of them in which no peer is at fault."""

    @property
    def text(self) -> str:
        """The example as a sentence."""
        where = f"frame {self.frame} of " if self.frame is not None else ""
        return f"{where}captures/{self.capture}: {self.title}"

    @property
    def recorded(self) -> str:
        """How many captures show the rule, and the clients, as text."""
        counts = [f"in {counted(self.captures, 'capture')}"]
        if self.faults:
            counts.append(f"as the fault in {self.faults}")
        if self.healthy:
            counts.append(f"{self.healthy} healthy")
        clients = f"; with {', '.join(self.clients)}" if self.clients else ""
        return f"{', '.join(counts)}{clients}"


def parsed(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, RuleExample]:
    """Return the examples of a file, by the id of their rule."""
    return {
        rule: RuleExample(**{**row, "clients": tuple(row["clients"])}) for rule, row in rows.items()
    }


@cache
def examples() -> Mapping[str, RuleExample]:
    """Return the recorded examples, by the id of their rule."""
    text = (resources.files("streamshark.views") / FILE).read_text(encoding="utf-8")
    return parsed(json.loads(text))
