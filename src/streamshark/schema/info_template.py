"""The template of the one line that shows a frame, as Wireshark's Info column does.

`FrameSchema.shows` is a text of words, separated by blanks. A word is text with *holes* in braces,
each of which names a value. A word ends before the first value that the frame lacks, and is left
out if that is its first one. `~` is a blank within a word.

    {@stream} ids={published_messages.publishing_id:ranges} pub={publisher_id}

| hole | text |
|---|---|
| `{path}` | the value; of a list, that of each item |
| `{path:count}` | the number of items of a list |
| `{path:ranges}` | the numbers of a list as ranges: `1-10,12` |
| `{path:signed}` | a number with its sign: `+1` |
| `{path:bytes}` | the number of bytes of a value: `20 bytes` |
| `{path:text}` | a payload, if it is text or a few bytes |
| `{path:size}` | a number of bytes, as KiB or MiB if it is a multiple: `1 MiB` |
| `{path:inside}` | what embedded records show of a payload, in the place of the whole word |
| `{path:not a b}` | names of flags without these |
| `{path:ok a b}` | the value; with any other value than these the frame is a refusal |
| `{path:ok}` | the value; if it is true, see `?`, the frame is a refusal |
| `{path?}` | only if it is neither empty, zero, false nor null |
| `{path?yes|no}` | `yes` for such a value, else `no` |
| `{first+count}` | the range that begins with a number and has so many: `110-129` |
| `{list[key]}` | the value of a key in a list of pairs |
| `{list.member|a.x=list.y}` | for each `a`, the member of that item of `list` whose `y` is `x` |
| `{@name}` | what the conversation of the frame knows by this name |

A word with values of list items is written for each of them, the first `MOST_ITEMS`. The word `!`
marks a frame that is always a refusal.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from streamshark.errors import SchemaError
from streamshark.schema import nodes

REFUSAL: Final = "!"
"""The word of a frame that is always a refusal, and the mark of one in a line."""
KIB: Final = 1024
"""Bytes of a KiB."""
MOST_ITEMS: Final = 3
"""Most items of a list for which a word is written."""
MOST_LISTED: Final = 64
"""Most items of a list that are looked at."""
MOST_RANGES: Final = 3
"""Most ranges that are written of a list of numbers."""
FALSE: Final = frozenset({"", "0", '""', "false", "False", "null", "empty"})
"""Texts of values that are false, zero or empty."""

_SIZE: Final = re.compile(r"\[?[\d,]+ bytes?\]?")
"""Stands for bytes that are not shown."""
_HOLE: Final = re.compile(
    r"(?P<path>@?[\w.]+)"
    r"(?:\+(?P<count>[\w.]+)|\[(?P<key>[^\]]+)\]|\|(?P<by>[\w.]+)=(?P<of>[\w.]+))?"
    r"(?::(?P<form>\w+)(?P<names>(?: \w+)*))?"
    r"(?P<asks>\?(?P<yes>[^|]*)(?:\|(?P<no>.*))?)?"
)
_FORMS: Final = frozenset(
    {"count", "ranges", "signed", "bytes", "size", "inside", "text", "not", "ok"}
)


class Hole(NamedTuple):
    """A place of a word where a value stands."""

    path: str
    """Path of the value; `@name` for what the conversation knows."""
    form: str = ""
    """How the value is written: one of the forms above, `range`, `pair`, `joined`, or as it is."""
    others: tuple[str, ...] = ()
    """Other paths of `range` and `joined`, the key of `pair`, the names of `not` and `ok`."""
    words: tuple[str, str] | None = None
    """Of `?`: what is written for a true and a false value; "" for the value and for nothing."""

    @property
    def fine(self) -> frozenset[str]:
        """The values of `ok` with which a frame is no refusal."""
        return frozenset(self.others) or FALSE

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of the frame's values that it reads."""
        if self.path.startswith("@"):
            return ()
        if self.form == "pair":
            return f"{self.path}.key", f"{self.path}.value"
        return (self.path, *self.others) if self.form in ("range", "joined") else (self.path,)


class InfoWord(NamedTuple):
    """A word of the line: one text more than it has holes."""

    texts: tuple[str, ...]
    holes: tuple[Hole, ...]

    @property
    def shows_refusal(self) -> bool:
        """Whether a value of the word says if the frame is a refusal."""
        return any(each.form == "ok" for each in self.holes)


def parse(template: str) -> tuple[InfoWord, ...]:
    """Return the words of a template.

    >>> parse("pub={publisher_id}")[0].texts, parse("pub={publisher_id}")[0].holes[0].path
    (('pub=', ''), 'publisher_id')
    """
    return tuple(_word(each) for each in re.findall(r"(?:\{[^}]*\}|[^\s{])+", template))


def _word(text: str) -> InfoWord:
    parts = [each.replace("~", " ") for each in re.split(r"\{([^}]*)\}", text)]
    return InfoWord(tuple(parts[::2]), tuple(_hole(each) for each in parts[1::2]))


def _hole(text: str) -> Hole:
    found = _HOLE.fullmatch(text)
    if found is None or (found["form"] and found["form"] not in _FORMS):
        raise SchemaError(f"the template of a line has no hole {{{text}}}")
    form, others = found["form"] or "", tuple((found["names"] or "").split())
    if found["count"]:
        form, others = "range", (found["count"],)
    elif found["key"]:
        form, others = "pair", (found["key"],)
    elif found["by"]:
        form, others = "joined", (found["by"], found["of"])
    words = (found["yes"] or "", found["no"] or "") if found["asks"] else None
    return Hole(found["path"], form, others, words)


def template_of(tree: nodes.Tree) -> str:
    """Return the template of a schema: its own, or its first members with their names."""
    if tree.schema.shows:
        return tree.schema.shows
    return " ".join(
        f"{name}={{{name}{':count' if isinstance(tree.find(name), nodes.ListNode) else ''}}}"
        for name in nodes.default_info(tree)
    )


def paths_of(tree: nodes.Tree) -> frozenset[str]:
    """Return the paths of all values of a schema."""
    return frozenset(".".join(each.path) for each in tree.nodes if each.name)


def words_of(template: str, tree: nodes.Tree) -> list[InfoWord]:
    """Return the words of a template, each up to the first value that no frame of a schema has."""
    paths, found = paths_of(tree), []
    for word in parse(template):
        known = next(
            (n for n, hole in enumerate(word.holes) if not paths.issuperset(hole.paths)), None
        )
        if known is None:
            found.append(word)
        elif known:
            found.append(InfoWord((*word.texts[:known], ""), word.holes[:known]))
    return found


def is_listed(tree: nodes.Tree, path: str) -> bool:
    """Return whether a list stands at a path, or on the way to it."""
    names = path.split(".")
    for count in range(1, len(names) + 1):
        node = tree.find(".".join(names[:count]))
        if isinstance(node, nodes.ListNode) or getattr(node, "repeated", False):
            return True
        if isinstance(node, nodes.ArgumentNode) and node.kind == "tokens":
            return True
    return False


# Values to text, the same for all that show a frame


def shaped(hole: Hole, text: str) -> str | None:
    """Return the text of a value in the form of its hole; None if nothing is shown of it."""
    if hole.form == "text" and (text in FALSE or _SIZE.fullmatch(text)):
        return None
    if hole.form == "signed" and not text.startswith("-"):
        text = f"+{text}"
    elif hole.form == "size":
        text = binary_size(int(text)) if text.isdecimal() else text
    elif hole.form == "not":
        text = "|".join(each for each in text.split("|") if each not in hole.others)
    if hole.words is None:
        return text
    yes, no = hole.words
    is_false = text in FALSE or (hole.form == "ok" and text in hole.fine)
    return no or None if is_false else yes or text


def binary_size(count: int) -> str:
    """Return a number of bytes in the largest binary unit of which it is a multiple.

    >>> binary_size(1048576), binary_size(131072), binary_size(1500), binary_size(0)
    ('1 MiB', '128 KiB', '1500', '0')
    """
    for factor, unit in ((KIB**3, "GiB"), (KIB**2, "MiB"), (KIB, "KiB")):
        if count and count % factor == 0:
            return f"{count // factor} {unit}"
    return str(count)


def ranges(numbers: Sequence[int]) -> str:
    """Return numbers as ranges of those that follow each other.

    >>> ranges([1, 2, 3, 7]), ranges([5]), ranges([9, 7, 5, 3])
    ('1-3,7', '5', '9,7,5 and 1 more')
    """
    start, end = numbers[0], numbers[-1]
    if len(numbers) == 1:
        return str(start)
    if end - start + 1 == len(numbers) and list(numbers) == list(range(start, end + 1)):
        return span(start, len(numbers))
    found: list[tuple[int, int]] = []
    first = last = None
    for each in numbers:
        if last is not None and each == last + 1:
            last = each
            continue
        if first is not None and last is not None:
            found.append((first, last))
        first = last = each
    if first is not None and last is not None:
        found.append((first, last))
    return some([str(a) if a == b else f"{a}-{b}" for a, b in found[:MOST_RANGES]], len(found))


def span(first: int, count: int) -> str:
    """Return the range that begins with a number.

    >>> span(110, 20), span(0, 1), span(7, 0)
    ('110-129', '0', '7')
    """
    return f"{first}-{first + count - 1}" if count > 1 else str(first)


def some(texts: Sequence[str], count: int) -> str:
    """Return the first of some texts, and how many more there are.

    >>> some(["a", "b", "c"], 5)
    'a,b,c and 2 more'
    """
    more = count - min(len(texts), MOST_ITEMS)
    return ",".join(texts[:MOST_ITEMS]) + (f" and {more} more" if more > 0 else "")


def joined(members: Sequence[str], keys: Sequence[str], wanted: Sequence[str]) -> Iterator[str]:
    """Yield, for each wanted key, the member beside the first equal key; empty without one."""
    known: Mapping[str, str] = dict(zip(reversed(keys), reversed(members), strict=False))
    for each in wanted:
        yield known.get(each, "")
