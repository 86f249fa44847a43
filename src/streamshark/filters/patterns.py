"""Regular expressions of `matches`: Perl's spelling as Python's, over bytes, in bounded time.

A pattern that repeats a group with a repetition or an ambiguous choice in it is refused: such a
search can take exponential time. A search looks at most at `MOST_SEARCHED` bytes, and at fewer the
more repetitions the pattern has, so that it takes some `MOST_STEPS` steps at most.
"""

import re
from math import factorial
from typing import Final

from streamshark.filters.error import Unsuitable
from streamshark.light_dataclass import record

MOST_SEARCHED: Final = 64 * 1024
"""Most bytes of a value that a pattern without repetitions looks at."""
MOST_STEPS: Final = 20_000_000
"""About the most steps of one search."""
MOST_WAYS: Final = 1 << 16
"""Most combinations of the repetitions with a limit in one pattern."""
MOST_REPETITIONS: Final = 3
"""Most repetitions without a limit in one pattern."""
MOST_COUNT: Final = 1000
"""Highest number in braces."""
SHORTEST: Final = 128
"""A pattern with many repetitions looks at this many bytes at least."""
_FEW: Final = 16
"""A repetition of more than so many counts as one without a limit."""

_POSIX: Final = {
    "alpha": "a-zA-Z", "digit": "0-9", "alnum": "a-zA-Z0-9", "upper": "A-Z", "lower": "a-z",
    "space": r"\s", "blank": r" \t", "punct": r"!-/:-@\[-`{-~", "xdigit": "0-9A-Fa-f",
    "word": r"\w", "cntrl": r"\x00-\x1f\x7f", "print": r"\x20-\x7e", "graph": r"\x21-\x7e",
}  # fmt: skip
_ESCAPES: Final = {
    "z": r"\Z", "Z": r"(?=\n?\Z)", "h": r"[ \t\xa0]", "H": r"[^ \t\xa0]", "R": r"(?:\r\n|[\n-\r])",
    "N": r"[^\n]", "e": r"\x1b",
}  # fmt: skip
"""Escapes that Python spells differently."""
_UNKNOWN: Final = frozenset("KGXCpPgk")
"""Escapes that Python lacks."""
_FLAGS: Final = re.compile(r"\(\?([ims]*)(?:-([imsx]*))?([:)])")
_STARTS: Final = ("(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?P<", "(?P=", "(?#")
_NAMED: Final = re.compile(r"\(\?<(?![=!])")
_LITERAL: Final = re.compile(r"[A-Za-z0-9_ /.-](?![*?{])")
_QUOTED: Final = re.compile(r"\\Q(.*?)(?:\\E|\Z)", re.DOTALL)
_CODE: Final = re.compile(r"\\x(?:\{([0-9A-Fa-f]{1,8})\}|([0-9A-Fa-f]{0,2}))")
_CLASS: Final = re.compile(r"\[:(\w+):\]")
_REPETITION: Final = re.compile(r"(?:[*+?]|\{(\d+)(,?)(\d*)\}|\{,(\d+)\})([+?]?)")
_UNSUPPORTED: Final = re.compile(r"\(\?(?:R|&|P>|[0-9+]|-\d|C|\||')|\(\*")


@record(eq=False)
class Pattern:
    """A regular expression, and how much of a value it looks at."""

    text: str
    """As it is written."""
    code: "re.Pattern[bytes]"
    most: int
    """Most bytes of a value that are searched."""


def pattern(text: str) -> Pattern:
    """Return a compiled pattern; case is ignored unless `(?-i)` is in it.

    Raises:
        Unsuitable: It is malformed, not supported, or its search has no bound in time.
    """
    translator = _Translator(_without_ends(text))
    translated = translator.translate()
    try:
        code = re.compile(translated.encode("latin-1"), re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as why:
        raise Unsuitable(f"the regular expression is malformed: {why}") from None
    starts = not (text.startswith(("^", "\\A")) and "|" not in text)
    power = max(translator.repetitions + starts, 1)
    steps = MOST_STEPS * factorial(power) / translator.ways
    most = min(MOST_SEARCHED, round(steps ** (1 / power)))
    return Pattern(text, code, max(most, SHORTEST))


def _without_ends(text: str) -> str:
    """Return a pattern without `.*` at its ends, where it changes nothing."""
    if "|" in text:
        return text
    start = 2 * (text.startswith(".*") and text[2:3] not in {"?", "+"})
    end = len(text) - 2 * (text.endswith(".*") and text[-3:-2] != "\\")
    return text[start : max(start, end)]


class _Group:
    """An open group of a pattern."""

    def __init__(self) -> None:
        self.extra = 0
        """Parentheses to close with it, which flags have opened."""
        self.varies = False
        """Whether a repetition is in it, or a group that has one."""
        self.firsts: list[str] = []
        """First character of each alternative; empty for one that is not literal."""

    @property
    def is_ambiguous(self) -> bool:
        """Whether repeating it may match the same bytes in several ways."""
        several = len(self.firsts) > 1
        return self.varies or (
            several and ("" in self.firsts or len(set(self.firsts)) < len(self.firsts))
        )


class _Translator:
    """Goes over one pattern, group by group."""

    def __init__(self, text: str) -> None:
        self.text = text.encode(errors="surrogateescape").decode("latin-1")
        """One character a byte."""
        self.at = 0
        self.repetitions = 0
        """Repetitions without a limit."""
        self.ways = 1
        """Combinations of those with a limit."""
        self.group = _Group()
        self.around: list[_Group] = []
        self.out: list[str] = []

    def translate(self) -> str:
        """Return the pattern as Python spells it."""
        if found := _UNSUPPORTED.search(self.text):
            raise Unsuitable(f"{found[0]} is not supported in regular expressions")
        self.alternative()
        while self.at < len(self.text):
            character = self.text[self.at]
            if character == "(":
                self.open()
            elif character == ")":
                self.close()
            elif character == "|":
                self.out.append("|")
                self.at += 1
                self.alternative()
            else:
                self.out.append(self.atom())
                self.repetition(is_ambiguous=False)
        if self.around:
            raise Unsuitable("the regular expression has a ( without a )")
        return "".join(self.out) + ")" * self.group.extra

    def alternative(self) -> None:
        """Note how an alternative of the group begins."""
        found = _LITERAL.match(self.text, self.at)
        self.group.firsts.append(found[0].lower() if found else "")

    def open(self) -> None:
        """Take the start of a group, or flags for the rest of the group around it."""
        flags = _FLAGS.match(self.text, self.at)
        if flags:
            self.at = flags.end()
            self.out.append(f"(?{flags[1]}{'-' + off if (off := flags[2]) else ''}:")
            if flags[3] == ")":
                self.group.extra += 1
                return
        elif named := _NAMED.match(self.text, self.at):
            self.at = named.end()
            self.out.append("(?P<")
        else:
            start = next((each for each in _STARTS if self.text.startswith(each, self.at)), "(")
            self.at += len(start)
            self.out.append(start)
        self.around.append(self.group)
        self.group = _Group()
        self.alternative()

    def close(self) -> None:
        """Take the end of a group, and its repetition."""
        if not self.around:
            raise Unsuitable("the regular expression has a ) without a (")
        inner, self.group = self.group, self.around.pop()
        self.out.append(")" * (inner.extra + 1))
        self.at += 1
        self.group.varies |= inner.is_ambiguous
        self.repetition(is_ambiguous=inner.is_ambiguous)

    def atom(self) -> str:
        """Take one character, escape or class."""
        text, at = self.text, self.at
        if text[at] == "[":
            return self.set()
        if text[at] != "\\":
            self.at += 1
            return text[at]
        if found := _QUOTED.match(text, at):
            self.at = found.end()
            return re.escape(found[1])
        if found := _CODE.match(text, at):
            self.at = found.end()
            number = int(found[1] or found[2] or "0", 16)
            if number > 0xFF:  # noqa: PLR2004 - a byte
                raise Unsuitable(f"{found[0]} is more than a byte")
            return f"\\x{number:02x}"
        name = text[at + 1 : at + 2]
        self.at += 2
        if name in _UNKNOWN or not name:
            raise Unsuitable(f"\\{name} is not supported in regular expressions")
        return _ESCAPES.get(name, text[at : at + 2])

    def set(self) -> str:
        """Take a class of characters."""
        text, at = self.text, self.at + 1
        out = ["["]
        if text.startswith("^", at):
            out.append("^")
            at += 1
        start = at
        while at < len(text) and (text[at] != "]" or at == start):
            found = _CLASS.match(text, at)
            if found and found[1] in _POSIX:
                out.append(_POSIX[found[1]])
                at = found.end()
            elif text[at] == "\\":
                name = text[at + 1 : at + 2]
                out.append({"h": r" \t\xa0", "e": r"\x1b"}.get(name, text[at : at + 2]))
                at += 2
            else:
                out.append("\\" + text[at] if text[at] in "[&~|" else text[at])
                at += 1
        if at >= len(text):
            raise Unsuitable("the regular expression has a [ without a ]")
        self.at = at + 1
        return "".join([*out, "]"])

    def repetition(self, *, is_ambiguous: bool) -> None:
        """Take the repetition of what was read; `is_ambiguous` is that of a group."""
        found = _REPETITION.match(self.text, self.at)
        if found is None:
            return
        self.at = found.end()
        self.out.append(found[0])
        least, most = _counts(found)
        if is_ambiguous and most > 1 and found[5] != "+":
            raise Unsuitable(
                "a group with a repetition or choice in it may not be repeated, "
                "which can take exponential time"
            )
        if least == most or found[5] == "+":
            return
        self.group.varies |= most > 1
        if most > _FEW:
            self.repetitions += 1
        else:
            self.ways *= round(most) + 1
        if self.repetitions > MOST_REPETITIONS or self.ways > MOST_WAYS:
            raise Unsuitable("the regular expression has too many repetitions")


def _counts(found: "re.Match[str]") -> tuple[float, float]:
    """Return the least and greatest count of a repetition."""
    for each in (found[1], found[3], found[4]):
        if each and (len(each) > len(str(MOST_COUNT)) or int(each) > MOST_COUNT):
            raise Unsuitable(f"a repetition has at most {MOST_COUNT} in braces")
    if found[4]:
        return 0, int(found[4])
    if found[1]:
        least = int(found[1])
        return least, int(found[3]) if found[3] else float("inf") if found[2] else least
    return {"*": (0, float("inf")), "+": (1, float("inf")), "?": (0, 1)}[found[0][0]]
