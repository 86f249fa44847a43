"""The words of the line that shows a frame, as the template of its schema says.

`InfoWords` knows where values are; how a value of a node is written is up to its caller.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from streamshark.decoding.columns import columns
from streamshark.dissection.row import FrameRow
from streamshark.schema import info_template, nodes
from streamshark.schema.info_template import MOST_ITEMS, MOST_LISTED, REFUSAL, Hole, InfoWord
from streamshark.schema.secrets import scrubbed

Value = Any
Text = Callable[[Value], str]
"""Writes a value of one node."""
Context = Mapping[str, Any]
NOTHING: Final[Context] = {}
MOST_KNOWN: Final = 256
"""Most words that are remembered of one place in a template."""
LONGEST_KEPT: Final = 256
"""Most characters of a text whose words are remembered."""
SMALL: Final = 2
"""Bytes of a number whose words are remembered."""
_PLAIN: Final = ("", "signed", "size", "not", "ok")
"""Forms of one value."""


class ItemTexts(NamedTuple):
    """The texts of a list's items."""

    texts: list[str]
    """Those of the first `MOST_LISTED`."""
    total: int


_Found = str | ItemTexts | None
"""The text of a value, those of a list's items, or None without a value."""
_ABSENT: Final = object()


class RecordView:
    """A record embedded in a frame, as `InfoWords` reads a frame."""

    decoder = None
    problems = ()
    is_read = True

    def __init__(self, values: dict[str, Any]) -> None:
        self.shallow = self.values = values


_Row = FrameRow | RecordView
_Finder = Callable[[_Row, Context], _Found]
_Writer = Callable[[_Row, Context], str]
Body = Callable[[_Row], tuple[str, str]]
"""Returns the text of a payload, and what the records embedded in it show."""


class InfoWords:
    """A writer of the words of one template, for the frames of one schema.

    `text_of` returns the function that writes the values of a node; `name_of` writes what the
    conversation knows; `body_of` returns the function that writes a payload, or None for other
    nodes; `paint` marks a word that tells of success or refusal.
    """

    def __init__(
        self,
        tree: nodes.Tree,
        template: str,
        text_of: Callable[[nodes.Node], Text],
        name_of: Text,
        *,
        body_of: Callable[[nodes.Node], Body | None] | None = None,
        paint: Callable[[str, str], str] | None = None,
    ) -> None:
        self._tree, self._text_of, self._name_of = tree, text_of, name_of
        self._body_of, self._paint = body_of, paint
        self._paths = info_template.paths_of(tree)
        words = info_template.words_of(template, tree)
        self.always_refuses = any(each.texts == (REFUSAL,) for each in words)
        """Whether every frame is a refusal."""
        shown = [each for each in words if each.texts != (REFUSAL,)]
        self._judged = [
            (self._texts_of(hole), hole.fine)
            for word in shown
            for hole in word.holes
            if hole.form == "ok"
        ]
        self.may_refuse = self.always_refuses or bool(self._judged)
        """Whether some frame is a refusal."""
        self._writers = [self._painted(each) for each in shown]

    def __call__(self, row: _Row, context: Context = NOTHING) -> str:
        """Return the words of a frame, each preceded by a blank."""
        out = ""
        for write in self._writers:
            out += write(row, context)
        return out

    def refuses(self, row: _Row) -> bool:
        """Return whether a frame refuses something."""
        return self.always_refuses or any(
            not fine.issuperset(_listed(find(row, NOTHING))) for find, fine in self._judged
        )

    # Words

    def _painted(self, word: InfoWord) -> _Writer:
        """Return the writer of a word; one that tells of success or refusal is marked so."""
        write, paint = self._writer(word), self._paint
        if paint is None or not word.shows_refusal:
            return write

        def painted(row: _Row, context: Context) -> str:
            text = write(row, context)
            return f" {paint('refused' if self.refuses(row) else 'fine', text[1:])}" if text else ""

        return painted

    def _writer(self, word: InfoWord) -> _Writer:
        if len(word.holes) > 1:
            return self._several(word)
        before, hole, after = f" {word.texts[0]}", word.holes[0], word.texts[1]
        if body := self._body(hole):
            return self._payload(before, hole, body)
        if quick := self._quick(before, hole, after):
            return quick
        find = self._finder(hole)

        def write(row: _Row, context: Context) -> str:
            found = find(row, context)
            if isinstance(found, ItemTexts):
                shown = [f"{each}{after}" for each in found.texts[:MOST_ITEMS]]
                return before + info_template.some(shown, found.total) if shown else ""
            return "" if found is None else f"{before}{found}{after}"

        return write

    # Words of one value, which most frames have: one call, and known words are not made again

    def _quick(self, before: str, hole: Hole, after: str) -> _Writer | None:
        """Return the writer of a word with one value outside of lists; None for other words."""
        if hole.path.startswith("@"):
            return self._name_word(before, hole, after)
        if hole.form == "ranges" and hole.words is None:
            return self._ranges_word(before, hole, after)
        if hole.form not in _PLAIN or info_template.is_listed(self._tree, hole.path):
            return None
        node = self._tree.find(hole.path)
        if isinstance(node, (nodes.IntNode, nodes.PartNode)) and _is_small(node):
            return self._number_word(before, hole, after)
        if hole != Hole(hole.path) or "." in hole.path:
            return None
        return self._value_word(before, hole.path, self._text_of(node), after)

    @staticmethod
    def _value_word(before: str, name: str, text: Text, after: str) -> _Writer:
        known: dict[str, str] = {}

        def plain(row: _Row, _context: Context) -> str:
            value = row.shallow.get(name, _ABSENT)
            if value.__class__ is not str or len(value) > LONGEST_KEPT:
                return "" if value is _ABSENT else f"{before}{text(value)}{after}"
            word = known.get(value)
            return word or _kept(known, value, f"{before}{text(value)}{after}")

        return plain

    def _name_word(self, before: str, hole: Hole, after: str) -> _Writer:
        name, find, known = hole.path[1:], self._finder(hole), {None: ""}

        def named(row: _Row, context: Context) -> str:
            value = context.get(name)
            word = known.get(value)
            if word is None:
                found = find(row, context)
                word = _kept(known, value, "" if found is None else f"{before}{found}{after}")
            return word

        return named

    def _number_word(self, before: str, hole: Hole, after: str) -> _Writer:
        text = self._text_of(self._tree.find(hole.path))
        first, *more = hole.path.split(".")
        known: dict[Value, str] = {_ABSENT: ""}

        def number(row: _Row, _context: Context) -> str:
            value = row.shallow.get(first, _ABSENT)
            for name in more:
                value = value.get(name, _ABSENT) if isinstance(value, dict) else _ABSENT
            word = known.get(value)
            if word is None:
                found = info_template.shaped(hole, text(value))
                word = _kept(known, value, "" if found is None else f"{before}{found}{after}")
            return word

        return number

    def _ranges_word(self, before: str, hole: Hole, after: str) -> _Writer:
        many, ranges = self._many(hole.path), info_template.ranges

        def numbers(row: _Row, _context: Context) -> str:
            found = many(row)
            return f"{before}{ranges(found)}{after}" if found else ""

        return numbers

    def _body(self, hole: Hole) -> Body | None:
        """Return what writes a payload; None for a hole that shows none."""
        if (
            self._body_of is None
            or hole.form not in ("", "inside", "text")
            or hole.path not in self._paths
        ):
            return None
        return self._body_of(self._tree.find(hole.path))

    def _payload(self, before: str, hole: Hole, body: Body) -> _Writer:
        one = self._one(hole.path)

        def write(row: _Row, _context: Context) -> str:
            if one(row) is _ABSENT:
                return ""
            text, inner = body(row)
            if hole.form == "inside" and inner:
                return inner
            shown = info_template.shaped(hole, text)
            return inner if shown is None else f"{before}{shown}{inner}"

        return write

    def _several(self, word: InfoWord) -> _Writer:
        finders = [self._finder(each) for each in word.holes]
        first, *rest = word.texts

        def write(row: _Row, context: Context) -> str:
            columns, count = list[list[str]](), 0
            for find in finders:
                found = find(row, context)
                if isinstance(found, ItemTexts):
                    count = max(count, found.total)
                    columns.append([*found.texts[:MOST_ITEMS], *[""] * MOST_ITEMS])
                else:
                    columns.append([found or ""] * MOST_ITEMS)
            columns = columns if count or columns[0][0] else []
            parts = islice(zip(*columns, strict=False), min(count or 1, MOST_ITEMS))
            items = [_put_together(first, rest, each) for each in parts]
            return f" {info_template.some(items, count or 1)}" if any(items) else ""

        return write

    # Holes

    def _finder(self, hole: Hole) -> _Finder:
        texts = self._texts_of(hole)
        if hole.words is None and hole.form not in ("signed", "size", "text", "not", "ok"):
            return texts

        def find(row: _Row, context: Context) -> _Found:
            found = texts(row, context)
            if isinstance(found, ItemTexts):
                kept = (info_template.shaped(hole, each) for each in found.texts)
                shown = [each for each in kept if each is not None]
                if hole.form == "ok":
                    shown = list(dict.fromkeys(shown))
                    return ItemTexts(shown, len(shown))
                return ItemTexts(shown, found.total - len(found.texts) + len(shown))
            return None if found is None else info_template.shaped(hole, found)

        return find

    def _texts_of(self, hole: Hole) -> _Finder:
        """Return the function that finds the texts of a hole, without its form."""
        if hole.path.startswith("@"):
            return self._known(hole.path[1:])
        makers: Mapping[str, Callable[[Hole], _Finder]] = {
            "count": self._count,
            "ranges": self._ranges,
            "range": self._span,
            "bytes": self._bytes,
            "pair": self._pair,
            "joined": self._joined,
        }
        make = makers.get(hole.form)
        return self._value(hole) if make is None else make(hole)

    def _known(self, name: str) -> _Finder:
        write = self._name_of

        def find(_row: _Row, context: Context) -> _Found:
            value = context.get(name)
            return None if value is None else write(scrubbed(str(value)))

        return find

    def _value(self, hole: Hole) -> _Finder:
        path = hole.path
        node = self._tree.find(path)
        if isinstance(node, nodes.ListNode) and isinstance(node.item, nodes.RecordNode):
            return self._count(hole)
        text = self._text_of(node.item if isinstance(node, nodes.ListNode) else node)
        if info_template.is_listed(self._tree, path):
            many = self._many(path)
            return lambda row, _: _texts(many(row), text)
        one = self._one(path)

        def find(row: _Row, _context: Context) -> _Found:
            value = one(row)
            return None if value is _ABSENT else text(value)

        return find

    def _one(self, path: str) -> Callable[[_Row], Value]:
        """Return the function that finds a value outside of lists."""
        first, *more = path.split(".")
        if not more:
            return lambda row: row.shallow.get(first, _ABSENT)

        def find(row: _Row) -> Value:
            value = row.shallow.get(first, _ABSENT)
            for name in more:
                if not isinstance(value, dict):
                    return _ABSENT
                value = value.get(name, _ABSENT)
            return value

        return find

    def _many(self, path: str) -> Callable[[_Row], Sequence[Value] | None]:
        """Return the function that finds the values of a list's items; None without the list."""
        names = tuple(path.split("."))
        is_column = bool(columns(self._tree, names))

        def find(row: _Row) -> Sequence[Value] | None:
            if is_column and not row.is_read and not row.problems and row.decoder is not None:
                return row.decoder.columns[names](row.data)
            value = row.values.get(names[0], _ABSENT)
            return None if value is _ABSENT or value is None else _through(value, names[1:])

        return find

    def _count(self, hole: Hole) -> _Finder:
        one = self._one(hole.path)

        def find(row: _Row, _context: Context) -> _Found:
            value = one(row)
            return str(len(value)) if isinstance(value, (list, range)) else None

        return find

    def _ranges(self, hole: Hole) -> _Finder:
        many = self._many(hole.path)

        def find(row: _Row, _context: Context) -> _Found:
            numbers = many(row)
            return info_template.ranges(numbers) if numbers else None

        return find

    def _span(self, hole: Hole) -> _Finder:
        first, count = self._one(hole.path), self._one(hole.others[0])

        def find(row: _Row, _context: Context) -> _Found:
            start = first(row)
            if not isinstance(start, int):
                return None
            number = count(row)
            return info_template.span(start, number if isinstance(number, int) else 0)

        return find

    def _bytes(self, hole: Hole) -> _Finder:
        one = self._one(hole.path)

        def find(row: _Row, _context: Context) -> _Found:
            value = one(row)
            if not isinstance(value, bytes):
                return None
            return "1 byte" if len(value) == 1 else f"{len(value)} bytes"

        return find

    def _pair(self, hole: Hole) -> _Finder:
        keys, values = self._many(f"{hole.path}.key"), self._many(f"{hole.path}.value")
        text, wanted = self._text_of(self._tree.find(f"{hole.path}.value")), hole.others[0]

        def find(row: _Row, _context: Context) -> _Found:
            for key, value in zip(keys(row) or (), values(row) or (), strict=False):
                if key == wanted:
                    return text(value)
            return None

        return find

    def _joined(self, hole: Hole) -> _Finder:
        by, of = hole.others
        finders = [self._value(Hole(path)) for path in (hole.path, of, by)]

        def find(row: _Row, context: Context) -> _Found:
            members, keys, wanted = (_listed(each(row, context)) for each in finders)
            found = list(info_template.joined(members, keys, wanted))
            return ItemTexts(found, len(found)) if found else None

        return find


def _is_small(node: nodes.IntNode | nodes.PartNode) -> bool:
    """Return whether a number has few values, so that their words are worth remembering."""
    facts = node.facts
    has_names = facts.is_coded or facts.flags is not None
    return has_names or isinstance(node, nodes.PartNode) or node.size <= SMALL


def _kept(known: dict[Value, str], value: Value, word: str) -> str:
    """Remember the word of a value, and return it."""
    if len(known) > MOST_KNOWN:
        return word
    known[value] = word
    return word


def _put_together(first: str, rest: Sequence[str], values: Sequence[str]) -> str:
    """Return the texts and values of a word in turn, up to the first value that is missing."""
    if not values[0]:
        return ""
    out = first + values[0]
    for before, value in zip(rest, [*values[1:], None], strict=True):
        if value == "":
            break
        out += before + (value or "")
    return out


def _through(value: Value, path: Sequence[str]) -> list[Value]:
    """Return all values at a path below a value, through lists."""
    if isinstance(value, list):
        return [found for item in value for found in _through(item, path)]
    if not path:
        return [value]
    if not isinstance(value, dict) or path[0] not in value:
        return []
    return _through(value[path[0]], path[1:])


def _texts(values: Sequence[Value] | None, text: Text) -> ItemTexts | None:
    if values is None:
        return None
    return ItemTexts(list(map(text, islice(values, MOST_LISTED))), len(values))


def _listed(found: _Found) -> list[str]:
    if isinstance(found, ItemTexts):
        return found.texts
    return [] if found is None else [found]
