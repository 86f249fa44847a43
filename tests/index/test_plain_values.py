"""Values as those that `marshal` writes."""

from pathlib import Path
from types import MappingProxyType

from streamshark.index.plain_values import plain


def test_plain() -> None:
    """Values of any type, as equal ones that `marshal` writes, or as text."""
    given = {
        "a": [1, True, None, b"x", bytearray(b"y"), 2.5, "text"],
        3: MappingProxyType({"b": ()}),
    }
    assert plain(given) == {"a": [1, True, None, b"x", b"y", 2.5, "text"], 3: {"b": ()}}
    assert plain(range(3)) == [0, 1, 2]
    assert plain({1, 2}) == {1, 2}
    assert plain(Path("a")) == "a"
