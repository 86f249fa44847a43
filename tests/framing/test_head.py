"""Heads say how long a frame is, or that they are not whole."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tests.failures import every
from tests.framing.parcel_protocol import HEAD, SPOKEN, TICKS, send, signed

from streamshark.framing.head import NO_FRAME, measurer, selecting, whole
from streamshark.protocols.catalog import catalog
from streamshark.schema import U16, U32, Bits, Head, LineHead, field, part, reserved, this


def test_a_binary_head_is_measured() -> None:
    """Total, key, version and response bit come from the head's members."""
    measure = measurer(HEAD)
    data = send() + signed()

    assert measure(data, 0, len(data)) == (len(send()), 1, 1, False)
    assert measure(data, len(send()), len(data)) == (len(signed()), 1, 1, True)


def test_a_short_head_needs_more() -> None:
    """A head that is not whole is no problem, whatever its bytes."""
    measure = measurer(HEAD)

    for end in range(8):
        assert measure(TICKS, 0, end) is None


def test_a_line_is_measured_with_its_payload() -> None:
    """A sized verb counts the bytes after its line and their line end."""
    measure = measurer(SPOKEN.heads[""])
    data = b"say 5\r\nhello\r\nBYE\r\n"

    assert measure(data, 0, len(data)) == (14, "say", None, False)
    assert measure(data, 14, len(data)) == (5, "bye", None, False)
    assert measure(data, 0, 6) is None


def test_a_line_that_is_none_has_no_length() -> None:
    """An unknown verb, a size that is not a number and an endless line are not frames."""
    measure = measurer(SPOKEN.heads[""])

    for data in (b"SING 5\r\n", b"SAY x\r\n", b"SAY 1234567890\r\n", b"\r\n", b"x" * 80):
        measured = measure(data, 0, len(data))
        assert measured is not None
        assert measured[0] == NO_FRAME


class Says(dict[Any, str]):
    """Something of every frame, but for those of key 0."""

    def __missing__(self, said: tuple[int | str, int | None, bool]) -> str | None:
        """Told as it is."""
        return str(said) if said[0] else None


def heads() -> Iterator[tuple[str, Head | LineHead]]:
    """Those of all protocols, by protocol and dialect."""
    for protocol in catalog():
        wire = protocol.wire
        for kind, found in (("", wire.heads), ("bare", wire.bare)):
            for dialect, head in found.items():
                yield f"{wire.id} {dialect} {kind}", head


@pytest.mark.slow
@every(("title", "head"), heads, ids=lambda case: case[0])
def test_what_takes_up_all_bytes_is_told_as_measured(title: str, head: Head | LineHead) -> None:
    """Of noise like heads, twice, since it is remembered."""
    measure, annotates, chance, told = measurer(head), whole(head, Says()), Random(7), 0  # noqa: S311 - no secret
    for _ in range(8_000):
        data = bytearray(chance.choice((0, 0, 0, 1, 2, 128)) for _ in range(chance.randrange(20)))
        for at in range(3, len(data), 4):
            data[at] = abs(len(data) - chance.choice((0, 3, 4, 8)))
        measured = measure(bytes(data), 0, len(data))
        is_one = measured is not None and measured[0] == len(data)
        expected = Says()[measured[1:]] if is_one and measured else None
        assert annotates(bytes(data)) == annotates(bytes(data)) == expected, bytes(data)
        told += expected is not None
    assert told or selecting(head) is None, title


def test_what_selects() -> None:
    """Bytes of which no bit says anything else."""
    size, rest = field("size", U32, "S."), reserved(4)
    both = Bits(2, part("bit", 1, "B."), part("key", 15, "K."))
    version = field("version", U16, "V.")

    def place(*members: Any) -> slice | None:  # noqa: ANN401 - members
        return selecting(Head(members, this.size + 4, "key", "version", "bit"))

    assert place(size, both, version) == slice(4, 8)
    assert place(both, version, size) == slice(0, 4)
    assert place(both, size, version) is None
    mixed = Bits(2, part("bit", 1, "B."), rest, part("key", 11, "K."))
    assert place(size, mixed, version) is None
    assert selecting(SPOKEN.heads[""]) is None
