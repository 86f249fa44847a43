"""Where the secrets of frames stand, and rows without them."""

from random import Random

import pytest
from tests.draw import draw
from tests.failures import every
from tests.madeup import parrot_traffic, vault
from tests.protocols.test_vectors import WIRES, cases

from streamshark.cli.raw_bytes import rows_of
from streamshark.decoding.decoder import Decoder
from streamshark.dissection import masking
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import FrameRow
from streamshark.protocols.catalog import catalog, formats, layers
from streamshark.schema.secrets import SecretSpan, credentials


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


PIECES = (
    b"?token=abc", b"&pat=1;", b"=", b"secret", b" Bearer abc", b"earer=", b"nats://a:bc@d",
    b"eyJhbGci.eyJ", b"?a=b?key=c", b"#to%6ben=x", b"?a.b-c_d=e", b"basic QWJj", b"assword", b"me@",
)  # fmt: skip
"""Bytes that make a secret, or could make one."""

MESSAGES = {"publish", "deliver"}
"""Commands of RabbitMQ Streams with records in slots that hold nothing but messages."""


class Thorough(SecretMask):
    """A mask that looks at every frame."""

    def _is_quiet(self, *_: object) -> bool:
        return False


@every("protocol", WIRES)
def test_a_frame_that_is_not_looked_at_has_no_secret(
    protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Vectors as they are, and with pieces of secrets written over some of their bytes.

    Texts with NUL are left out: metadata of gRPC has them, and no length that could be wrong.
    """
    monkeypatch.setattr(masking, "_lies", lambda _text: False)
    table, readers = WIRES[protocol].table(), layers(catalog(), formats())
    quick, thorough = SecretMask(readers), Thorough(readers)
    for vector, _, _ in cases(protocol):
        random = Random(f"{draw()} {vector.name}")  # noqa: S311 - the same each time
        for piece in (b"", *random.sample(PIECES, 2)):
            at = random.randrange(len(vector.data) + 1)
            data = (vector.data[:at] + piece + vector.data[at + len(piece) :])[: len(vector.data)]
            for row in rows_of(data, table, None):
                if not isinstance(row, FrameRow) or (found := quick.spans(row)):
                    continue
                missed = thorough.spans(row)
                if row.command in MESSAGES:  # messages that no schema reads are the user's data
                    missed = [each for each in missed if credentials(row.data[slice(*each[:2])])]
                assert found == missed, (vector.name, piece, at)


def test_random_bodies_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as no frame of them is likely to have something like a secret in it."""
    random = Random(5)  # noqa: S311 - the same each time
    data = b"".join(b"PUB a.b 9000\r\n%b\r\n" % random.randbytes(9000) for _ in range(20))
    rows = list(rows_of(data, WIRES["nats"].table(), "client"))
    looked = []
    monkeypatch.setattr(Decoder, "examine", lambda *given: looked.append(given))
    for row in rows:
        assert isinstance(row, FrameRow)
        assert b"=" in row.data
        SecretMask(layers(catalog(), formats())).spans(row)
    assert (len(rows), looked) == (20, [])
