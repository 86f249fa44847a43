"""`streamshark conversations`."""

import json
from pathlib import Path

import pytest
from tests.builders import Conversation
from tests.cli.console import PARROT, call
from tests.madeup import parrot_traffic

CAPTURES = Path("captures")


def capture(scenario: str) -> str:
    """A recorded capture."""
    (path,) = (CAPTURES / scenario).glob("traffic.*")
    return str(path)


PUBLISHES = capture("rabbitmq_stream/publish_confirm")
STREAMS = capture("rsocket/interactions_js")


def test_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line each, under a head."""
    done = call(monkeypatch, "conversations", PUBLISHES)
    lines = done.out.splitlines()

    assert (done.code, done.err) == (0, "")
    assert lines[0].split() == ["conversation", "state", "start", "lasted", "frames"]
    assert [each.split()[0] for each in lines[-3:]] == ["0-30-call", "0-32-call", "0-4-connection"]


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (("--type", "publisher"), ["0-18-publisher"]),
        (("--state", "failed"), []),
        (("--flow", "0", "--type", "connection", "--type", "publisher"),
         ["0-18-publisher", "0-4-connection"]),
        (("--flow", "7"), []),
    ],
)  # fmt: skip
def test_filters(options: tuple[str, ...], ids: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """All must hold; what is empty says so, and is still JSON."""
    done = call(monkeypatch, "conversations", "-T", "json", *options, PUBLISHES)

    assert [each["id"] for each in json.loads(done.out)] == ids
    assert done.err == (
        ""
        if ids
        else "streamshark: no conversation matches the options (10 conversations in all)\n"
    )
    assert done.code == 0


def test_an_unknown_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """Is an error that names the types, as an unknown state is."""
    done = call(monkeypatch, "conversations", "--type", "publishers", PUBLISHES)

    assert (done.code, done.out) == (2, "")
    assert "--type 'publishers': not a type (known: call, connection, " in done.err


def test_lines_of_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same objects."""
    lines = call(monkeypatch, "conversations", "-T", "ndjson", STREAMS).out.splitlines()
    array = call(monkeypatch, "conversations", "-T", "json", STREAMS).out
    assert [json.loads(each) for each in lines] == json.loads(array)


def test_ids_are_those_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """`conversation` of `read -T ndjson`."""
    rows = call(monkeypatch, "read", "-T", "ndjson", PUBLISHES).out.splitlines()
    listed = call(monkeypatch, "conversations", "-T", "ndjson", PUBLISHES).out.splitlines()
    named = {json.loads(each)["conversation"] for each in rows} - {None}

    assert named <= {json.loads(each)["id"] for each in listed}


def test_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every frame of a publisher, those of the calls that declare and delete it too."""
    done = call(monkeypatch, "conversations", "--follow", "0-18-publisher", PUBLISHES)

    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("0-18-publisher  done  rabbitmq_stream  ")
    shown = [each.split()[1] for each in done.out.splitlines() if "client -->" in each]
    answers = [each.split()[1] for each in done.out.splitlines() if "<-- server" in each]
    assert sorted(map(int, shown + answers)) == list(range(11, 25))


@pytest.mark.parametrize("id_", ["0-14-stream", "0-4-connection"])
def test_follow_shows_as_many_frames_as_there_are(
    id_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an RSocket stream and of a connection."""
    (told,) = (
        each
        for each in json.loads(call(monkeypatch, "conversations", "-T", "json", STREAMS).out)
        if each["id"] == id_
    )
    rows = call(monkeypatch, "conversations", "-T", "ndjson", "--follow", id_, STREAMS).out
    frames = [row["frame"] for row in map(json.loads, rows.splitlines()) if row["frame"]]

    assert len(frames) == told["frame_count"]
    assert (frames[0], frames[-1]) == (told["first_frame"], told["last_frame"])


def test_follow_with_findings_and_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings beside the frame; -V has the fields."""
    done = call(monkeypatch, "conversations", "-V", "--follow", "0-10-stream", STREAMS)

    assert "\n                [N] RSK-S20 ERROR 513 (application_error)" in done.out
    assert "\n        error_code: application_error (0x201)\n" in done.out


def test_follow_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows over the limit are counted."""
    done = call(monkeypatch, "conversations", "--most", "3", "--follow", "0-4-connection", STREAMS)
    assert "\n... and 35 more rows; --most N shows more\n" in done.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--follow", "0-18-parrot"), "similar ids: 0-18-call, 0-18-publisher"),
        (("--follow", "7-4-call"), "no conversation has the id 7-4-call; similar ids: 0-4-call, "),
        (("--follow", "0-1-call"), "no conversation has the id 0-1-call; similar ids: 0-4-call ("),
        (
            ("--follow", "publisher"),
            "is not a conversation id (expected FLOW-PACKET-TYPE, such as 0-18-publisher)",
        ),
        (("--follow", "0-4-call", "--type", "call"), "--type, --state and --flow select"),
        (("-V",), "-V needs --follow"),
        (("--state", "dead"), "'dead' is not one of"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Are told in one line."""
    done = call(monkeypatch, "conversations", *arguments, PUBLISHES)

    assert (done.code, done.out) == (2, "")
    assert told in done.err
    assert done.err.count("\n") == 1


def test_a_protocol_without_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has connections."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    done = call(monkeypatch, "conversations", *PARROT, path)
    page = call(monkeypatch, "conversations", *PARROT, "--follow", "0-4-connection", path)

    assert done.out.splitlines()[-1].endswith("parrot_talk 10.0.0.1:40000 -> 10.0.0.2:7777")
    assert "client --> login" in page.out


def test_nothing_recognised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Says what is there instead."""
    talk = Conversation(server=("10.0.0.2", 9999)).handshake().send(0, b"nothing of ours" * 9)
    path = parrot_traffic.write(tmp_path, talk)
    for more in ((), ("--follow", "0-1-call")):
        done = call(monkeypatch, "conversations", *more, path)
        assert (done.code, done.out) == (0, "" if more else done.out)
        assert "no known protocol" in done.err


def test_strict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Damage counts."""
    path = parrot_traffic.write(tmp_path, parrot_traffic.talk())
    Path(path).write_bytes(Path(path).read_bytes()[:-5])
    assert call(monkeypatch, "conversations", *PARROT, "--strict", path).code == 3


def test_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """States and sides, where they are wanted."""
    assert "\x1b" not in call(monkeypatch, "conversations", STREAMS).out
    painted = call(monkeypatch, "conversations", "--color", "always", STREAMS).out
    assert "\x1b[1;31mfailed    \x1b[0m" in painted
