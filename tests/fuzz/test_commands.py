"""Whole commands read spoilt captures of every protocol: none ends in an exception, or hangs.

What they print as JSON is JSON, and their exit codes are those that are documented.

`make test-sweep` runs 20,000 mutants (STREAMSHARK_SWEEP=n);
`python -m tests.fuzz.test_commands FIRST COUNT` runs those of some numbers, and one alone by every
command.
"""

import io
import json
import os
import sys
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.builders import Conversation
from tests.fuzz.mutants import mutant
from tests.madeup import aviary

from streamshark.cli.main import run
from streamshark.session import Session

COMMANDS: dict[tuple[str, ...], str] = {
    ("read",): "text", ("read", "-V"): "text", ("read", "-x"): "text",
    ("read", "-T", "json"): "json", ("read", "-T", "ndjson", "--bodies", "raw"): "ndjson",
    ("read", "-V", "--show-secrets"): "text", ("check",): "text",
    ("check", "-T", "json"): "json", ("check", "-T", "sarif"): "json",
    ("check", "-T", "junit"): "text", ("conversations",): "text",
    ("conversations", "-T", "ndjson"): "ndjson", ("explain",): "text", ("stats",): "text",
    ("stats", "-T", "json"): "json", ("info",): "text", ("info", "-T", "json"): "json",
    ("diagram",): "text", ("diagram", "-T", "plantuml"): "text",
}  # fmt: skip
"""What is run, and what it prints."""
CODES = {0, 2}
"""Exit codes that a command may have where nothing of `--strict` or `--fail-on` is asked."""
FEW = 200
"""Mutants of a run that is not at length; each is read by some commands."""
MANY = int(os.environ.get("STREAMSHARK_SWEEP", "20000"))
PARTS = 4
"""Parts of the work, for several processes."""
LONGEST = 12
"""Times as long as the capture as it was that reading a mutant may take."""
LEAST = 0.5
"""Seconds of processor time below which that says nothing."""

Arguments = tuple[str, ...]


@contextmanager
def captured() -> Iterator[io.BytesIO]:
    """What is printed in the meantime."""
    found = io.BytesIO()
    out = io.TextIOWrapper(found, "utf-8", write_through=True)
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        yield found
        out.flush()
        out.detach()


def faults(arguments: Arguments, kind: str, path: Path) -> Iterator[str]:
    """What is wrong with a run of a command over a file."""
    try:
        with captured() as found:
            code = run((*arguments, str(path)))
            printed = found.getvalue().decode()
    except Exception:  # noqa: BLE001 - the point of this module
        yield traceback.format_exc()
        return
    if code not in CODES:
        yield f"exit code {code}"
    if code == 0 and kind != "text":
        texts = printed.splitlines() if kind == "ndjson" else [printed]
        for each in texts:
            try:
                json.loads(each, parse_constant=_refuse)
            except ValueError as error:
                yield f"{error}: {each[:200]}"


def _refuse(word: str) -> None:
    """JSON knows no infinity and no NaN."""
    raise ValueError(word)


def spent(arguments: Arguments, kind: str, path: Path) -> tuple[float, list[str]]:
    """Processor time of a run, and what is wrong with it."""
    start = time.process_time()
    found = list(faults(arguments, kind, path))
    return time.process_time() - start, found


def tried(number: int, folder: Path, chosen: Iterable[Arguments]) -> Iterator[str]:
    """What is wrong with how commands read the mutant of a number."""
    spoilt = mutant(number)
    path, plain = folder / "mutant.pcap", folder / "plain.pcap"
    path.write_bytes(spoilt.data)
    plain.write_bytes(spoilt.plain)
    for arguments in chosen:
        took, found = spent(arguments, COMMANDS[arguments], path)
        if took > LEAST:
            took = min(took, spent(arguments, COMMANDS[arguments], path)[0])
            usual, _ = spent(arguments, COMMANDS[arguments], plain)
            size = max(1, len(spoilt.data) / max(1, len(spoilt.plain)))
            if took > LEAST and took > LONGEST * size * usual:
                found.append(f"took {took:.2f} s, and {usual:.2f} s as it was")
        for each in found:
            yield f"{spoilt.told}: {' '.join(arguments)}: {each}"


def some_of(number: int) -> set[Arguments]:
    """Some commands, others for each mutant, so that all are run; one that asks all rules."""
    known = list(COMMANDS)
    first, second = known[number % len(known)], known[(number * 7 + 5) % len(known)]
    return {first, second, ("check", "-T", "json")}


def publish(*messages: bytes, short: int = 0) -> bytes:
    """A frame whose last length is a few bytes short; what follows is the start of no message."""
    items = [at.to_bytes(8) + len(each).to_bytes(4) + each for at, each in enumerate(messages)]
    items[-1] = items[-1][:8] + (len(messages[-1]) - short).to_bytes(4) + messages[-1]
    body = bytes.fromhex("00020001") + b"\x05" + len(items).to_bytes(4) + b"".join(items)
    return len(body).to_bytes(4) + body


def test_a_message_that_is_cut_off_stands_in_no_ledger(tmp_path: Path) -> None:
    """Wherever a frame ends, each command shows what there is, and judges what it has read."""
    declare = bytes.fromhex("00010001 00000001 05 0000 0001 73")
    whole = publish(b"first", b"second message")
    cut = [whole[4:end] for end in range(8, len(whole), 3)]
    frames = [len(each).to_bytes(4) + each for each in cut]
    frames += [publish(b"first", b"second message", short=short) for short in range(1, 14)]
    for frame in frames:
        talk = Conversation(server=("10.0.0.2", 5552)).handshake()
        talk.send(0, len(declare).to_bytes(4) + declare + whole + frame + whole)
        path = Path(aviary.write(tmp_path, talk))
        for arguments in (("read",), ("check", "-T", "json"), ("explain",), ("stats",)):
            chosen = (*arguments, "-d", "tcp.port==5552,rabbitmq_stream")
            assert list(faults(chosen, COMMANDS[arguments], path)) == [], frame.hex()


@pytest.mark.parametrize("number", [10, 15, 23, 25, 115])
def test_what_comes_at_the_end_has_one_time(number: int, tmp_path: Path) -> None:
    """From a file, and from standard input, where rows are held back for a second at most."""
    path = tmp_path / "mutant.pcap"
    path.write_bytes(mutant(number).data)
    found = [
        sorted(str((row.order, type(row))) for row in Session([str(path)], live=live).rows())
        for live in (False, True)
    ]

    assert found[0] == found[1]


@pytest.mark.fuzz
@pytest.mark.parametrize("part", range(PARTS))
def test_commands_take_any_capture(part: int, tmp_path: Path) -> None:
    """Some mutants of every protocol, each by some commands."""
    numbers = range(part, FEW, PARTS)

    assert [each for n in numbers for each in tried(n, tmp_path, some_of(n // PARTS))] == []


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(16))
def test_commands_take_any_capture_at_length(part: int, tmp_path: Path) -> None:
    """A hundred times as many mutants."""
    numbers = range(part, MANY, 16)

    assert [each for n in numbers for each in tried(n, tmp_path, some_of(n))] == []


def main(first: int, count: int) -> None:
    """Try some mutants, and print what is wrong; one alone by every command."""
    with TemporaryDirectory() as folder:
        for number in range(first, first + count):
            chosen = tuple(COMMANDS) if count == 1 else some_of(number)
            for each in tried(number, Path(folder), chosen):
                print(each, flush=True)  # noqa: T201 - what it is for
            if number % 500 == 499:
                print(f"up to {number}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
