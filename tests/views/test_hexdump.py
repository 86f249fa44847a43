"""Bytes, and what is left out of them."""

import subprocess
from pathlib import Path

import pytest
from tests.builders import Conversation, pcap
from tests.reading import ALONE

from streamshark.schema.secrets import SecretSpan
from streamshark.views.hexdump import dump


@pytest.mark.process
def test_the_layout_is_that_of_tshark(tmp_path: Path) -> None:
    """Line for line."""
    talk = Conversation().handshake()
    talk.send(0, bytes(range(256)))
    path = tmp_path / "bytes.pcap"
    path.write_bytes(pcap(talk.packets[-1:]))
    shown = subprocess.run(
        ["tshark", "-n", "-x", "-r", str(path)],
        capture_output=True,
        check=True,
        text=True,
        env=ALONE,
    ).stdout
    wanted = [line for line in shown.splitlines() if line]

    assert dump(talk.packets[-1].data).splitlines() == wanted


def test_hidden_bytes() -> None:
    """Neither in hex nor in letters."""
    assert dump(b"user\x00secret", [SecretSpan(5, 11)]) == (
        f"0000  {'75 73 65 72 00 ** ** ** ** ** **':<47}   user.******\n"
    )
    assert dump(b"") == ""
