"""Handlers for rows with and without a prefix of a text column, such as the subject of a message.

Many tables of a kind of row ask for one prefix, or for others that extend it. Most rows begin
otherwise: in their handler nothing of these tables is left.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from streamshark.conversations.constant_folding import FALSE, NONE, TRUE
from streamshark.conversations.expressions import ColumnRef, Expr, FunctionCall, Scalar

LEAST: Final = 40
"""Fewest conditions on prefixes for which there are two handlers."""

Path = tuple[str, ...]


class Prefix(NamedTuple):
    """A prefix of a column."""

    path: Path
    text: str

    def choice(self, column: str) -> str:
        """Return the code that sets `case`, given the text of the column."""
        return f"    x = {column}\n    case = x is not None and x.startswith({self.text!r})\n"


class PrefixCase(NamedTuple):
    """The rows whose column begins with a prefix, or those without the column or this prefix."""

    prefix: Prefix
    holds: bool

    def known(self, node: Expr, constants: Mapping[str, Any]) -> Scalar | None:
        """Return the value of a call in this case; None if it depends on the row."""
        match node:
            case FunctionCall("starts", (ColumnRef(path), Scalar(str(text)))):
                return self._starts(text) if self._is_column(path) else None
            case FunctionCall("called", (ColumnRef(path), argument)) if self._is_column(path):
                patterns = constants.get(getattr(argument, "name", ""), ())
                is_none = all(self._starts(literal(each)) == FALSE for each in patterns)
                return NONE if patterns and is_none else None
        return None

    def _is_column(self, path: Path) -> bool:
        return path[path[0] == "fields" :] == self.prefix.path

    def _starts(self, text: str) -> Scalar | None:
        """Return whether the column is known to begin with a text; None if it may."""
        if not self.holds:
            return FALSE if text.startswith(self.prefix.text) else None
        if self.prefix.text.startswith(text):
            return TRUE
        return None if text.startswith(self.prefix.text) else FALSE


def literal(pattern: str) -> str:
    """Return the text that begins all subjects that a pattern matches.

    >>> literal("$JS.API.*.CREATE")
    '$JS.API.'
    """
    tokens = pattern.split(".")
    wild = next((at for at, each in enumerate(tokens) if each in ("*", ">")), None)
    return pattern if wild is None else "".join(f"{each}." for each in tokens[:wild])


def chosen_prefix(counts: Mapping[tuple[Path, str], int]) -> Prefix | None:
    """Return the prefix without which most conditions are known not to hold; None if few are.

    Args:
        counts: Column and prefix to the number of conditions on it.
    """
    known = {
        key: sum(count for (path, text), count in counts.items() if path == key[0]
                 and text.startswith(key[1]))
        for key in counts
    }  # fmt: skip
    most = max(known, key=lambda key: (known[key], key), default=None)
    return None if most is None or known[most] < LEAST else Prefix(*most)
