"""Frames in a few words, as the schema shows them, and the values of messages as text."""

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple
from uuid import UUID

from streamshark.conversations.conversation import ConversationTurn, TurnWithoutText
from streamshark.conversations.expressions import ColumnRef, walk
from streamshark.conversations.resolve import MessageTemplate, TemplateValue
from streamshark.conversations.units import counted, duration, shortened, size
from streamshark.decoding.decoder import Decoder
from streamshark.dissection.info_words import NOTHING, Context, InfoWords
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import FrameRow, Row
from streamshark.schema.info_template import template_of
from streamshark.schema.nodes import Node
from streamshark.schema.secrets import MARK, scrubbed

LONGEST: Final = 60
"""Most characters of one value."""
WHOLE_VALUES: Final = (ColumnRef(("problem_text",)), ColumnRef(("reason",)), ColumnRef(("found",)))
"""Values of messages that are sentences of this project, which are not shortened."""
_VEIL: Final = SecretMask(None)
MOST_SCHEMAS: Final = 1024
"""Most schemas whose words are remembered."""
MOST_MESSAGES: Final = 4096
"""Most messages, each of frames of one schema, of which it is remembered how they are shown."""
MOST_LISTED: Final = 8
"""Most items of a list that are shown, enough to recognise it."""


def turn_of(row: Row | None, context: Context = NOTHING) -> ConversationTurn | None:
    """Return the turn of a frame; None for an event. `context` is what is known of the frame."""
    if not isinstance(row, FrameRow):
        return None
    row = _VEIL.frame(row)
    if row.decoder is None:
        return ConversationTurn(row.number, "unknown", "")
    words = _words_of(row.decoder)(row, context)
    return ConversationTurn(row.number, row.name or "unknown", words[1:])


def turn_without_text(row: Row | None, context: Context = NOTHING) -> ConversationTurn | None:
    """Return the turn of a frame without its text, which `turn_of` takes most of its time for.

    A record in a frame, which is no row of an output, has its text.
    """
    if not isinstance(row, FrameRow):
        return None
    if row.carrier is not None and row.carrier.number == row.number:
        return turn_of(row, context)
    name = "unknown" if row.decoder is None else row.name or "unknown"
    turn = TurnWithoutText(row.number, name, "")
    turn.context = context
    return turn


@lru_cache(MOST_SCHEMAS)
def _words_of(decoder: Decoder) -> InfoWords:
    """Return the writer of the words that summarise the frames of a schema."""
    tree = decoder.tree
    return InfoWords(tree, template_of(tree), lambda node: partial(_word, node=node), _quoted)


def _word(value: Any, node: Node) -> str:  # noqa: ANN401 - any value
    """Return a value as text; a string with blanks is quoted, so that it is seen where it ends."""
    text = shown(value, node)
    return _quoted(text) if isinstance(value, str) else text


def _quoted(text: str) -> str:
    return f'"{text}"' if " " in text else text


def shown(value: Any, node: Node | None) -> str:  # noqa: ANN401 - any value
    """Return a value as text: codes and flags by name, a list by its length, secrets masked."""
    if value is None or (node is not None and node.facts.secret):
        return "null" if value is None else MARK
    if isinstance(value, (list, range, dict)):
        return str(len(value))
    if isinstance(value, bytes):
        if getattr(node, "encoding", None) == "uuid":
            return str(UUID(bytes=value))
        return f"{len(value)} {'byte' if len(value) == 1 else 'bytes'}"
    if node is not None and node.facts.flags is not None and isinstance(value, int):
        return "|".join(name for mask, name in node.facts.flags.items() if value & mask) or "0"
    name = (node.facts.names or {}).get(value) if node is not None else None
    text, nul, _ = scrubbed(str(name or value)).partition("\0")
    text += MARK if nul else ""  # no NUL in text: a wrong length, perhaps with a secret after it
    return shortened(text, LONGEST)


def rendered(message: MessageTemplate, values: tuple[Any, ...], row: Row | None) -> str:
    """Return a message with its values; unknown values are `unknown`.

    The colon before an empty value at the end is left out.
    """
    decoder = row.decoder if isinstance(row, FrameRow) else None
    shows = _shows_of(message, decoder)
    parts = [message.texts[0]]
    for (is_secret, is_whole, form, names), value, text in zip(
        shows, values, message.texts[1:], strict=True
    ):
        if value is not None and is_secret:
            parts += [MARK, text]
        elif is_whole and value is not None:
            parts += [value, text]
        else:
            parts += [worded(value, form, names), text]
    return scrubbed("".join(parts).removesuffix(": "))


class _Shows(NamedTuple):
    """How a value of a message is shown."""

    is_secret: bool
    is_whole: bool
    form: str
    names: Mapping[int, str] | None


@lru_cache(MOST_MESSAGES)
def _shows_of(message: MessageTemplate, decoder: Decoder | None) -> tuple[_Shows, ...]:
    """Return how the values of a message about a frame are shown."""
    return tuple(
        _Shows(
            _is_secret(hole, decoder), hole.value in WHOLE_VALUES, hole.form, _names(hole, decoder)
        )
        for hole in message.holes
    )


def _is_secret(hole: TemplateValue, decoder: Decoder | None) -> bool:
    """Return whether a message would quote a secret field."""
    path = getattr(hole.value, "path", None)
    if path is None or decoder is None:
        return False
    path = _bare(path)
    return any(node.path == path and node.facts.secret for node in decoder.tree.named())


def _bare(path: tuple[str, ...]) -> tuple[str, ...]:
    """Return the path of a field without the word that tells it from a built-in column."""
    return path[1:] if path[0] == "fields" else path


def names_of(hole: TemplateValue, row: Row | None) -> Mapping[int, str] | None:
    """Return the names of a coded column's values, if the message asks for them."""
    return _names(hole, row.decoder if isinstance(row, FrameRow) else None)


def _names(hole: TemplateValue, decoder: Decoder | None) -> Mapping[int, str] | None:
    if "name" not in hole.form or decoder is None:
        return None
    paths = {_bare(each.path) for each in walk(hole.value) if isinstance(each, ColumnRef)}
    found = (node.facts.names for node in decoder.tree.named() if node.path in paths)
    return next(filter(None, found), None)


def worded(value: Any, form: str, names: Mapping[int, str] | None = None) -> str:  # noqa: ANN401
    """Return a value of a message in its form (`resolve.TemplateValue`); `unknown` for None."""
    if value is None:
        return "unknown"
    kind, *nouns = form.split() or [""]
    if kind == "name":
        name = (names or {}).get(value)
        return f"{value} ({name})" if name else str(value)
    if isinstance(value, int) and kind in _OF_NUMBERS:
        text: str = _OF_NUMBERS[kind](value, *nouns)
        return text
    if isinstance(value, list) and all(isinstance(each, (int, str)) for each in value):
        more = ", ..." if len(value) > MOST_LISTED else ""
        return ", ".join(map(str, value[:MOST_LISTED])) + more
    return shown(value, None)


_OF_NUMBERS: Final[Mapping[str, Any]] = {"time": duration, "size": size, "count": counted}
