"""Where the secrets of frames stand, and rows without them."""

import pytest
from tests.madeup import aviary, vault

from streamshark.frames.secrets import Veil
from streamshark.schema.secrets import Span


@pytest.mark.parametrize(
    ("data", "hidden"),
    [
        (aviary.say(), ""),
        (aviary.login("a", "bcd"), "bcd"),
        (aviary.login("a", "bcd", b"ef"), "bcdef"),
        (aviary.login("a", "bcd")[:-1], "a\x03bc"),
        (aviary.login("a", "")[:-1], "a"),
    ],
)
def test_secrets_are_left_out(data: bytes, hidden: str) -> None:
    """Their bytes without the length; in a cut frame the last text too, whose length may lie."""
    row = aviary.row(data)

    spans = Veil(None).spans(row)

    assert "".join(row.data[start:end].decode() for start, end, _ in spans) == hidden


def test_frames_that_no_schema_reads() -> None:
    """All is left out where another frame of the same key has secrets."""
    row = aviary.row(aviary.login())
    row.decoder = None

    assert Veil(None).spans(row) == [Span(3, len(row.data))]

    row.selector = None

    assert Veil(None).spans(row) == []
    assert Veil(None).spans(aviary.row(aviary.frame(9, b"abc"))) == []


@pytest.mark.parametrize(
    ("kind", "hidden"),
    [(vault.KEY, [vault.BODY]), (vault.OPEN, []), (None, [vault.BODY])],
)
def test_slots_in_which_a_secret_may_stand(kind: str | None, hidden: list[bytes]) -> None:
    """All bytes of those that are of such a type, or of a type that is not known."""
    frames = [vault.put()] if kind is None else [vault.hello(kind), vault.put()]

    rows = vault.rows(*frames)
    found = [row.data[start:end] for row in rows for start, end, _ in Veil(None).spans(row)]

    assert found == hidden


def test_frames_that_a_wrong_length_puts_into_others() -> None:
    """From where a frame with secrets may begin, nothing is shown of what is not decoded."""
    login = aviary.login("a", "bcd")
    for plain in (aviary.said(), aviary.frame(9, b"\x01")):  # a known command, an unknown one
        row = aviary.row((len(plain) - 2 + len(login)).to_bytes(2) + plain[2:] + login)
        (span,) = Veil(None).spans(row)

        assert row.data[span.start : span.end] == login
        assert Veil(None).spans(aviary.row(plain)) == []
