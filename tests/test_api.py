"""The public API."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.builders import pcap
from tests.test_session import PROTOCOLS, talk

import streamshark
from streamshark.errors import StreamsharkError


def test_the_public_api_gives_records(tmp_path: Path) -> None:
    """`streamshark.open` is a session."""
    path = tmp_path / "a.pcap"
    path.write_bytes(pcap(talk().packets))
    found = list(streamshark.open(str(path), protocols=PROTOCOLS))

    assert [frame.command for frame in found][:3] == ["open", "send", "send"]
    assert found[0].kind == "event"


@pytest.mark.process
def test_the_package_is_light_to_import() -> None:
    """`import streamshark` loads neither construct nor the command line."""
    told = "import sys, streamshark; print('construct' in sys.modules, 'click' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "False"]


def test_frames_are_encoded_and_changed() -> None:
    """From raw values, as frames have them."""
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
