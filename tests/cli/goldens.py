"""What `read -T ndjson` shows of every recorded capture, kept to be compared.

    python -m tests.cli.goldens            write them again
    python -m tests.cli.goldens --check    name what is stale, missing or left over

A golden is a claim, not a fact: look at what changed before it is committed.
"""

import argparse
import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from streamshark.cli.main import run

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "golden"
ENDING = ".frames.jsonl"


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
    rows = out.buffer.getvalue().decode()  # type: ignore[attr-defined]
    return json.dumps(head) + "\n" + rows


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
