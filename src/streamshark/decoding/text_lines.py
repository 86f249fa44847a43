"""Text lines and header blocks of the record decoder: cut by tables at run time."""

from typing import Any

from streamshark.decoding.runtime import Ranges, Sink, Values, decoded, fail, filled
from streamshark.schema import nodes
from streamshark.schema.text_lines import BLANKS, MAX_DIGITS, RESTS

QUOTE = 0x27


def line(b: bytes, p: int, e: int, node: nodes.LineNode, out: Values, sink: Sink) -> int:
    """Verb and arguments up to the line's end; returns the byte after it."""
    end = b.find(b"\n", p, e)
    if end < 0:
        fail(sink, "SHORT", node.id, p, e - p, e - p + 1)
    text = b[p : end - 1 if end > p and b[end - 1] == 13 else end]  # noqa: PLR2004 - CR
    size = len(node.verb)
    if text[:size].upper() != node.verb.upper().encode() or text[size : size + 1] not in (
        b"", b" ", b"\t",
    ):  # fmt: skip
        fail(sink, "VERB", node.id, p, len(text), node.verb)
    rest = bool(node.arguments) and node.arguments[-1].kind in RESTS
    tokens = _tokens(text, size, len(node.arguments) if rest else 0)
    assigned = _assigned(node, tokens)
    if assigned is None:
        fail(sink, "ARGS", node.id, p, len(text), len(tokens))
    own: Ranges = []
    try:
        for each, taken in assigned or ():
            found = own if sink is not None else None
            values = [_argument(each, (p + at, data), sink, found) for at, data in taken]
            if each.kind == "tokens":
                out[str(each.name)] = values
            elif values[0] != "" or not each.optional:
                out[str(each.name)] = values[0]
    finally:
        if sink is not None:
            filled(sink[0], own, p, end + 1, node.id)
    return end + 1


def _argument(
    each: nodes.ArgumentNode, token: tuple[int, bytes], sink: Sink, found: Ranges | None
) -> Any:  # noqa: ANN401 - a number or text
    at, data = token
    if each.kind == "number":
        if not data.isdigit() or len(data) > MAX_DIGITS:
            fail(sink, "NUMBER", each.id, at, len(data), ascii(data.decode("latin-1")))
        value: Any = int(data)
    else:
        if each.kind == "quoted" and len(data) > 1 and data[0] == data[-1] == QUOTE:
            at, data = at + 1, data[1:-1]
        value = data.decode() if sink is None else decoded(sink[1], each.id, at, data, "utf-8")
    if found is not None and (data or not each.optional):
        found.append((each.id, at, at + len(data), value))
    return value


def _tokens(text: bytes, at: int, most: int) -> list[tuple[int, bytes]]:
    """Tokens with their offsets; with `most` the last takes the rest, empty if nothing is left."""
    out: list[tuple[int, bytes]] = []
    end = len(text)
    while True:
        while at < end and text[at] in BLANKS:
            at += 1
        if most and len(out) == most - 1:
            out.append((at, text[at:]))
            return out
        if at == end:
            return out
        start = at
        while at < end and text[at] not in BLANKS:
            at += 1
        out.append((start, text[start:at]))


Assigned = list[tuple[nodes.ArgumentNode, list[tuple[int, bytes]]]]
"""Arguments, and the tokens that each takes."""


def _assigned(node: nodes.LineNode, tokens: list[tuple[int, bytes]]) -> Assigned | None:
    """Which argument takes which tokens; None when they are too few or too many."""
    front = next((i for i, each in enumerate(node.arguments) if each.mark), len(node.arguments))
    mark = tokens[front][1] if front < len(tokens) else b""
    if any(each.mark is not None and each.mark.encode() == mark for each in node.arguments):
        own = [each for each in node.arguments if each.mark and each.mark.encode() == mark]
        back = [a for a in node.arguments[front:] if not a.mark and not a.optional]
        return _spread([*node.arguments[:front], *own, *back], tokens[:front] + tokens[front + 1 :])
    plain = [each for each in node.arguments if not each.mark]
    spare = len(tokens) - sum(not each.optional or each.kind == "rest" for each in plain)
    present = []
    for each in plain:
        if each.optional and each.kind != "rest":
            if spare <= 0:
                continue
            spare -= 1
        present.append(each)
    return _spread(present, tokens) if spare == 0 else None


def _spread(present: list[nodes.ArgumentNode], tokens: list[tuple[int, bytes]]) -> Assigned | None:
    """One token for each argument, all that are left over for the one that takes a list."""
    spare = len(tokens) - sum(each.kind != "tokens" for each in present)
    lists = sum(each.kind == "tokens" for each in present)
    if spare < 0 or (spare and not lists):
        return None
    out: Assigned = []
    at = 0
    for each in present:
        count = spare if each.kind == "tokens" else 1
        out.append((each, tokens[at : at + count]))
        at += count
    return out


def headers(b: bytes, p: int, e: int, node: nodes.HeadersNode, out: Values, sink: Sink) -> int:
    """Read a header block up to `e`; return `e`."""
    if p == e:
        return e
    version = node.version.encode()
    after = p + len(version)
    if not b.startswith(version, p, e) or b[max(p, e - 4) : e] != b"\r\n\r\n":
        fail(sink, "ARGS", node.id, p, e - p, "header block:")
    if b[after] not in BLANKS and not b.startswith(b"\r\n", after):
        fail(sink, "ARGS", node.id, p, e - p, "header block:")
    own: Ranges = []
    pairs: list[Values] = []
    try:
        at = _version_line(b, after, node, out, (own, sink))
        while at < e - 2:
            end = b.index(b"\r\n", at)
            pairs.append(_pair(b, at, end, node, (own, sink)))
            at = end + 2
        out["headers"] = pairs
    finally:
        if sink is not None:
            filled(sink[0], own, p, e, node.id)
    return e


Piece = tuple[Ranges, Sink]
"""Where the ranges of pieces go, and where complaints go."""


def _version_line(b: bytes, p: int, node: nodes.HeadersNode, out: Values, piece: Piece) -> int:
    """Status and description; returns where the next line starts."""
    end = b.index(b"\r\n", p)
    parts = _tokens(b[p:end], 0, 2)
    for each, (start, raw) in zip((node.status, node.description), parts, strict=False):
        at, data = p + start, raw.rstrip(BLANKS)
        if not data:
            continue
        if each is node.status and (not data.isdigit() or len(data) > MAX_DIGITS):
            fail(piece[1], "NUMBER", each.id, at, len(data), ascii(data.decode("latin-1")))
        value = _text(each, at, data, piece, number=each is node.status)
        out[str(each.name)] = value
    return end + 2


def _pair(b: bytes, at: int, end: int, node: nodes.HeadersNode, piece: Piece) -> Values:
    """One header line."""
    key, colon, value = b[at:end].partition(b":")
    if not colon or not key:
        fail(piece[1], "ARGS", node.id, at, end - at, "header line:")
    names = nodes.children(node.headers.item)
    start = end - len(value.lstrip(BLANKS))
    return {
        "key": _text(names[0], at, key, piece),
        "value": _text(names[1], start, value.strip(BLANKS), piece),
    }


def _text(node: nodes.Node, at: int, data: bytes, piece: Piece, *, number: bool = False) -> Any:  # noqa: ANN401
    own, sink = piece
    if sink is None:
        return int(data) if number else data.decode()
    value = int(data) if number else decoded(sink[1], node.id, at, data, "utf-8")
    own.append((node.id, at, at + len(data), value))
    return value
