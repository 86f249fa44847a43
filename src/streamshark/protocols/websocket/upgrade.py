"""The handshake: a request and an answer of HTTP/1.1 (RFC 6455, section 4; RFC 9112).

Read as a bystander may: in any order, any case, folded lines and bare line feeds too, at most
`MOST_HEAD` bytes. A broken rule is reported, and the connection read on.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from streamshark.schema.secrets import MARK, is_secret, scrubbed

MOST_HEAD: Final = 64 * 1024
"""Most bytes of a head; servers allow 8 to 64 KiB."""
STARTS: Final = (b"GET ", b"HTTP/1.")
"""What a request, and an answer, begin with."""
OPENS: Final = re.compile(b"|".join(map(re.escape, STARTS)))
"""Matches them."""
LONGEST_NAME: Final = 32
"""Most characters of a protocol's name: what is longer is taken for a token."""
DEFLATE: Final = "permessage-deflate"
SWITCHING: Final = 101
_TOKENS: Final = frozenset({"bearer", "basic", "token", "jwt", "auth", "authorization"})
"""What a protocol's name begins with that is a token."""
_GUID: Final = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""RFC 6455, 1.3."""
_VERSION: Final = "13"

END: Final = re.compile(rb"\r?\n\r?\n")
"""The end of a head."""
_LINE_END: Final = re.compile(r"\r?\n")
_FOLD: Final = re.compile(r"\r?\n[ \t]+")
_REQUEST: Final = re.compile(r"GET (\S+) HTTP/1\.\d")
_ANSWER: Final = re.compile(r"HTTP/1\.\d (\d{3}) ?(.*)")
_WORD: Final = re.compile(r"[a-z0-9_]+")
_HEADER: Final = re.compile(r"([!#-'*+.^-z|~0-9A-Z-]+)[ \t]*:(.*)")
_PARAMETER: Final = re.compile(r'([^=;\s]+)(?:=(?:"([^"]*)"|([^";]*)))?')
"""Without the blanks around it and around its equals sign."""

Headers = Mapping[str, str]
"""Names in lower case; a header that comes several times is joined with commas."""


class Extension(NamedTuple):
    """One extension and its parameters; a parameter without a value has an empty one."""

    name: str
    parameters: Mapping[str, str]


class Request(NamedTuple):
    """What a client asks for."""

    target: str
    headers: Headers

    @property
    def path(self) -> str:
        """The target without its query, in which tokens are."""
        path, mark, _ = self.target.partition("?")
        return scrubbed(f"{path}?{MARK}" if mark else path)

    @property
    def words(self) -> frozenset[str]:
        """The words of the path and of the protocols, in lower case."""
        named = self.target.partition("?")[0], self.headers.get("sec-websocket-protocol", "")
        return frozenset(_WORD.findall(" ".join(named).lower()))

    @property
    def is_upgrade(self) -> bool:
        """Whether it asks for WebSocket."""
        return "websocket" in _tokens(self.headers.get("upgrade", ""))

    @property
    def faults(self) -> list[str]:
        """What a server may refuse it for (RFC 6455, 4.1)."""
        out = []
        if "upgrade" not in _tokens(self.headers.get("connection", "")):
            out.append("Connection does not name Upgrade")
        if (version := self.headers.get("sec-websocket-version")) != _VERSION:
            out.append(f"Sec-WebSocket-Version is {version or 'missing'}, not {_VERSION}")
        if not self.headers.get("sec-websocket-key"):
            out.append("Sec-WebSocket-Key is missing")
        if "host" not in self.headers:
            out.append("Host is missing")
        return out


class Answer(NamedTuple):
    """What a server answers."""

    status: int
    phrase: str
    headers: Headers

    @property
    def extensions(self) -> list[Extension]:
        """The extensions that hold from here on."""
        return extensions(self.headers.get("sec-websocket-extensions", ""))

    def faults(self, request: Request | None) -> list[str]:
        """Return the reasons for which a client fails the connection (RFC 6455, 4.1)."""
        out = []
        if "websocket" not in _tokens(self.headers.get("upgrade", "")):
            out.append("Upgrade does not name websocket")
        if "upgrade" not in _tokens(self.headers.get("connection", "")):
            out.append("Connection does not name Upgrade")
        if request is None:
            return out
        key = request.headers.get("sec-websocket-key", "")
        if key and self.headers.get("sec-websocket-accept", "").strip() != accept(key):
            out.append("Sec-WebSocket-Accept does not answer the key")
        chosen = self.headers.get("sec-websocket-protocol")
        asked = request.headers.get("sec-websocket-protocol", "")
        if chosen and chosen not in [each.strip() for each in asked.split(",")]:
            out.append(f"protocol {names(chosen)} was not asked for")
        offered = request.headers.get("sec-websocket-extensions", "")
        known = {each.name for each in extensions(offered)}
        out += [
            f"extension {each.name} was not asked for"
            for each in self.extensions
            if each.name not in known
        ]
        return out


def begins(data: bytes) -> bool:
    """Whether these may be the first bytes of a request or an answer."""
    return any(data.startswith(start) or start.startswith(data) for start in STARTS)


def read(data: bytes) -> Request | Answer | None:
    """Parse a whole head; return None for anything else."""
    lines = _LINE_END.split(_FOLD.sub(" ", data.decode("latin-1")).rstrip("\r\n"))
    values: dict[str, list[str]] = {}
    for line in lines[1:]:
        if found := _HEADER.fullmatch(line):
            values.setdefault(found[1].lower(), []).append(found[2].strip(" \t"))
    headers = {name: ", ".join(each) for name, each in values.items()}
    if found := _REQUEST.fullmatch(lines[0].rstrip()):
        return Request(found[1], headers)
    if found := _ANSWER.fullmatch(lines[0]):
        return Answer(int(found[1]), scrubbed(found[2].strip()), headers)
    return None


def extensions(text: str) -> list[Extension]:
    """Return the extensions that a header names.

    >>> extensions('permessage-deflate; client_max_window_bits="10"; server_no_context_takeover')[0]
    Extension(name='permessage-deflate', parameters={'client_max_window_bits': '10', \
'server_no_context_takeover': ''})
    """
    out = []
    for each in text.split(","):
        name, *parameters = each.split(";")
        parts = ("=".join(map(str.strip, each.split("=", 1))) for each in parameters)
        found = [match for part in parts if (match := _PARAMETER.fullmatch(part))]
        if name.strip():
            options = {match[1].lower(): match[2] or match[3] or "" for match in found}
            out.append(Extension(name.strip().lower(), options))
    return out


def names(text: str | None) -> str | None:
    """Names of protocols as they may be shown: browsers can send a token only as one of them.

    >>> names("rsocket, bearer.aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ")
    'rsocket, ***'
    >>> names("rsocket, access_token, s3cr3t")
    'rsocket, access_token, ***'
    """
    if text is None:
        return None
    shown, hides = [], False
    for each in map(str.strip, text.split(",")):
        is_credential = hides or len(each) > LONGEST_NAME or not _TOKENS.isdisjoint(_parts(each))
        shown.append(MARK if is_credential else each)
        hides = is_secret(each) or each.lower() in _TOKENS
    return ", ".join(shown)


def _parts(name: str) -> set[str]:
    """Return the parts before the last one of names that have several."""
    first, dot, _ = name.lower().partition(".")
    return {first} if dot else set()


def accept(key: str) -> str:
    """Return the Sec-WebSocket-Accept that answers a key (RFC 6455, 4.2.2).

    >>> accept("dGhlIHNhbXBsZSBub25jZQ==")
    's3pPLMBiTxaQ9kYGzzhZRbK+xOo='
    """
    from base64 import b64encode  # noqa: PLC0415 - most captures have no WebSocket
    from hashlib import sha1  # noqa: PLC0415

    digest = sha1((key.strip() + _GUID).encode("latin-1"), usedforsecurity=False)
    return b64encode(digest.digest()).decode()


def _tokens(text: str) -> list[str]:
    return [each.strip().lower() for each in text.split(",")]
