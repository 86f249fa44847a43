"""Where the secrets of frames stand, and rows without them."""

import pytest
from tests.madeup import parrot_traffic, vault

from streamshark.dissection.masking import SecretMask
from streamshark.schema.secrets import SecretSpan


@pytest.mark.parametrize(
    ("data", "hidden"),
    [
        (parrot_traffic.say(), ""),
        (parrot_traffic.login("a", "bcd"), "bcd"),
        (parrot_traffic.login("a", "bcd", b"ef"), "bcdef"),
        (parrot_traffic.login("a", "bcd")[:-1], "a\x03bc"),
        (parrot_traffic.login("a", "")[:-1], "a"),
    ],
)
def test_secrets_are_left_out(data: bytes, hidden: str) -> None:
    """Their bytes without the length; in a cut frame the last text too, whose length may lie."""
    row = parrot_traffic.row(data)

    spans = SecretMask(None).spans(row)

    assert "".join(row.data[start:end].decode() for start, end, _ in spans) == hidden


def test_frames_that_no_schema_reads() -> None:
    """All is left out where another frame of the same key has secrets."""
    row = parrot_traffic.row(parrot_traffic.login())
    row.decoder = None

    assert SecretMask(None).spans(row) == [SecretSpan(3, len(row.data))]

    row.selector = None

    assert SecretMask(None).spans(row) == []
    assert SecretMask(None).spans(parrot_traffic.row(parrot_traffic.frame(9, b"abc"))) == []


@pytest.mark.parametrize(
    ("kind", "hidden"),
    [(vault.KEY, [vault.BODY]), (vault.OPEN, []), (None, [vault.BODY])],
)
def test_slots_in_which_a_secret_may_stand(kind: str | None, hidden: list[bytes]) -> None:
    """All bytes of those that are of such a type, or of a type that is not known."""
    frames = [vault.put()] if kind is None else [vault.hello(kind), vault.put()]

    rows = vault.rows(*frames)
    found = [row.data[start:end] for row in rows for start, end, _ in SecretMask(None).spans(row)]

    assert found == hidden


def test_frames_that_a_wrong_length_puts_into_others() -> None:
    """From where a frame with secrets may begin, nothing is shown of what is not decoded."""
    login = parrot_traffic.login("a", "bcd")
    for plain in (
        parrot_traffic.said(),
        parrot_traffic.frame(9, b"\x01"),
    ):  # a known command, an unknown one
        row = parrot_traffic.row((len(plain) - 2 + len(login)).to_bytes(2) + plain[2:] + login)
        (span,) = SecretMask(None).spans(row)

        assert row.data[span.start : span.end] == login
        assert SecretMask(None).spans(parrot_traffic.row(plain)) == []
