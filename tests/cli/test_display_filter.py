"""`-Y`: display filters in the commands that read captures."""

import json
from pathlib import Path

import pytest
from tests.cli.console import call
from tests.failures import Failures
from tests.filters.reading import LOGIN, PUBLISH

from streamshark.capture.commenting import commented

LOGIN_FAILS = "rmqstream.sasl_authenticate_response"


def test_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Selects rows in every format; their numbers stay."""
    text = (
        'rmqstream.command == "publish" && rmqstream.publish.published_messages.publishing_id > 12'
    )
    lines = call(monkeypatch, "read", "-Y", text, str(PUBLISH)).out.splitlines()
    objects = call(monkeypatch, "read", "-T", "ndjson", "-Y", text, str(PUBLISH)).out.splitlines()

    assert [line.split()[:2] for line in lines] == [["18", "p25"], ["19", "p25"], ["20", "p25"]]
    assert [json.loads(each)["frame"] for each in objects] == [18, 19, 20]
    everything = call(monkeypatch, "read", str(PUBLISH)).out
    assert call(monkeypatch, "read", "-Y", "tcp", str(PUBLISH)).out == everything


def test_a_read_filter_drops_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `-2`, and beside `-Y`."""
    given = ("-R", "frame < 5", "-Y", "frame > 3", str(PUBLISH))
    assert len(call(monkeypatch, "read", "-2", *given).out.splitlines()) == 1
    done = call(monkeypatch, "read", *given)
    assert (done.code, done.out) == (2, "")
    assert "-R is for the first of two readings: it needs -2" in done.err


def test_errors_show_where(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, the filter, carets; exit code 2."""
    done = call(monkeypatch, "read", "-Y", "tcp && rmqstream.publishes", str(PUBLISH))

    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines() == [
        (
            'streamshark: "rmqstream.publishes" is neither a field nor a protocol; '
            'did you mean "rmqstream.publish"?'
        ),
        "tcp && rmqstream.publishes",
        "       ^^^^^^^^^^^^^^^^^^^",
    ]


def test_what_no_row_can_satisfy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Is said, with the option that tests packets."""
    done = call(monkeypatch, "read", "-Y", "rmqstream.publish && rmqstream.open", str(PUBLISH))
    assert (done.code, done.out) == (0, "")
    assert "--packets tests whole packets" in done.err
    done = call(monkeypatch, "read", "-Y", "rmqstream.publish && frame > 999", str(PUBLISH))
    assert (done.code, done.out, done.err) == (0, "", "")


def test_a_first_reading_where_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers and findings; not from standard input."""
    lines = call(monkeypatch, "read", "-Y", 'finding.rule == "RMQ-N6"', str(LOGIN)).out.splitlines()
    assert [line.split()[0] for line in lines] == ["5", "6"]
    done = call(monkeypatch, "read", "-Y", "answer.missing", "-", stdin=LOGIN.read_bytes())
    assert "this filter reads captures twice" in done.err


def test_other_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings, conversations, connections, statistics, arrows, decoded bytes."""

    def out(command: str, text: str, *more: str, path: Path = LOGIN) -> str:
        done = call(monkeypatch, command, "-Y", text, *more, str(path))
        assert done.code == 0, done.err
        return done.out

    with Failures() as failures:
        with failures.of("check"):
            assert "RMQ-N6" in out("check", LOGIN_FAILS)
            assert out("check", "rmqstream.open").startswith("no findings")
            assert "RMQ-N6" in out("check", LOGIN_FAILS, "-l")
        with failures.of("conversations"):
            assert "0-10-call" in out("conversations", LOGIN_FAILS)
            assert "0-4-call" not in out("conversations", LOGIN_FAILS)
        with failures.of("stats"):
            table = out("stats", LOGIN_FAILS, "-T", "csv")
            assert [line.split(",")[1] for line in table.splitlines()[1:]] == ["sasl_authenticate"]
            tap = out("stats", LOGIN_FAILS, "-z", "io,stat,0")
            assert "|      1 |" in tap or " 1 " in tap
        with failures.of("explain"):
            assert "\nConnection 0" in out("explain", LOGIN_FAILS)
            assert not out("explain", "rmqstream.publish")
        with failures.of("diagram"):
            drawn = out("diagram", LOGIN_FAILS)
            assert "6 sasl_authenticate_response" in drawn
            assert "peer_properties" not in drawn
        with failures.of("messages"):
            text = "rmqstream.publish.published_messages.publishing_id > 12"
            assert len(out("messages", text, path=PUBLISH).splitlines()) == 3
        with failures.of("decode"):
            hex_text = "0000000400170001" * 2
            done = call(monkeypatch, "decode", "-Y", "rmqstream.heartbeat && frame == 2", hex_text)
            assert [json.loads(each)["frame"] for each in done.out.splitlines()] == [2]


def test_comments_on_packets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A row has the comments on the packet that completed it."""
    path = tmp_path / "commented.pcapng"
    places = {(0, 1): ["a SYN"], (0, 25): ["look at this", "and this"]}
    path.write_bytes(b"".join(commented([str(PUBLISH)], places)))
    for text, frames, packets in (
        ("frame.comment", "publish publish publish", "1 25"),
        ('frame.comment contains "look"', "publish publish publish", "25"),
        ('frame.comment == "and this"', "publish publish publish", "25"),
        ('frame.comment matches "(?i)syn"', "", "1"),
        ("!frame.comment && frame.number == 25", "", ""),
    ):
        given = ("-Y", text, "-T", "fields", str(path))
        done = call(monkeypatch, "read", *given, "-e", "rmqstream.command")
        assert done.out.split() == frames.split(), text
        done = call(monkeypatch, "read", "--packets", *given, "-e", "frame.number")
        assert done.out.split() == packets.split(), text
