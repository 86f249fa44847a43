"""`streamshark read`: what captures hold."""

import gzip
import json
import subprocess
from pathlib import Path
from ssl import TLSVersion

import pytest
from tests.builders import Conversation, Packet, pcap
from tests.cli.console import PARROT, call, command
from tests.madeup import parrot_traffic
from tests.tls import TlsTalk

LINES = 8
"""Rows of the usual talk."""


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A capture."""
    return parrot_traffic.write(tmp_path, parrot_traffic.talk())


def test_lines(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One for each row, nothing on stderr."""
    done = call(monkeypatch, "read", *PARROT, path)

    assert (done.code, done.err) == (0, "")
    assert len(done.out.splitlines()) == LINES
    assert done.out.splitlines()[1].startswith("   1 p4 ")


def test_ways_to_name_files(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """FILE, -r FILE, standard input."""
    lines = call(monkeypatch, "read", *PARROT, path).out

    assert call(monkeypatch, "read", *PARROT, "-r", path).out == lines
    assert call(monkeypatch, "read", *PARROT, "--read-file", path).out == lines
    data = Path(path).read_bytes()
    assert call(monkeypatch, "read", *PARROT, "-", stdin=data).out == lines


@pytest.mark.process
def test_tls_with_a_key_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said inside of it is shown; without keys, or with others, stderr says so."""
    talk = Conversation(("10.0.0.1", 40_000), ("10.0.0.2", 7777)).handshake()
    hidden = TlsTalk(tmp_path, TLSVersion.TLSv1_2, talk).handshake().send(0, parrot_traffic.say())
    path = parrot_traffic.write(tmp_path, talk)
    other = tmp_path / "other"
    other.touch()

    done = call(monkeypatch, "read", *PARROT, "-o", f"tls.keylog_file:{hidden.keylog}", path)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1].split()[6:8] == ["parrot", "say"]
    done = call(monkeypatch, "read", *PARROT, "-o", f"tls.keylog_file:{other}", path)
    told = "cannot decrypt TLS between 10.0.0.1:40000 and 10.0.0.2:7777: no matching secret"
    assert f"{told} in the key log" in done.err
    assert done.out == ""


def test_times_begin_with_the_first_packet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where nothing is shown of it."""
    talk = parrot_traffic.talk()
    other = Conversation(start_ns=talk.packets[0].time_ns - 1_000_000_000).handshake()
    path = parrot_traffic.write(tmp_path, other, talk)

    assert call(monkeypatch, "read", *PARROT, path).out.split()[1] == "1.000000"


def test_several_files_are_one_session(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the order of time, each row with its file."""
    later = (
        Conversation(("10.0.0.9", 1), ("10.0.0.2", 7777)).handshake().send(0, parrot_traffic.say())
    )
    later.packets = [each._replace(time_ns=each.time_ns + 1) for each in later.packets]
    other = parrot_traffic.write(tmp_path, later, name="other.pcap")

    done = call(monkeypatch, "read", *PARROT, "-T", "ndjson", other, path)
    rows = [json.loads(line) for line in done.out.splitlines()]

    assert {row["file"] for row in rows} == {path, other}
    assert [row["time_ns"] for row in rows] == sorted(row["time_ns"] for row in rows)
    assert [row["frame"] for row in rows if row["frame"]] == list(range(1, 7))


def test_json(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One array, or an object a line; the same objects."""
    array = json.loads(call(monkeypatch, "read", *PARROT, "-T", "json", path).out)
    lines = call(monkeypatch, "read", *PARROT, "-T", "ndjson", path).out.splitlines()

    assert array == [json.loads(line) for line in lines]
    assert "file" not in array[0]


def test_packets_are_counted(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """-c counts packets, not rows."""
    done = call(monkeypatch, "read", *PARROT, "-T", "json", "-c", "5", path)

    assert [row["packets"] for row in json.loads(done.out)] == [[1], [4], [5]]


def test_trees_and_bytes(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """-V, -x, and both."""
    tree = call(monkeypatch, "read", *PARROT, "-V", path).out
    lines = call(monkeypatch, "read", *PARROT, "-x", path).out
    both = call(monkeypatch, "read", *PARROT, "-Vx", path).out

    assert "\nFrame 2: parrot say (request), 18 bytes\n" in tree
    assert "\n0000  00 10 01 00 07 05 68" in lines
    assert "\nFrame 2: parrot say (request), 18 bytes\n" in both
    assert "\n0000  00 10 01 00 07 05 68" in both


def test_fields(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chosen ones, with a header."""
    arguments = ("-T", "fields", "-e", "frame", "-e", "parrot.say.tags", "-E", "header=y")
    done = call(monkeypatch, "read", *PARROT, *arguments, "-E", "separator=/s", path)

    assert done.out.splitlines()[:4] == ["frame parrot.say.tags", " ", "1 ", "2 a,b"]


def test_colours(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, or when they are wanted."""
    for name in ("NO_COLOR", "CLICOLOR_FORCE", "TERM"):
        monkeypatch.delenv(name, raising=False)

    assert "\x1b[31m" not in call(monkeypatch, "read", *PARROT, path).out
    assert "\x1b[31m" in call(monkeypatch, "read", *PARROT, path, terminal=True).out
    assert "\x1b[31m" in call(monkeypatch, "read", *PARROT, "--color", "always", path).out
    done = call(monkeypatch, "read", *PARROT, "--color=never", path, terminal=True)
    assert "\x1b" not in done.out


def test_hostile_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In no output does it reach the terminal."""
    talk = Conversation(server=("10.0.0.2", 7777)).handshake()
    talk.send(0, parrot_traffic.say("\x1b[2J\x9b\u202e\r\n", tags=["\x00\x07"])).send(
        0, b"\x00\x02\x09\x1b"
    )
    path = parrot_traffic.write(tmp_path, talk)

    for arguments in ((), ("-V",), ("-x",), ("-T", "json"),
                      ("-T", "fields", "-e", "parrot.say.phrase")):  # fmt: skip
        done = call(monkeypatch, "read", *PARROT, *arguments, path)
        assert {each for each in done.out if not each.isprintable()} <= {"\n", "\t"}


@pytest.mark.parametrize(
    "arguments",
    [(), ("-V",), ("-x",), ("-V", "-x"), ("-T", "json"), ("-T", "ndjson"),
     ("-T", "fields", "-e", "parrot.login.password")],
)  # fmt: skip
def test_secrets(path: str, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Masked in every output, shown in every output when asked for."""
    hidden = call(monkeypatch, "read", *PARROT, *arguments, path).out
    shown = call(monkeypatch, "read", *PARROT, "--show-secrets", *arguments, path).out

    assert "pieces" not in hidden
    assert "70 69 65 63 65 73" not in hidden
    assert "pieces" in shown


def test_quiet(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """-q shows no rows, -n and -2 change nothing."""
    assert call(monkeypatch, "read", *PARROT, "-q", path) == (0, "", "")
    assert call(monkeypatch, "read", *PARROT, "-n", "-2", path).out.count("\n") == LINES


def test_a_damaged_file(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could be read is shown, stderr says where, --strict makes it 3."""
    Path(path).write_bytes(Path(path).read_bytes()[:-5])

    done = call(monkeypatch, "read", *PARROT, "-T", "json", path)
    assert done.code == 0
    assert len(json.loads(done.out)) == LINES - 1
    assert done.err.startswith(f"streamshark: {path}: the file ends inside ")
    assert call(monkeypatch, "read", *PARROT, "--strict", path).code == 3


def test_strict(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Problems and gaps are damage, a sound capture has none."""
    odd = Conversation(server=("10.0.0.2", 7777)).handshake().send(0, parrot_traffic.login())
    odd.send(0, parrot_traffic.perch("muchtoolong"))
    talk = parrot_traffic.talk()
    del talk.packets[4]

    assert call(monkeypatch, "read", *PARROT, "--strict", path).code == 0
    for each in (odd, talk):
        other = parrot_traffic.write(tmp_path, each, name="odd.pcap")
        assert call(monkeypatch, "read", *PARROT, "--strict", "-q", other).code == 3


def test_nothing_recognised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stderr names flows and ports; nothing is wrong with the file."""
    path = parrot_traffic.write(
        tmp_path, Conversation(server=("10.0.0.2", 80)).handshake().send(0, b"?" * 9)
    )

    done = call(monkeypatch, "read", "-T", "json", path)

    assert (done.code, done.out) == (0, "[]\n")
    assert "10.0.0.1:40000 - 10.0.0.2:80 (flow 0, 9 bytes)" in done.err


def test_unsupported_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that names it; the array is closed."""
    path = tmp_path / "odd.pcap"
    path.write_bytes(pcap([Packet(0, b"x" * 60, 60)], link=147))

    done = call(monkeypatch, "read", "-T", "json", str(path))

    assert (done.code, done.out) == (2, "[]\n")
    assert "147" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing.pcap",), "missing.pcap: no such file"),
        (("/",), "/: is a directory"),
        (("-", "-"), "standard input (-) can only be given once"),
        (("-e", "frame", "x"), "-e and -E need -T fields"),
        (("-E", "header=y", "x"), "-e and -E need -T fields"),
        (("-T", "fields", "FILE"), "-T fields needs at least one -e FIELD"),
        (("-x", "-T", "json", "FILE"), "-x needs -T text"),
        (("-T", "fields", "-e", "parrot.nonsense", "FILE"), "unknown field 'parrot.nonsense'"),
        (("-R", "parrot", "FILE"), "-R is for the first of two readings: it needs -2"),
        (("-Y", "parrot", "--flows", "FILE"), "--flows is for -w OUT with -Y FILTER"),
        (("-w", "out", "--flows", "FILE"), "--flows is for -w OUT with -Y FILTER"),
        (("--packets", "--flow", "0", "FILE"), "--packets goes with -Y, not with --flow"),
        (("-i", "lo", "FILE"), "`streamshark capture` captures packets"),
    ],
)
def test_errors(
    arguments: tuple[str, ...], message: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line that says what, exit code 2, no rows."""
    given = [path if each == "FILE" else each for each in arguments]
    done = call(monkeypatch, "read", *PARROT, *given)

    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "is empty"), (b"hello, world", "not a capture"), (gzip.compress(b"x", mtime=0), "gzip")],
)
def test_foreign_files(
    content: bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they are, or look like."""
    path = tmp_path / "foreign"
    path.write_bytes(content)

    done = call(monkeypatch, "read", str(path))

    assert done.code == 2
    assert done.err.startswith(f"streamshark: {path}: ")
    assert message in done.err


@pytest.mark.process
def test_rows_come_as_packets_come(path: str) -> None:
    """With -l each row is written before the input ends."""
    reader = subprocess.Popen(
        command("read", *PARROT, "-l", "-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert reader.stdin is not None
    assert reader.stdout is not None
    reader.stdin.write(Path(path).read_bytes())
    reader.stdin.flush()
    lines = [reader.stdout.readline() for _ in range(LINES)]
    reader.stdin.close()

    assert b"squawk" in lines[5]
    assert reader.stdout.read() == b""
    assert reader.wait(20) == 0
    reader.stdout.close()


def test_values_that_are_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """In brackets with -V, as columns by name; the tree names all frames that one answers."""
    capture = "captures/rabbitmq_stream/publish_confirm/traffic.pcapng"
    tree = call(monkeypatch, "read", "-V", capture).out
    fields = ("frame", "rmqstream.in_flight", "rmqstream.time_to_confirm")
    chosen = [part for name in fields for part in ("-e", name)]
    columns = call(monkeypatch, "read", "-T", "fields", *chosen, capture).out.splitlines()

    assert "    [Request in: 18, 19, 20]\n    [In flight: 0]\n    [Time to confirm: 121 us]" in tree
    assert {"15\t10\t", "16\t0\t0.000116000", "17\t2\t"} <= set(columns)


def test_what_is_empty_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty metadata and an empty header block differ from absent ones.

    The SETUP also has the flags for leases and resumption.
    """
    made = {}
    for name, mime in (
        ("plain", b"a/b"),
        ("composite", b"message/x.rsocket.composite-metadata.v0"),
    ):
        types = bytes([len(mime)]) + mime + b"\3a/b"
        setup = b"\0\0\0\0\4\xc0\0\1\0\0\0\0\x4e\x20\0\1\x5f\x90\0\1t" + types
        talk = Conversation(server=("10.0.0.2", 7000)).handshake()
        for frame in (setup, b"\0\0\0\1\x11\0\0\0\0x", b"\0\0\0\3\x10\0y"):
            talk.send(0, len(frame).to_bytes(3) + frame)
        made[name] = talk
    talk = Conversation(server=("10.0.0.2", 4222)).handshake().send(1, b"INFO {}\r\n")
    talk.send(0, b"CONNECT {}\r\nHPUB a 12 14\r\nNATS/1.0\r\n\r\nhi\r\nPUB b 2\r\nhi\r\n")
    made["nats"] = talk
    texts, fields = {}, {}
    for name, talk in made.items():
        path = tmp_path / f"{name}.pcap"
        path.write_bytes(pcap(talk.packets))
        rows = call(monkeypatch, "read", str(path)).out.splitlines()[-2:]
        texts[name] = [" ".join(row.split()[7:]) for row in rows]
        lines = call(monkeypatch, "read", "-T", "ndjson", str(path)).out.splitlines()
        frames = map(json.loads, lines)
        found = [each["fields"] for each in frames if each["frame"]]
        fields[name] = [each.get("metadata", each.get("headers")) for each in found[-2:]]
        if name == "plain":
            assert found[0]["flags"]["lease"]
            assert found[0]["flags"]["resume_enable"]
            shown = call(monkeypatch, "read", str(path)).out
            assert " setup metadata=a/b " in shown
            assert " resume_enable|lease" in shown

    asked = 'request_response stream=1 metadata=empty "x"'
    plain = 'request_response stream=3 "y"'
    assert texts == {
        "plain": [asked, plain],
        "composite": [asked, plain],
        "nats": ['hpub a 2 bytes "hi"', 'pub b 2 bytes "hi"'],
    }
    assert fields == {"plain": ["", None], "composite": [[], None], "nats": [[], None]}
