"""What `read -T ndjson` shows of every recorded capture, kept to be compared.

    python -m tests.cli.goldens            write them again
    python -m tests.cli.goldens --check    name what is stale, missing or left over

A golden is a claim, not a fact: look at what changed before it is committed. Every value is held,
but not every one is kept: of rows behind the first `WHOLE`, and of long fields, there is a digest.
"""

import argparse
import hashlib
import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from streamshark.cli.main import run

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "golden"
ENDING = ".frames.jsonl"

WHOLE = 64
"""Rows of a capture that are kept as they are."""
LONGEST = 1500
"""Characters of a row whose fields are kept."""


def digest(text: str) -> str:
    """What stands for a text that is not kept."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def kept(number: int, line: str) -> str:
    """What is kept of a row, 1-based."""
    if number > WHOLE:
        return json.dumps({"row": number, "sha256": digest(line)})
    if len(line) <= LONGEST:
        return line
    row = json.loads(line)
    fields = json.dumps(row["fields"])
    return json.dumps({**row, "fields": {"characters": len(fields), "sha256": digest(fields)}})


def captures() -> list[Path]:
    """The recorded captures, relative to the root."""
    return sorted(each.relative_to(ROOT) for each in ROOT.glob("captures/*/*/traffic.*"))


def place(capture: Path) -> Path:
    """Where the golden of a capture is."""
    protocol, scenario = capture.parts[1:3]
    return FOLDER / protocol / f"{scenario}{ENDING}"


def golden(capture: Path) -> str:
    """The golden of a capture: a record that says what it is, then one line a row."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(["read", "-T", "ndjson", str(ROOT / capture)])
    head = {
        "generated": "python -m tests.cli.goldens",
        "capture": str(capture),
        "exit_code": code,
        "stderr": err.getvalue().replace(f"{ROOT}/", ""),
    }
    lines = out.buffer.getvalue().decode().splitlines()  # type: ignore[attr-defined]
    rows = [kept(number, line) for number, line in enumerate(lines, 1)]
    return "".join(f"{each}\n" for each in (json.dumps(head), *rows))


def stale() -> list[str]:
    """What is not as it should be: goldens that differ or are missing, and left-over ones."""
    wanted = {place(each): each for each in captures()}
    found = set(FOLDER.glob(f"*/*{ENDING}"))
    odd = [f"left over: {path.relative_to(ROOT)}" for path in sorted(found - set(wanted))]
    for path, capture in wanted.items():
        if path not in found:
            odd.append(f"missing: {path.relative_to(ROOT)}")
        elif path.read_text("utf-8") != golden(capture):
            odd.append(f"stale: {path.relative_to(ROOT)}")
    return odd


def write() -> None:
    """Write them all, remove what is left over."""
    wanted = {place(each): each for each in captures()}
    for path in set(FOLDER.glob(f"*/*{ENDING}")) - set(wanted):
        path.unlink()
    for path, capture in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(golden(capture), "utf-8")


def main() -> int:
    """Write, or check."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        write()
        return 0
    odd = stale()
    sys.stdout.write("".join(f"{each}\n" for each in odd))
    return 1 if odd else 0


if __name__ == "__main__":
    sys.exit(main())
