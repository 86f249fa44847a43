"""Whole commands read spoilt captures of every protocol: none ends in an exception, or hangs.

What they print as JSON is JSON, and gives no secret away; their exit codes are those that are
documented; what they take of time and memory has bounds.

`make test-sweep` runs 20,000 mutants (STREAMSHARK_SWEEP=n);
`python -m tests.fuzz.test_commands FIRST COUNT` runs those of some numbers, and one alone by every
command. It says how far it is, so that another run may go on from there.
"""

import io
import json
import os
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from tests import marker
from tests.builders import Conversation
from tests.fuzz.mutants import mutant
from tests.madeup import parrot_traffic

from streamshark.cli.main import run
from streamshark.dissection.row import EventRow
from streamshark.protocols.catalog import catalog
from streamshark.session import Session

COMMANDS: dict[tuple[str, ...], str] = {
    ("read",): "text", ("read", "-V"): "text", ("read", "-x"): "text",
    ("read", "-T", "json"): "json", ("read", "-T", "ndjson", "--bodies", "raw"): "ndjson",
    ("read", "-V", "--show-secrets"): "text", ("read", "-2", "-T", "ndjson"): "ndjson",
    ("read", "-T", "json", "--int-strings", "--bodies", "size"): "json",
    ("read", "-l", "-V", "--bodies", "raw"): "text",
    ("read", "-T", "fields", "-e", "frame", "-e", "tcp.stream"): "text",
    ("check",): "text", ("check", "-T", "json"): "json", ("check", "-T", "sarif"): "json",
    ("check", "-T", "ndjson", "--level", "chat"): "ndjson",
    ("check", "-T", "junit"): "text", ("conversations",): "text",
    ("conversations", "-T", "ndjson"): "ndjson", ("conversations", "-T", "json"): "json",
    ("conversations", "--follow", "0-4-connection"): "text",
    ("explain",): "text", ("stats",): "text", ("stats", "-T", "json"): "json",
    ("stats", "-T", "csv"): "text",
    ("stats", "-q", "-z", "srt", "-z", "expert", "-z", "io,stat,1"): "text",
    ("info",): "text", ("info", "-T", "json"): "json",
    ("diagram",): "text", ("diagram", "-T", "plantuml"): "text", ("report", "-o", "-"): "text",
    **{("read", "-o", f"{each.wire.short}.dialect:{name}"): "text"
       for each in catalog() for name in each.wire.dialects if name},
    **{("decode", "--raw", *more): kind
       for more, kind in (((), "ndjson"), (("-V", "-x"), "text"), (("--bodies", "raw"), "ndjson"))},
}  # fmt: skip
"""What is run, and what it prints; `decode` reads what one side sent."""
CODES = {0, 2}
"""Exit codes that a command may have where nothing of `--strict` or `--fail-on` is asked."""
FEW = 40
"""Mutants of a run that is not at length; each is read by some commands."""
MANY = int(os.environ.get("STREAMSHARK_SWEEP", "20000"))
PARTS = 4
"""Parts of the work, for several processes."""
LONGEST = 12
"""Times as long as the capture as it was that reading a mutant may take."""
LEAST = 1.0
"""Seconds of processor time below which that says nothing."""
HANGS = 60
"""Seconds of processor time after which a command is ended."""
MOST_MEMORY = 100 * 1024 * 1024
"""Bytes that a command may take beside what the process holds already; files have some 10 kB."""

Arguments = tuple[str, ...]


@contextmanager
def captured() -> Iterator[tuple[io.BytesIO, io.StringIO]]:
    """What is printed in the meantime, and what is complained of."""
    found, errors = io.BytesIO(), io.StringIO()
    out = io.TextIOWrapper(found, "utf-8", write_through=True)
    with redirect_stdout(out), redirect_stderr(errors):
        yield found, errors
        out.flush()
        out.detach()


class HangError(BaseException):
    """A command does not end."""


@contextmanager
def limited() -> Iterator[None]:
    """End what is run in the meantime where it takes too long."""

    def end(*_: object) -> None:
        raise HangError

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, HANGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def memory(name: str) -> int:
    """What the system says that this process holds, or held at most; 0 where it does not say."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(name))


def forget_most() -> bool:
    """Have the system forget the most that this process held; False where it cannot."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def faults(arguments: Arguments, kind: str, path: Path, *, hides: bool = False) -> Iterator[str]:
    """What is wrong with a run of a command over a file; `hides` where it may show no marker."""
    before = memory("VmRSS") if forget_most() else 0
    try:
        with captured() as (found, errors), limited():
            code = run((*arguments, str(path)))
        printed = found.getvalue().decode()
    except (Exception, HangError):  # noqa: BLE001 - the point of this module
        yield traceback.format_exc()
        return
    if before and (more := memory("VmHWM") - before) > MOST_MEMORY:
        yield f"took {more >> 20} MiB"
    if code not in CODES:
        yield f"exit code {code}"
    if hides and (form := marker.found(text := printed + errors.getvalue())):
        at = text.index(form)
        yield f"a secret is shown: {text[max(0, at - 200) : at + 60]!r}"
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


def spent(
    arguments: Arguments, kind: str, path: Path, *, hides: bool = False
) -> tuple[float, list[str]]:
    """Processor time of a run, and what is wrong with it."""
    start = time.process_time()
    found = list(faults(arguments, kind, path, hides=hides))
    return time.process_time() - start, found


def tried(number: int, folder: Path, chosen: Iterable[Arguments]) -> Iterator[str]:
    """What is wrong with how commands read the mutant of a number."""
    spoilt = mutant(number)
    path, plain, told = (folder / name for name in ("mutant.pcap", "plain.pcap", "said.bin"))
    for file, data in ((path, spoilt.data), (plain, spoilt.plain), (told, spoilt.said)):
        file.write_bytes(data)
    for arguments in chosen:
        kind, read, given = COMMANDS[arguments], path, arguments
        hides = "--show-secrets" not in given
        if arguments[0] == "decode":
            read, hides = told, number % 2 > 0  # another protocol may be surest
            given = (*arguments, "--protocol", spoilt.protocol) if hides else arguments
        hides = hides and spoilt.hides(read.read_bytes())
        took, found = spent(given, kind, read, hides=hides)
        if took > LEAST:
            took = min(took, spent(given, kind, read)[0])
            usual, _ = spent(given, kind, plain if read == path else read)
            size = max(1, len(spoilt.data) / max(1, len(spoilt.plain)))
            if took > LEAST and took > LONGEST * size * usual:
                found.append(f"took {took:.2f} s, and {usual:.2f} s as it was")
        for each in found:
            yield f"{spoilt.told}: {' '.join(given)}: {each}"


def some_of(number: int) -> list[Arguments]:
    """A command, another for each mutant, so that all are run; and one that asks all rules."""
    asked = ("check", "-T", "json")
    chance = Random(f"commands {number}")  # noqa: S311 - a seed
    return [asked, chance.choice([each for each in COMMANDS if each != asked])]


def publish(*messages: bytes, short: int = 0) -> bytes:
    """A frame whose last length is a few bytes short; what follows is the start of no message."""
    items = [at.to_bytes(8) + len(each).to_bytes(4) + each for at, each in enumerate(messages)]
    items[-1] = items[-1][:8] + (len(messages[-1]) - short).to_bytes(4) + messages[-1]
    body = bytes.fromhex("00020001") + b"\x05" + len(items).to_bytes(4) + b"".join(items)
    return len(body).to_bytes(4) + body


def test_a_message_that_is_cut_off_is_not_outstanding(tmp_path: Path) -> None:
    """Wherever a frame ends, each command shows what there is, and judges what it has read."""
    declare = bytes.fromhex("00010001 00000001 05 0000 0001 73")
    whole = publish(b"first", b"second message")
    cut = [whole[4:end] for end in range(8, len(whole), 3)]
    frames = [len(each).to_bytes(4) + each for each in cut]
    frames += [publish(b"first", b"second message", short=short) for short in range(1, 14)]
    for frame in frames:
        talk = Conversation(server=("10.0.0.2", 5552)).handshake()
        talk.send(0, len(declare).to_bytes(4) + declare + whole + frame + whole)
        path = Path(parrot_traffic.write(tmp_path, talk))
        for arguments in (("read",), ("check", "-T", "json"), ("explain",), ("stats",)):
            chosen = (*arguments, "-d", "tcp.port==5552,rabbitmq_stream")
            assert list(faults(chosen, COMMANDS[arguments], path)) == [], frame.hex()


def positions(path: Path, *, live: bool) -> tuple[list[str], Counter[tuple[int, int]]]:
    """The order of each row, sorted; and the bytes that are skipped on each side of a flow."""
    kept, skipped = [], Counter[tuple[int, int]]()
    for row in Session([str(path)], live=live).rows():
        if isinstance(row, EventRow) and row.name == "resync":
            skipped[row.order[3], row.side] += row.fields["skipped"]
        else:
            kept.append(str((row.order, type(row))))
    return sorted(kept), skipped


@pytest.mark.parametrize("number", [10, 15, 23, 25, 115])
def test_what_comes_at_the_end_has_one_time(number: int, tmp_path: Path) -> None:
    """Rows have the same time in a file as on standard input, where they wait a second at most.

    Skipped bytes that take longer have more than one row there: their sum is compared.
    """
    path = tmp_path / "mutant.pcap"
    path.write_bytes(mutant(number).data)

    assert positions(path, live=False) == positions(path, live=True)


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
    start, wrong = time.process_time(), 0
    with TemporaryDirectory() as folder:
        for number in range(first, first + count):
            chosen = tuple(COMMANDS) if count == 1 else some_of(number)
            for each in tried(number, Path(folder), chosen):
                wrong += 1
                print(each, flush=True)  # noqa: T201 - what it is for
            if number % 200 == 199 or number == first + count - 1:
                took, held = time.process_time() - start, memory("VmRSS") >> 20
                told = f"{wrong} wrong, {took:.0f} s of processor time, {held} MiB"
                print(f"mutants {first} to {number}: {told}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
