"""The public API."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.builders import pcap
from tests.test_session import PROTOCOLS, talk

import streamshark


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
