"""Frames and heads: what a protocol folder declares."""

import pytest

from streamshark.errors import SchemaError
from streamshark.schema import U8, FrameKind, FrameSchema, Sender, field

ONE = field("one", U8, "One.")


@pytest.mark.parametrize(
    ("kind", "given", "bits"),
    [(FrameKind.RESPONSE, None, (True,)), (FrameKind.REQUEST, None, (False,)),
     (FrameKind.COMMAND, (False, True), (False, True))],
)  # fmt: skip
def test_the_response_bits_that_select_a_frame(
    kind: FrameKind, given: tuple[bool, ...] | None, bits: tuple[bool, ...]
) -> None:
    """By its kind, unless told."""
    schema = FrameSchema("a", 1, kind, Sender.BOTH, "A.", "x", (ONE,), responses=given)

    assert schema.response_bits == bits


def test_a_frame_has_a_name_and_members() -> None:
    """Anything else is refused at import."""
    with pytest.raises(SchemaError, match="snake_case"):
        FrameSchema("not a name", 1, FrameKind.COMMAND, Sender.BOTH, "A.", "x")
    with pytest.raises(SchemaError, match="not a member word"):
        FrameSchema("a", 1, FrameKind.COMMAND, Sender.BOTH, "A.", "x", (U8,))  # type: ignore[arg-type]
