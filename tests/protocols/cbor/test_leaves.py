"""Where values are: also in bytes that are cut or damaged."""

from random import Random

from streamshark.protocols.cbor.leaves import leaves

DATA = bytes.fromhex("a2646e616d65644a616e65636e756d1a000f4240")


def test_values_are_found() -> None:
    """With their kinds."""
    found = [(each.kind.name, DATA[each.start : each.end]) for each in leaves(DATA)]
    assert found == [
        ("TEXT", b"name"),
        ("TEXT", b"Jane"),
        ("TEXT", b"num"),
        ("NUMBER", b"\0\x0fB@"),
    ]


def test_any_bytes_have_leaves_in_order() -> None:
    """Cut, changed, random: nothing raises, and no leaf overlaps another."""
    random = Random(7)  # noqa: S311 - reproducible
    cases = [DATA[:at] for at in range(len(DATA))]
    for _ in range(300):
        changed = bytearray(DATA)
        changed[random.randrange(len(DATA))] = random.randrange(256)
        cases += [bytes(changed), random.randbytes(random.randrange(40))]
    for each in cases:
        at = 0
        for leaf in leaves(each):
            assert at <= leaf.start < leaf.end <= len(each), each.hex()
            at = leaf.end
