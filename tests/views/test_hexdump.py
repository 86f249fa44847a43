"""Bytes, and what is left out of them."""

import subprocess
from pathlib import Path

import pytest
from tests.builders import Conversation, pcap
from tests.madeup import aviary, vault
from tests.reading import ALONE

from streamshark.views.hexdump import dump, secret_spans


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
    assert dump(b"user\x00secret", [(5, 11)]) == (
        f"0000  {'75 73 65 72 00 ** ** ** ** ** **':<47}   user.******\n"
    )
    assert dump(b"") == ""


@pytest.mark.parametrize(
    ("data", "hidden"),
    [
        (aviary.say(), ""),
        (aviary.login("a", "bcd"), "bcd"),
        (aviary.login("a", "bcd", b"ef"), "bcdef"),
        (aviary.login("a", "bcd")[:-1], "\x03bc"),
        (aviary.login("a", "")[:-1], ""),
    ],
)
def test_secrets_are_left_out(data: bytes, hidden: str) -> None:
    """Their bytes without the length; in a cut frame all that could not be decoded."""
    row = aviary.row(data)

    spans = secret_spans(row)

    assert "".join(row.data[start:end].decode() for start, end in spans) == hidden


def test_frames_that_no_schema_reads() -> None:
    """All is left out where another frame of the same key has secrets."""
    row = aviary.row(aviary.login())
    row.decoder = None

    assert secret_spans(row) == [(3, len(row.data))]

    row.selector = None

    assert secret_spans(row) == []
    assert secret_spans(aviary.row(aviary.frame(9, b"abc"))) == []


@pytest.mark.parametrize(
    ("kind", "hidden"),
    [(vault.KEY, [b"", vault.BODY]), (vault.OPEN, []), (None, [vault.BODY])],
)
def test_slots_in_which_a_secret_may_stand(kind: str | None, hidden: list[bytes]) -> None:
    """All bytes of those that are of such a type, or of a type that is not known."""
    frames = [vault.put()] if kind is None else [vault.hello(kind), vault.put()]

    found = [row.data[start:end] for row in vault.rows(*frames) for start, end in secret_spans(row)]

    assert found == hidden
