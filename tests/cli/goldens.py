"""What `read -T ndjson` shows of every recorded capture, kept to be compared.

    python -m tests.cli.goldens              write it again
    python -m tests.cli.goldens --check      name what is stale, missing or left over
    python -m tests.cli.goldens --diff NAME  show what a capture's text is now and was when its
                                             digest was written (`protocol/scenario`)

Of every capture a digest of the whole text is kept, in the line that `tests/recorded/index.py`
reads. Of a few captures, which show together every frame and problem that any capture shows, the
text is kept too: there a change is seen in the files themselves. A golden is a claim, not a fact:
look at what changed before it is committed.
"""

import argparse
import difflib
import hashlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.recorded.index import FOLDER, FRAME, ROOT, Line, cover, lines, text_of_lines
from tests.recorded.reading import Reading, features, read

from streamshark.cli.main import run

ENDING = ".frames.jsonl"
TOLD = (f"{FRAME} ", "problem ")
"""How the features begin that the captures show whose text is kept."""

LONGEST = 1500
"""Characters of a row whose fields are kept."""
KIND = ("protocol", "command", "kind", "sender", "version", "problems")
"""Members by which rows are of one kind, of which the first one of a capture is kept."""


def digest(text: str) -> str:
    """Return what stands for a text that is not kept."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def kept(line: str) -> str:
    """Return what is kept of a row; of one whose fields are long, a digest of these."""
    if len(line) <= LONGEST:
        return line
    row = json.loads(line)
    fields = json.dumps(row["fields"])
    return json.dumps({**row, "fields": {"characters": len(fields), "sha256": digest(fields)}})


def captures() -> list[str]:
    """Return the recorded captures, as `protocol/scenario`."""
    found = ROOT.glob("captures/*/*/traffic.*")
    return sorted("/".join(each.parts[-3:-1]) for each in found)


def place(capture: str) -> Path:
    """Return where the kept text of a capture is."""
    return FOLDER / f"{capture}{ENDING}"


def text_of(path: Path, root: Path = ROOT) -> str:
    """Return what is shown of a capture: a record about the reading, then one line a row."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(["read", "-T", "ndjson", str(path)])
    head = {
        "generated": "python -m tests.cli.goldens",
        "capture": str(path.relative_to(root)),
        "exit_code": code,
        "stderr": err.getvalue().replace(f"{root}/", ""),
    }
    rows = out.buffer.getvalue().decode()  # type: ignore[attr-defined]
    return f"{json.dumps(head)}\n{rows}"


def shortened(text: str) -> str:
    """Return what is kept of a text: how many rows there are, and the first row of each kind."""
    head, *lines = text.splitlines()
    first: dict[str, str] = {}
    for line in lines:
        row = json.loads(line)
        first.setdefault(json.dumps([row.get(name) for name in KIND]), line)
    told = json.dumps({**json.loads(head), "rows": len(lines)})
    return "".join(f"{each}\n" for each in (told, *map(kept, first.values())))


def line_of(reading: Reading, text: str) -> Line:
    """Return the line of a capture."""
    healthy, frames = reading.provenance["healthy"], len(reading.frames)
    shown = features(reading)
    return Line(reading.capture, reading.path.name, healthy, frames, digest(text), shown)


def made(capture: str) -> tuple[Line, str]:
    """Return the line of a capture and its text, shortened."""
    reading = read(capture)
    text = text_of(reading.path)
    return line_of(reading, text), shortened(text)


def whole(known: Iterable[Line]) -> set[str]:
    """Return the captures whose text is kept: a cover of each protocol's frames and problems."""
    told = [
        line._replace(shows=tuple(each for each in line.shows if each.startswith(TOLD)))
        for line in known
    ]
    protocols = sorted({line.protocol for line in told})
    return {
        line.capture
        for protocol in protocols
        for line in cover(each for each in told if each.protocol == protocol)
    }


def wanted() -> dict[Path, str]:
    """Return every golden with its text."""
    with ProcessPoolExecutor() as pool:
        found = list(pool.map(made, captures(), chunksize=8))
    keeps = whole(line for line, _ in found)
    out = {place(line.capture): text for line, text in found if line.capture in keeps}
    for protocol in sorted({line.protocol for line, _ in found}):
        own = [line for line, _ in found if line.protocol == protocol]
        out[FOLDER / f"{protocol}.jsonl"] = text_of_lines(own)
    return out


def there() -> set[Path]:
    """Return the goldens that are kept."""
    return {*FOLDER.glob("*.jsonl"), *FOLDER.glob(f"*/*{ENDING}")}


def stale() -> list[str]:
    """Return what is not as it should be: goldens that differ, are missing, or are left over."""
    texts, found = wanted(), there()
    odd = [f"left over: {path.relative_to(ROOT)}" for path in sorted(found - set(texts))]
    for path, text in texts.items():
        if path not in found:
            odd.append(f"missing: {path.relative_to(ROOT)}")
        elif path.read_text("utf-8") != text:
            odd.append(f"stale: {path.relative_to(ROOT)}")
    return odd


def write() -> None:
    """Write them all, remove what is left over."""
    texts = wanted()
    for path in there() - set(texts):
        path.unlink()
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def command(capture: str) -> str:
    """Return the command that shows how a capture's text has changed."""
    return f"python -m tests.cli.goldens --diff {capture}"


def difference(capture: str) -> str:
    """Return how the text of a capture differs from that whose digest is kept.

    The older text is made by the source of the commit that wrote the digest.
    """
    line = lines()[capture]
    index = f"tests/golden/{line.protocol}.jsonl"
    log = ["log", "-1", "--format=%H", f"-S{line.digest}", "--", index]
    commit = _git(*log).decode().strip()
    if not commit:
        return f"{capture}: the digest {line.digest} is in no commit yet"
    with TemporaryDirectory() as folder:
        old = Path(folder).resolve()
        archive = _git("archive", commit, "src", f"captures/{capture}")
        subprocess.run(["tar", "-x", "-C", str(old)], input=archive, check=True)
        path = line.path.relative_to(ROOT)
        program = (
            f"from streamshark.cli.main import run; run(['read', '-T', 'ndjson', {str(path)!r}])"
        )
        before = subprocess.run(
            [sys.executable, "-c", program], cwd=old, capture_output=True, check=False, text=True,
            env={**os.environ, "PYTHONPATH": str(old / "src")},
        )  # fmt: skip
    _, _, now = text_of(line.path).partition("\n")
    names = f"{path} at {commit[:12]}", f"{path} now"
    told = difflib.unified_diff(before.stdout.splitlines(), now.splitlines(), *names, lineterm="")
    return "\n".join(told) or f"{capture}: the rows are the same; stderr was {before.stderr!r}"


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True).stdout


def main() -> int:
    """Write, check or compare."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--diff", metavar="NAME")
    given = parser.parse_args()
    if given.diff:
        sys.stdout.write(f"{difference(given.diff)}\n")
        return 0
    if not given.check:
        write()
        return 0
    odd = stale()
    sys.stdout.write("".join(f"{each}\n" for each in odd))
    return 1 if odd else 0


if __name__ == "__main__":
    sys.exit(main())
