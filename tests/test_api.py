"""The public API."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.builders import pcap
from tests.cli.console import call
from tests.test_session import PROTOCOLS, talk

import streamshark
from streamshark.errors import StreamsharkError


def test_the_public_api_gives_records(tmp_path: Path) -> None:
    """`streamshark.open` returns a session."""
    path = tmp_path / "a.pcap"
    path.write_bytes(pcap(talk().packets))
    found = list(streamshark.open(str(path), protocols=PROTOCOLS))

    assert [frame.command for frame in found][:3] == ["open", "send", "send"]
    assert [frame.is_event for frame in found][:2] == [True, False]
    assert found[0].time.isoformat().startswith(str(found[0].time.date()))
    assert (str(found[0]).split()[-2:], str(found[1]).split()[0]) == (["tcp", "open"], "1")


def test_printed_frames_are_lines_of_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are those of `read` without what the engine adds; secrets are hidden."""
    path = "captures/rabbitmq_stream/login_fails/traffic.pcapng"
    wanted = call(monkeypatch, "read", path).out.splitlines()
    shown = [str(frame) for frame in streamshark.open(path)]

    assert len(shown) == len(wanted)
    for line, expected in zip(shown, wanted, strict=True):
        assert expected.strip().startswith(line)
    assert path in str(next(iter(streamshark.open(path, path))))
    assert "response_code': 8 (authentication_failure)" in repr([*streamshark.open(path)])


def test_findings_and_conversations_are_those_of_the_commands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They have the order of the commands, also those about unrecognised connections."""
    for name in ("nats/cluster_stops_py", "rabbitmq_stream/credit_starves_java"):
        (path,) = map(str, Path("captures", name).glob("traffic.*"))
        checked = call(monkeypatch, "check", "--level", "chat", "-T", "ndjson", path).out
        listed = call(monkeypatch, "conversations", "-T", "ndjson", path).out

        findings = [json.loads(line) for line in checked.splitlines()]
        assert [(each.rule, each.message) for each in streamshark.check(path)] == [
            (each["rule"], each["message"]) for each in findings
        ]
        ids = [json.loads(line)["id"] for line in listed.splitlines()]
        assert [each.id for each in streamshark.read_conversations(path)] == ids


@pytest.mark.process
def test_the_package_is_light_to_import() -> None:
    """`import streamshark` imports neither construct nor the command line."""
    told = "import sys, streamshark; print('construct' in sys.modules, 'click' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "False"]


def test_frames_are_encoded_and_changed() -> None:
    """Frames are encoded from raw values, and changed by them."""
    assert streamshark.encode("nats", "pub", {"subject": "a", "payload": b"hi"}) == (
        b"PUB a 2\r\nhi\r\n"
    )
    paths = Path("captures/rabbitmq_stream/publish_confirm").glob("traffic.*")
    frames = list(streamshark.open(*map(str, paths), show_secrets=True))
    first = next(
        each for each in frames if (each.command, each.kind) == ("declare_publisher", "request")
    )
    (name,) = [name for name, value in first.fields.items() if name.startswith("stream")]
    made = streamshark.amend(first, {(name,): "other"})

    assert made == streamshark.encode(
        "rabbitmq-stream", "declare_publisher", first.fields | {name: "other"}, kind="request"
    )
    for frame in frames:
        if frame.kind != "event":
            assert streamshark.amend(frame, {}) == frame.data


def test_frames_that_cannot_be_encoded() -> None:
    """The error names the frame or the field."""
    with pytest.raises(StreamsharkError, match="nats has no command 'publish'"):
        streamshark.encode("nats", "publish", {})
    with pytest.raises(StreamsharkError, match=r"nats\.pub\.subject: 'a b' is not a token"):
        streamshark.encode("nats", "pub", {"subject": "a b", "payload": b""})
