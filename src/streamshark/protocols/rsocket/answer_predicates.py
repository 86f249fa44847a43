"""What rules ask of answers and of what the next connection asks for.

Each takes the columns that its rule names; the text that it returns is what it found, and is empty
if the condition does not hold.
"""

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from streamshark.protocols.rsocket.predicates import names_reason

Values = Mapping[str, Any]

_NUMBER: Final = re.compile(rb"\d+")
_SHOWN: Final = re.compile(rb"[ -~]+")
"""Data that a sentence can show."""
_AT_ONCE: Final = 2_000_000_000
"""Time in ns between requests that may be mixed up."""
_LARGE: Final = 10**15
"""Numbers from it on are not the same in all languages."""
_CREDENTIALS: Final = "its credentials"
"""How the reason of a refusal begins that is about credentials."""


def belongs_to_another(row: Values) -> str:
    """Return which value an answer has that another request asked for, and not its own.

    Some answers have to repeat a value of their own request under the same name, and some that of
    another request.
    """
    asked = list(row["peer.asked_for"] or ())
    own = row["stream.n"], row["stream.t"], row["stream.question"], bytes(row["data"])
    name = _foreign(own, asked)
    if not name:
        return ""
    pairs = row["me.replied"] or ()
    others = sum(_foreign(each, asked) == name for each in pairs) + 1
    repeats = any(_is_repeated(each, name) for each in pairs)
    if others < row["OTHERS"] or not repeats:
        return ""
    theirs, wanted = _members(own[3])[name], _members(own[2])[name]
    return f"{name} {_shown(theirs)} in place of {_shown(wanted)}"


_Pair = tuple[int, int, bytes, bytes]
"""The frame and the time of a request, its data, and that of its answer."""


def _foreign(pair: _Pair, asked: Iterable[tuple[int, int, bytes]]) -> str:
    """Return the name of a value in an answer that is not its request's, but another's."""
    n, t, question, answer = pair
    wanted, given = _members(question), _members(answer)
    for name, value in given.items():
        if name in wanted and wanted[name] != value and _is_asked(name, value, n, t, asked):
            return name
    return ""


def _is_asked(
    name: str, value: object, n: int, t: int, asked: Iterable[tuple[int, int, bytes]]
) -> bool:
    """Return whether another request at about the same time has a value under a name."""
    return any(
        other_n != n and abs(other_t - t) < _AT_ONCE and _members(data).get(name) == value
        for other_n, other_t, data in asked
    )


def _is_repeated(pair: _Pair, name: str) -> bool:
    """Return whether an answer has the value of its own request under a name."""
    wanted, given = _members(pair[2]), _members(pair[3])
    return name in wanted and name in given and wanted[name] == given[name]


@lru_cache(maxsize=1024)
def _members(data: bytes) -> dict[str, str | float]:
    """Return the texts and whole numbers of a JSON object by their names."""
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}
    return {k: v for k, v in found.items() if _is_key(v)} if isinstance(found, dict) else {}


def _is_key(value: object) -> bool:
    """Return whether a value may tell one request from another."""
    if isinstance(value, str):
        return True
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < _LARGE and value == int(value)


def _shown(value: str | float) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else f"{value:.0f}"


def refuses_credentials(row: Values) -> str:
    """Return whether the text of an ERROR is about credentials."""
    reason = names_reason(row)
    return reason if reason.startswith(_CREDENTIALS) else ""


def leaves_out(row: Values) -> str:
    """Return a stream that was open when a connection was lost, and is not asked for again.

    Requests are compared without their numbers, such as the place from which they go on.
    """
    lost = {_shape(each): each for each in row["wanted.lost"] or ()}
    again = {_shape(each) for each in row["wanted.again"] or ()}
    missing = [each for shape, each in lost.items() if shape not in again]
    if not missing or len(missing) == len(lost):
        return ""
    name, _, data = missing[0]
    shown = f" of '{data.decode()}'" if _SHOWN.fullmatch(data) else ""
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    return f"{name}{shown}{more}"


def _shape(request: tuple[str, bytes, bytes]) -> tuple[str, bytes, bytes]:
    name, route, data = request
    return name, route or b"", _NUMBER.sub(b"#", data)


FOR_PLUGINS: Final[Mapping[str, object]] = {
    "own_credentials": _CREDENTIALS,
    "asked_at_once": _AT_ONCE,
    "large_key": _LARGE,
}
"""What the predicates in Lua share with these."""
