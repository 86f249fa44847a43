"""Search a redacted capture for values of the original; knows nothing of how they were replaced.

Values are those that the public API shows of the original's frames. What must not be found are
texts and bytes of four or more bytes, and the words in them, except for those that the policy keeps
by the roles that `streamshark fields` states.
"""

import base64
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote_from_bytes

import streamshark
from streamshark.decoding.codecs import CODECS, unpack
from streamshark.decoding.payloads import EmbeddedRecord, cells
from streamshark.protocols.catalog import catalog
from streamshark.schema import nodes

KEPT_ROLES: Final = {"keyword", "product", "identifies", "response_code", "port"}
LEAST: Final = 4
LEAST_ENCODED: Final = 8
"""Characters of an encoded value that are not there by chance."""
_WORD: Final = re.compile(rb"[A-Za-z0-9]{4,}")
_SMALL: Final = re.compile(rb"\d{1,3}(?:[^A-Za-z0-9]+\d{1,3})*")
"""Short numbers stay: addresses of loopback, numbers of partitions."""
_DEFINED: Final = re.compile(
    rb"\\u[0-9a-fA-F]{4}|#transaction\.[0-9a-f-]+|io\.nats\.[\w.]+|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)"
)
"""Escapes of JSON; types and times in that of JetStream; ids of transactions of Pravega."""
_PLAIN: Final = re.compile(rb"[^A-Za-z0-9]*")


def _known_words() -> set[bytes]:
    """Return the words that the protocols define, in lower case."""
    found: set[str] = set()
    for protocol in catalog():
        syntax = protocol.syntax
        if syntax is not None:
            found |= syntax.words | syntax.members | syntax.keys.keys()
            found |= set(re.findall(r"\w{4,}", syntax.names.pattern if syntax.names else ""))
    words = {each.lower() for word in found for each in re.findall(r"[A-Za-z0-9]{4,}", word)}
    return {each.encode() for each in words | {"localhost", "application", "nats", "http"}}


WORDS: Final = _known_words()


Valued = tuple[bool, bytes]
"""A text or bytes, and whether the policy keeps it."""


def values(path: str | Path) -> tuple[set[bytes], set[bytes]]:
    """Return texts and bytes of a capture that a redaction replaces, and words that it keeps."""
    found: set[Valued] = set()
    with streamshark.open(str(path), show_secrets=True) as session:
        for row in session.rows():
            decoder = getattr(row, "decoder", None)
            if decoder is None:
                continue
            found.update(_of(decoder.tree, row.values))
            for cell in cells(decoder.tree, row.values, row.agreed):
                body = session.layers.body(cell.slot, cell.data, declared=cell.declared)
                if body is not None and isinstance(body.reader, EmbeddedRecord):
                    record = body.reader.record_of(body.decoded.value)
                    found.update(_of(body.reader.decoder.tree, record))
                else:
                    found.add((False, cell.data))
    kept = {word for is_kept, each in found if is_kept for word in _WORD.findall(each)}
    return {each for is_kept, each in found if not is_kept and len(each) >= LEAST}, kept


def _of(tree: nodes.Tree, record: object) -> Iterator[Valued]:
    """Yield the values of one frame or record."""
    roles = {node.path: set((node.facts.role or "").split()) for node in tree.nodes if node.name}
    raw = {
        node.path
        for node in tree.nodes
        if isinstance(node, nodes.BlobNode) and (node.slot or node.encoding == "uuid")
    }

    def walk(value: object, path: tuple[str, ...], name: str) -> Iterator[Valued]:
        if isinstance(value, dict):
            key = value.get("key", value.get("name", ""))
            named = key if isinstance(key, str) and "value" in value else name
            for member, each in value.items():
                if not (member in ("key", "name") and "value" in value):
                    yield from walk(each, (*path, member), named)
        elif isinstance(value, list):
            for each in value:
                yield from walk(each, path, name)
        elif path not in raw and isinstance(value, str | bytes):
            data = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
            yield bool(roles.get(path, set()) & KEPT_ROLES or _is_kept(name)), data

    yield from walk(record, (), "")


def _is_kept(name: str) -> bool:
    """Return whether values of a name in a map are kept."""
    for protocol in catalog():
        keys = protocol.syntax.keys if protocol.syntax is not None else {}
        for known, role in keys.items():
            if role in KEPT_ROLES and re.fullmatch(known.replace("*", ".*"), name.lower()):
                return True
    return False


def pieces(found: set[bytes], kept: set[bytes]) -> set[bytes]:
    """Return what must not be found of values: each as a whole, and its words but some."""
    out = set()
    for value in found:
        if _PLAIN.fullmatch(value) or _SMALL.fullmatch(value):
            continue
        words = [
            each for each in _WORD.findall(_DEFINED.sub(b" ", value)) if each.lower() not in WORDS
        ]
        words = [each for each in words if not each.isdigit() and each not in kept]
        out.update(each for each in words if not each.isascii() or len(each) >= LEAST + 1)
        if words:
            out.add(value)
    return out


def contents(path: str | Path) -> bytes:
    """Return all bytes of a capture, and those that are packed or carried in it."""
    out = [Path(path).read_bytes()]
    if out[0][:2] == b"\x1f\x8b":
        out = [gzip.decompress(out[0])]
    with streamshark.open(str(path), show_secrets=True) as session:
        for row in session.rows():
            out.append(row.data)
            decoder = getattr(row, "decoder", None)
            if decoder is not None:
                out += [cell.data for cell in cells(decoder.tree, row.values, row.agreed)]
            out += [
                made.data
                for codec in sorted(CODECS)
                if (made := unpack(codec, row.data, size=None, cap=1 << 20)).data
            ]
        comments = [each.text.encode() for one in session.captures for each in one.comments]
    data = b"\n".join(out)
    for each in comments:  # the program's own words
        data = data.replace(each, b"")
    return data


def forms(value: bytes) -> Iterator[bytes]:
    """Yield a value in encodings."""
    yield value.hex().encode()
    yield value.hex().upper().encode()
    yield value.decode("utf-8", "replace").encode("utf-16-le")
    for pad in range(3):
        first, last = -(-pad * 8 // 6), (pad + len(value)) * 8 // 6
        yield base64.b64encode(bytes(pad) + value + bytes(3))[first:last]
    if re.search(rb"[^A-Za-z0-9]", value):
        yield quote_from_bytes(value, safe="").encode()
        yield json.dumps(value.decode("utf-8", "replace"))[1:-1].encode()


def leaks(original: str | Path, redacted: str | Path) -> set[bytes]:
    """Return the values of a capture that are found in another."""
    data = contents(redacted)
    words = set(re.findall(rb"[A-Za-z0-9]+", data))
    found = set()
    for each in pieces(*values(original)):
        is_there = each in words if each.isalnum() else each in data
        if is_there or any(form in data for form in forms(each) if len(form) >= LEAST_ENCODED):
            found.add(each)
    return found
