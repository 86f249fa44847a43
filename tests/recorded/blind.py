"""What `check` says of recorded faults and near misses, beside what a maintainer would say.

    python -m tests.recorded.blind captures/nats/bug_stale_revision ...

Prints each finding, with `*` if one of its packets is guilty; whether its sentence is what a
maintainer would say is for a reader to judge.
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.recorded.reading import flat

from streamshark.session import Session


def guilty(provenance: dict[str, Any]) -> set[int]:
    """Return the packets of the guilty frames."""
    rows: list[dict[str, Any]] = provenance.get("guilty", [])
    return {packet for row in rows for packet in row.get("packets") or [row["packet"]]}


def lines(folder: Path) -> Iterator[str]:
    """Yield what is known of a capture, then a line for each finding."""
    provenance = tomllib.loads((folder / "provenance.toml").read_text("utf-8"))
    packets = guilty(provenance)
    analysis = Session([str(folder / provenance["file"])]).analysis(rules=True)
    for _ in analysis.rows():
        pass
    yield f"{folder.parent.name}/{folder.name}: {provenance.get('fault', 'healthy')}\n"
    for each in flat(analysis.findings()):
        mark = "*" if packets & set(each.packets) else " "
        yield f"  {mark} {each.severity} {each.rule}: {each.message}\n"


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        sys.stdout.writelines(lines(Path(argument)))
