"""Traffic of RSocket from a line of words, for probes of what programs do.

A small letter is a frame of the client, a capital letter one of the server: `q3` requests on stream
3, `A3` answers it. Frames come a millisecond after another; `+500` waits half a second more.

| letter | frame |
|---|---|
| `o` `v` `t` | SETUP, with leases, with a token |
| `u` `m` | RESUME and RESUME_OK, `*5` is the position |
| `q` `f` `s` `c` | REQUEST_RESPONSE, REQUEST_FNF, REQUEST_STREAM, REQUEST_CHANNEL |
| `p` `a` `z` | PAYLOAD with NEXT, with NEXT and COMPLETE, with COMPLETE |
| `n` `x` `e` | REQUEST_N, CANCEL, ERROR |
| `k` `y` | KEEPALIVE that asks for an answer, and this answer; `*5` is a position |
| `l` | LEASE for ten seconds, of ten requests or `*5` |
| `w` | no room for more bytes, as TCP says it |

After the stream there may be `:name`, a route of a request, `=text`, its data (by default the
number of the stream), and `*5`, a number in hexadecimal: demand, the code of ERROR, a position.
`-c` and `-s` are the end of a side, `-r` and `-t` a reset by the client or the server. `|` ends the
connection and begins another one; `@1` goes to connection 1, and leaves the one before open.
"""

import re

from tests.protocols.rsocket.script import MS, Script, number
from tests.protocols.rsocket.traffic import entry, framed, payload, resume, resume_ok, setup

_WORD = re.compile(r"([a-zA-Z])(\d*)(?::([\w-]+))?(?:=([\w-]*))?(?:\*(\w+))?$")
_KINDS = {"q": 4, "f": 5, "s": 6, "c": 7}
_PAYLOADS = {"p": 0x20, "a": 0x60, "z": 0x40}
_ENDS = {"-c": (0, "close"), "-s": (1, "close"), "-r": (0, "reset"), "-t": (1, "reset")}


def play(words: str, *, keepalive: int = 20_000, lifetime: int = 90_000) -> Script:
    """Return the traffic; the times of SETUP are in milliseconds."""
    talk = Script()
    opened = {0: (talk.flow, talk.connection, talk.offsets)}
    now = 0
    times = number(keepalive) + number(lifetime)
    begin = setup().replace(number(20_000) + number(90_000), times)
    for word in words.split():
        if word == "|":
            talk.another()
        elif word.startswith("@"):
            opened[now] = (talk.flow, talk.connection, talk.offsets)
            now = int(word[1:])
            if now in opened:
                talk.flow, talk.connection, talk.offsets = opened[now]
            else:
                talk.flow = len(opened) - 1
                talk.connect()
        elif word in _ENDS:
            talk.now += MS
            talk.event(*_ENDS[word])
        elif word.startswith("+"):
            talk.now += int(word[1:]) * MS
        else:
            _say(talk, word, begin)
    opened[now] = (talk.flow, talk.connection, talk.offsets)
    for _, talk.connection, _ in opened.values():
        for row in talk.connection.finish():
            talk.engine.see(row)
    return talk


def found(talk: Script) -> set[str]:
    """Return the rules that have found something when nothing more comes."""
    for row in talk.connection.finish():
        talk.engine.see(row)
    talk.engine.finish()
    talk.judge.finish()
    return {e.rule for each in talk.judge.findings() for e in (each, *each.echoes)}


def _say(talk: Script, word: str, begin: bytes) -> None:
    """One frame."""
    match = _WORD.match(word)
    assert match, word
    letter, at, route, text, more = match.groups()
    side, letter, stream = int(letter.isupper()), letter.lower(), int(at or 0)
    data = (at if text is None else text).encode()
    metadata = entry(0x7E, bytes([len(route)]) + route.encode()) if route else None
    if letter == "w":
        talk.connection.flow.trouble[side].see_zero_window((0, talk.now, talk.packet))
        return
    if letter in _KINDS:
        demand = number(int(more or "8", 16)) if letter in "sc" else b""
        flags = 0x100 if route else 0
        frame = framed(stream, _KINDS[letter], flags, demand + payload(metadata, data))
    elif letter in _PAYLOADS:
        frame = framed(stream, 10, _PAYLOADS[letter], b"" if letter == "z" else data)
    else:
        frame = {
            "o": begin,
            "v": begin[:8] + bytes([begin[8] | 0x40]) + begin[9:],
            "t": setup(token=b"token"),
            "u": resume(b"token", int(more or "0", 16)),
            "m": resume_ok(int(more or "0", 16)),
            "k": framed(0, 3, 0x80, int(more or "0", 16).to_bytes(8, "big")),
            "y": framed(0, 3, 0, int(more or "0", 16).to_bytes(8, "big")),
            "l": framed(0, 2, 0, number(10_000) + number(int(more or "a", 16))),
            "n": framed(stream, 8, 0, number(int(more or "8", 16))),
            "x": framed(stream, 9, 0),
            "e": framed(stream, 11, 0, number(int(more or "201", 16)) + (text or "no").encode()),
        }[letter]
    talk.say(side, frame)
