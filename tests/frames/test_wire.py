        dataclasses.replace(WIRE, frames=(*WIRE.frames, twin)).table()


def test_the_longest_match_names_another_protocol() -> None:
    """Whatever the order of declaration."""
    wire = dataclasses.replace(WIRE, foreign={b"AB": "two", b"ABC": "three"})

    assert [wire.foreign_name(each) for each in (b"ABD", b"ABCD", b"A")] == ["two", "three", None]
