"""What `check`, `stats`, `info` and the like say of a few recorded captures, kept to be compared.

    python -m tests.cli.reports            write them again
    python -m tests.cli.reports --check    name what is stale, missing or left over

A report is a claim, not a fact: look at what changed before it is committed.
"""

import argparse
import io
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from streamshark.cli.main import run

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "golden" / "reports"
CAPTURES = (
    "rabbitmq_stream/credit_starves_java",
    "rabbitmq_stream/login_fails",
    "rabbitmq_stream/retransmitted",
    "rabbitmq_stream/sub_batches_java",
    "rsocket/errors_java",
    "rsocket/interactions_js",
)
COMMANDS = {
    "check": ("check",),
    "stats": ("stats",),
    "srt": ("stats", "-q", "-z", "srt", "-z", "expert", "-z", "conv,tcp", "-z", "io,stat,1"),
    "info": ("info",),
    "conversations": ("conversations",),
    "diagram": ("diagram",),
    "explain": ("explain",),
}
"""Name of a report to its command."""
EXPLAINED = (
    "rabbitmq_stream/bug_wrong_password",
    "rabbitmq_stream/login_fails_java",
    "rabbitmq_stream/login_fails_late",
    "rabbitmq_stream/lost_segment",
    "rsocket/resume_go",
    "rsocket/setup_refused_java",
)
"""Captures that are explained, and nothing else."""


def names() -> list[str]:
    """The reports, as paths below the folder."""
    explained = [f"{capture}.explain.txt" for capture in EXPLAINED]
    return [f"{capture}.{name}.txt" for capture in CAPTURES for name in COMMANDS] + explained


def report(name: str) -> str:
    """One report: the command, what it prints, and how it ends."""
    scenario, command, _ = name.rsplit(".", 2)
    (path,) = (ROOT / "captures" / scenario).glob("traffic.*")
    arguments = [*COMMANDS[command], str(path)]
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(arguments)
    printed = out.buffer.getvalue().decode()  # type: ignore[attr-defined]
    told = f"$ streamshark {' '.join(arguments)}\n{printed}{err.getvalue()}exits {code}\n"
    return re.sub(r"\(\d+ rules? looked\)", "(... rules checked)", told.replace(f"{ROOT}/", ""))


def stale() -> list[str]:
    """Reports that differ, are missing, or are left over."""
    there = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.txt")}
    odd = [f"left over: {name}" for name in sorted(there - set(names()))]
    for name in names():
        if name not in there:
            odd.append(f"missing: {name}")
        elif (FOLDER / name).read_text("utf-8") != report(name):
            odd.append(f"stale: {name}")
    return odd


def write() -> None:
    """Write them all, remove what is left over."""
    for path in FOLDER.rglob("*.txt"):
        path.unlink()
    for name in names():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(report(name), "utf-8")


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
