"""Single drawn values: of the wanted size, at boundaries often."""
# ruff: noqa: S311 - seeds

from random import Random

import pytest
from tests.failures import every

from streamshark.schema.protobuf import WIRE_TYPES
from streamshark.schema.random_values import PIECES, SIZES, RandomValues


@pytest.mark.parametrize("encoding", PIECES)
def test_text_has_exactly_the_wanted_bytes(encoding: str) -> None:
    """In its own encoding."""
    draws = RandomValues(Random(1))
    for size in SIZES:
        text = draws.text(size, encoding)
        if encoding == "mutf-8":
            units = text.encode("utf-16-be")
            codes = [int.from_bytes(units[i : i + 2], "big") for i in range(0, len(units), 2)]
            assert sum(2 if not c else 1 + (c > 127) + (c > 2047) for c in codes) == size
        else:
            assert len(text.encode(encoding)) == size


def test_numbers_are_often_boundaries_and_always_in_range() -> None:
    """Both ends, zero, and what is asked for."""
    draws = RandomValues(Random(1))

    drawn = [draws.number(-128, 127, {5, 500}) for _ in range(400)]

    assert {-128, 0, 127, 5} <= set(drawn)
    assert min(drawn) >= -128
    assert max(drawn) <= 127


def test_lean_draws_the_least_and_full_the_most() -> None:
    """Coins, choices and sizes."""
    lean, full = RandomValues(Random(1), ["lean"]), RandomValues(Random(1), ["full"])

    assert (lean.coin(), lean.few(3), lean.size(255), lean.items()) == (False, 0, 0, 0)
    assert (full.coin(), full.few(3), full.size(255), full.items()) == (True, 3, 255, 3)
    assert (lean.ends_here(), full.ends_here()) == (True, False)


def test_tails_end_once_and_a_region_has_its_own() -> None:
    """After the first absent one none comes back, but in the region around."""
    draws = RandomValues(Random(1), ["lean"])
    assert draws.ends_here()
    draws.loosen()
    draws.mode = "full"
    assert not draws.ends_here()
    draws.mode = "lean"
    with draws.region():
        assert draws.ends_here()
    draws.mode = "full"

    assert not draws.ends_here()


def test_messages_have_a_depth() -> None:
    """A recursive message ends."""
    draws = RandomValues(Random(1))
    depth = 0
    while draws.deeper():
        depth += 1
    draws.shallower()

    assert depth == 5
    assert draws.deeper()


@every("kind", sorted(WIRE_TYPES.keys() - {"message", "map"}))
def test_every_protobuf_scalar_is_drawn(kind: str) -> None:
    """In the range of its type."""
    draws = RandomValues(Random(1))
    for _ in range(50):
        value = draws.proto(kind)
        assert isinstance(value, {"string": str, "bytes": bytes}.get(kind, (int, float)))


def test_unknown_fields_fit_their_wire_type() -> None:
    """Eight, four or any number of bytes, or a number."""
    draws = RandomValues(Random(1))
    for _ in range(50):
        kept = draws.unknown_field(9)
        wanted = {1: 8, 5: 4}.get(kept["wire_type"])
        assert wanted is None or len(kept["value"]) == wanted


@pytest.mark.parametrize("kind", ["text", "number", "tokens", "rest", "quoted"])
def test_arguments_are_drawn(kind: str) -> None:
    """A token is never empty and has no blank."""
    draws = RandomValues(Random(1))
    for _ in range(50):
        value = draws.argument(kind)
        if kind == "text":
            assert value
            assert " " not in value
