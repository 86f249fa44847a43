"""What rules ask of metadata."""

import pytest
from tests.protocols.rsocket.traffic import entry

from streamshark.protocols.rsocket.metadata_checks import (
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
        (None, ""),
        (b"", ""),
        (ROUTE, ""),
        (ROUTE[:-1], "broken"),
        (ROUTE + entry(0x50, b"{}"), "type"),
        (ROUTE + entry(0x05, b"{}"), ""),
        (BARE, "route"),
        (entry(0x05, b"users.find"), ""),
        (b"\x7f\xff", "broken"),
    ],
)
def test_what_is_wrong_with_composite_metadata(metadata: bytes | None, fault: str) -> None:
    """Each fault is told by one check alone."""
    row = {"metadata": metadata}

    assert is_broken(row) is (fault == "broken")
    assert has_unknown_type(row) is (fault == "type")
    assert has_broken_route(row) is (fault == "route")


@pytest.mark.parametrize(
    ("metadata", "fault"), [(None, ""), (b"\x04find", ""), (b"users.find", "route")]
)
def test_a_route_that_stands_alone(metadata: bytes | None, fault: str) -> None:
    """The metadata of a connection whose MIME type is routing's."""
    assert is_broken_route({"metadata": metadata}) is (fault == "route")
