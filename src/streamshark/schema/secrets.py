"""The one table of what is secret by its name, and the forms that credentials have in text.

Fields of a schema are marked (`secret`). Names that a peer chooses is looked up here: HTTP and NATS
headers, gRPC metadata, parameters of URLs, members of JSON, keys of maps, MIME types. Case,
separators and the suffix `-bin` of gRPC make no difference.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

NAMES: Final = frozenset(
    {"auth", "authentication", "cookie2", "nkey", "otp", "pass", "passcode", "passwd", "pat", "pwd",
     "securitykey", "seed", "sessionid", "setcookie2", "sid", "sig", "signature", "wwwauthenticate"}
)  # fmt: skip
"""Names that are secret as a whole, without separators."""
ENDINGS: Final = (
    "accesskey", "apikey", "assertion", "authkey", "authorization", "authdata", "cookie",
    "credential", "credentials", "creds", "encryptionkey", "jwt", "nkeyseed", "passphrase",
    "password", "privatekey", "secret", "secretkey", "sessionkey", "signingkey", "token",
)  # fmt: skip
"""What a name that is secret may end with, whatever precedes it."""
PARAMETERS: Final = frozenset({"code", "key"})
"""Parameters of URLs that are secret besides."""
HOSTS: Final = frozenset({"authority", "host"})
"""Names of hosts, before which a user and a password may be."""
MARK: Final = "***"
"""Replacement of a secret in text."""
FILL: Final = b"*"
"""Replacement of each byte of a secret in bytes."""
LONGEST: Final = 256
"""Most characters of a name."""
_SEPARATORS: Final = re.compile(r"[^0-9a-z]+")
WORDS: Final = frozenset({"auth", "authentication", "bearer", "credentials", "jwt", "token"})
"""Words of types that hold secrets."""


class SecretSpan(NamedTuple):
    """Bytes to be hidden."""

    start: int
    end: int
    json: bool = False
    """Whether they are a value of JSON, which stays one."""


@lru_cache(1024)
def is_secret(name: str) -> bool:
    """Whether what has this name is secret.

    >>> [is_secret(each) for each in ("X-Api-Key", "authorization-bin", "grpc-timeout")]
    [True, True, False]
    """
    plain = _SEPARATORS.sub("", name[:LONGEST].lower())
    for each in (plain, plain.removesuffix("bin")):
        if each in NAMES or each.endswith(ENDINGS):
            return True
    return False


def secret_part(name: str, data: bytes) -> int:
    """How many of the first bytes of what has this name are secret.

    >>> secret_part("x-api-key", b"abc"), secret_part(":authority", b"me:pw@host")
    (3, 5)
    """
    if is_secret(name):
        return len(data)
    return max(0, data.rfind(b"@")) if name.lower().lstrip(":") in HOSTS else 0


@lru_cache(1024)
def is_secret_type(name: str) -> bool:
    """Whether bytes of a MIME type of this name may hold a secret; an empty name is not known.

    >>> is_secret_type("message/x.rsocket.authentication.bearer.v0"), is_secret_type("text/plain")
    (True, False)
    """
    return not name or not WORDS.isdisjoint(_SEPARATORS.split(name.lower()))


LIKELY: Final = (
    b"pass", b"pwd", b"token", b"secret", b"auth", b"assert", b"cookie", b"cred", b"jwt", b"sig",
    b"sid", b"seed", b"nkey", b"otp", b"pat",
)  # fmt: skip
"""What bytes have in which a name is secret, in lower case."""
KEYS: Final = (
    b"api", b"access", b"private", b"session", b"sign", b"signing", b"encryption", b"security",
    b"auth",
)  # fmt: skip
"""What precedes `key` there."""
_KEY: Final = re.compile(b"(?:" + b"|".join(KEYS) + b")[-_. ]?key")
SIGNS: Final = (b"://", b":\\/", b"=", b"eyJ", b"earer", b"EARER", b"asic ")
"""What bytes have that have a credential."""
_FORMS: Final = tuple(each for each in SIGNS if each != b"=")
_USER: Final = re.compile(rb":\\?/\\?/(?P<user>[^/?#\s\"'<>@]*(?:@[^/?#\s\"'<>@]*)*)(?=@)")
_PARAMETER: Final = re.compile(rb"[?&;#](?P<name>[\w.%-]{1,64})=(?P<value>[^&;#\s\"'<>]+)")
_NAME_AT_END: Final = re.compile(rb"[?&;#]([\w.%-]{1,64})\Z")
_LONGEST_PARAMETER: Final = 65
"""Bytes that this matches at most."""
_TOKENS: Final = (
    ((b"earer", b"EARER"), re.compile(rb"(?i:\bbearer)(?!\.v\d+\b)[ .:=]+(?P<bearer>[\w.~+/=-]+)")),
    ((b"asic ",), re.compile(rb"\b[Bb]asic +(?P<basic>(?=\S*[0-9=+/])[\w+/]{4,}=*)")),
    ((b"eyJ",), re.compile(rb"(?P<jwt>\beyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)?)")),
)
"""Each with what bytes have that it may match: a look for that is far cheaper."""
_MEMBER: Final = re.compile(
    rb'"(?P<name>(?:[^"\\]|\\.)*)"\s*:\s*(?P<value>"(?:[^"\\]|\\.)*"?|[^\s",\[\]{}]+|[\[{])'
)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_STRING: Final = re.compile(rb'"((?:[^"\\]|\\.)*)"?|[^\s",:\[\]{}]+')


def is_likely(data: bytes) -> bool:
    """Return whether bytes have something in which a name is secret; cheap.

    >>> is_likely(b"X-Api-Key"), is_likely(b"grpc-timeout")
    (True, False)
    """
    text = data.lower()
    if any(word in text for word in LIKELY):
        return True
    return b"key" in text and _KEY.search(text) is not None


def may_hold(data: bytes) -> bool:
    """Whether bytes may have a credential in one of the forms of `credentials`; cheap."""
    for sign in SIGNS:  # noqa: SIM110 - asked of each text; a generator takes twice as long
        if sign in data:
            return True
    return False


def has_form(data: bytes) -> bool:
    """Return whether bytes, or a part of them alone, may have a credential; cheap.

    As `may_hold`, but an equals sign counts only after the name of a secret parameter: random bytes
    of some length always have one.

    >>> [has_form(each) for each in (b"a=1", b"?n=1", b"?n=1&pass=", b"eyJ")]
    [False, False, True, True]
    """
    for sign in _FORMS:
        if sign in data:
            return True
    if b"=" not in data:
        return False
    # Splitting is far cheaper than a search for names.
    names = (_NAME_AT_END.search(part[-_LONGEST_PARAMETER:]) for part in data.split(b"=")[:-1])
    return any(each is not None and _is_secret_parameter(each[1]) for each in names)


def _is_secret_parameter(name: bytes) -> bool:
    plain = unquote(name.decode("latin-1"))
    return is_secret(plain) or plain.lower() in PARAMETERS


def joined(spans: Iterable[SecretSpan]) -> list[SecretSpan]:
    """Return spans in order, overlapping ones as one, empty ones left out.

    >>> joined([SecretSpan(4, 9), SecretSpan(2, 2), SecretSpan(1, 5)])
    [SecretSpan(start=1, end=9, json=False)]
    """
    out: list[SecretSpan] = []
    for span in sorted(spans):
        if out and span.start < out[-1].end:
            out[-1] = out[-1]._replace(end=max(out[-1].end, span.end))
        elif span.end > span.start:
            out.append(span)
    return out


def credentials(data: bytes) -> list[SecretSpan]:
    """Where credentials are in text: users of URLs, parameters, bearer and basic tokens, JWTs.

    >>> credentials(b"nats://me:pw@host/?token=abc")
    [SecretSpan(start=7, end=12, json=False), SecretSpan(start=25, end=28, json=False)]
    """
    found = [SecretSpan(*each.span("user")) for each in _USER.finditer(data)]
    for each in _PARAMETER.finditer(data):
        start = each.start("value")
        if _is_secret_parameter(each["name"]):
            found.append(SecretSpan(start, each.end("value")))
        else:
            inside = credentials(each["value"])
            found += [SecretSpan(start + one.start, start + one.end) for one in inside]
    for signs, pattern in _TOKENS:
        if any(sign in data for sign in signs):
            found += [SecretSpan(*each.span(1)) for each in pattern.finditer(data)]
    return joined(found)


def members(data: bytes) -> Iterator[SecretSpan]:
    """Where values of secret members are in JSON, whole or cut short.

    >>> [data[a:b] for data in [b'{"api_key": "x", "n": 1}'] for a, b, _ in members(data)]
    [b'"x"']
    """
    for found in _MEMBER.finditer(data):
        if is_secret(_unescaped(found["name"])):
            start, end = found.span("value")
            if found["value"] in (b"{", b"["):
                end = _closed(data, start)
            yield SecretSpan(start, end, json=True)
    for found in _STRING.finditer(data) if b"\\" in data else ():
        text = found[1] or b""
        if b"\\" in text and credentials(_unescaped(text).encode("utf-8", "replace")):
            yield SecretSpan(*found.span(), json=True)


def _unescaped(text: bytes) -> str:
    """Return the text between two quotes of JSON."""
    plain = text.decode("latin-1")
    return _ESCAPE.sub(lambda found: chr(int(found[1] or "0", 16)) if found[1] else found[2], plain)


def _closed(data: bytes, start: int) -> int:
    """Return the end of an object or array; that of the data if it does not end."""
    depth, at = 0, start
    for at in range(start, len(data)):
        depth += (data[at] in b"{[") - (data[at] in b"}]")
        if not depth:
            return at + 1
    return len(data)


def scrubbed(text: str) -> str:
    """Text without the credentials in it.

    >>> scrubbed("no route to nats://me:pw@host")
    'no route to nats://***@host'
    """
    data = text.encode("utf-8", "surrogatepass")
    if not may_hold(data):
        return text
    spans = sorted(credentials(data), reverse=True)
    for start, end, _ in spans:
        data = data[:start] + MARK.encode() + data[end:]
    return data.decode("utf-8", "surrogatepass") if spans else text


def scrubbed_members(members: Mapping[str, Any]) -> dict[str, Any]:
    """Members without the credentials in their texts.

    >>> scrubbed_members({"user": "nats://me:pw@host", "n": 1})
    {'user': 'nats://***@host', 'n': 1}
    """
    return {
        name: scrubbed(value) if isinstance(value, str) else value
        for name, value in members.items()
    }


def hidden(data: bytes, spans: list[SecretSpan]) -> bytes:
    """Bytes with others in place of the secrets, as many as there were."""
    out = bytearray(data)
    for start, end, is_json in spans:
        part = bytes(out[start:end])
        out[start:end] = _STRING.sub(_filled, part) if is_json else FILL * len(part)
    return bytes(out)


def _filled(found: re.Match[bytes]) -> bytes:
    """One value of JSON that says nothing, as long as it was."""
    text = found[0]
    if text.startswith(b'"'):
        inner = len(found[1])
        return b'"' + FILL * inner + text[1 + inner :]
    return text if text in (b"true", b"false", b"null") else b"1" * len(text)


def is_hidden(data: bytes | str) -> bool:
    """Whether some bytes or text consist of replaced secrets only."""
    if isinstance(data, str):
        return bool(data) and not data.strip("*")
    return data[:1] == FILL and data.count(FILL) == len(data)
