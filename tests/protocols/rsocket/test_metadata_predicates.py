"""What rules ask of metadata."""

import pytest
from tests.protocols.rsocket.traffic import entry

from streamshark.protocols.rsocket.metadata_predicates import (
    has_broken_route,
    has_unknown_type,
    is_broken,
    is_broken_route,
)

ROUTE = entry(0x7E, b"\x04find")
"""One tag."""
BARE = entry(0x7E, b"users.find")
"""A route without its length: `u` is taken for one."""


@pytest.mark.parametrize(
    ("metadata", "fault"),
    [
        (None, ("", "", "")),
        (b"", ("", "", "")),
        (ROUTE, ("", "", "")),
        (ROUTE[:-1], ("5 bytes needed, 4 left", "", "")),
        (ROUTE + entry(0x50, b"{}") + entry(0x51, b""), ("", "80, 81", "")),
        (ROUTE + entry(0x05, b"{}"), ("", "", "")),
        (BARE, ("", "", "117 bytes needed, 9 left")),
        (entry(0x05, b"users.find"), ("", "", "")),
        (b"\x7f\xff", ("128 bytes needed, 1 left", "", "")),
    ],
)
def test_what_is_wrong_with_composite_metadata(
    metadata: bytes | None, fault: tuple[str, str, str]
) -> None:
    """Each fault is told by one check alone."""
    row = {"metadata": metadata}

    assert (is_broken(row), has_unknown_type(row), has_broken_route(row)) == fault


@pytest.mark.parametrize(
    ("metadata", "fault"),
    [(None, ""), (b"\x04find", ""), (b"users.find", "117 bytes needed, 9 left")],
)
def test_a_route_that_stands_alone(metadata: bytes | None, fault: str) -> None:
    """The metadata of a connection whose MIME type is routing's."""
    assert is_broken_route({"metadata": metadata}) == fault
