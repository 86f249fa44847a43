"""Classes of records whose declaration takes little time."""

import dataclasses
import pickle
from functools import cached_property
from typing import cast

import pytest

from streamshark.light_dataclass import record


@record
class Point:
    """Two numbers and a name."""

    x: int
    y: int = 0
    name: str = dataclasses.field(default="", kw_only=True)


@record
class Place:
    """Has the same members as `Point`."""

    x: int
    y: int = 0
    name: str = ""


@record(slots=False, eq=False)
class Named:
    """Compares by identity."""

    name: str

    @cached_property
    def loud(self) -> str:
        """Return a name in capital letters."""
        return self.name.upper()


@record(slots=False)
class Made:
    """Has members of every kind."""

    x: int
    items: list[int] = dataclasses.field(default_factory=list)
    tag: str = dataclasses.field(default="", kw_only=True)
    total: int = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", self.x + sum(self.items))


@record(slots=False)
class Wider(Made):
    """Has one more."""

    wide: int = 0


def test_they_are_compared_by_their_members() -> None:
    """Instances are equal if class and members are."""
    assert Point(1) == Point(1, 0)
    assert hash(Point(1)) == hash(Point(1, 0))
    assert Point(1) != Point(1, 2)
    assert Point(1) != cast("Point", Place(1))
    assert len({Point(1), Point(1), Point(2)}) == 2


def test_or_by_identity() -> None:
    """Instances that compare by identity may cache what they compute."""
    one = Named("a")

    assert one == one  # noqa: PLR0124 - equal to itself
    assert one != Named("a")
    assert one.loud is one.loud
    assert len({one, Named("a")}) == 2


def test_their_constructors_take_what_those_of_dataclasses_take() -> None:
    """Constructors know defaults, factories, keyword-only members and computed members."""
    first, second = Made(1), Made(2, [3], tag="t")

    assert (first.x, first.items, first.tag, first.total) == (1, [], "", 1)
    assert (second.x, second.items, second.tag, second.total) == (2, [3], "t", 5)
    assert first.items is not Made(1).items
    for wrong in ((1, [], "t"), (1, [], "t", 5)):
        with pytest.raises(TypeError):
            Made(*wrong)  # type: ignore[misc, arg-type]
    with pytest.raises(TypeError, match=r"Made\.__init__\(\) missing 1 required"):
        Made()  # type: ignore[call-arg]


def test_subclasses_have_constructors_of_their_own() -> None:
    """Subclasses have their own constructor, whichever is called first."""
    assert (Wider(1, wide=2).wide, Made(4).x, Wider(3).total) == (2, 4, 3)


def test_they_are_dataclasses() -> None:
    """They have slots and a repr, and can be copied, pickled and matched."""
    point = Point(1, name="here")

    assert repr(point) == "Point(x=1, y=0, name='here')"
    assert dataclasses.replace(point, y=5) == Point(1, 5, name="here")
    assert dataclasses.asdict(point) == {"x": 1, "y": 0, "name": "here"}
    assert pickle.loads(pickle.dumps(point)) == point  # noqa: S301 - our own
    match point:
        case Point(x, y):
            assert (x, y) == (1, 0)
    with pytest.raises(AttributeError):
        point.other = 1  # type: ignore[attr-defined]
