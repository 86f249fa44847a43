"""Traffic of RabbitMQ Streams from a line of words, for probes of what programs do.

A small letter is a frame of the client, a capital letter one of the broker. Frames come a
millisecond after another; `+500` waits half a second more. `@1` goes to connection 1, which logs in
when it is first named, and leaves the one before open; the first words are those of connection 0.

| letter | frame |
|---|---|
| `d1:s` | DeclarePublisher 1 for stream s, `=ref` |
| `p1` `C1` `E1` | Publish, PublishConfirm and PublishError of all that is open; `*5` messages |
| `x1` | DeletePublisher |
| `s1:s` | Subscribe 1 to stream s, `=name`, `*5` is its credit |
| `M1` | Deliver; `*5` messages |
| `c1` `u1` | Credit, `*5`, and Unsubscribe |
| `w:s` `g:s` | StoreOffset and QueryOffset of offset `*5`, `=name` |
| `q:s` `m:s` `y:s` | QueryPublisherSequence, Metadata, Create |
| `A1` `a1` | ConsumerUpdate of subscription 1, by which it becomes active, and its answer |
| `U:s` | MetadataUpdate |
| `h` `H` | Heartbeat |
| `l` `L` | Close with its answer; Close of the broker without |
| `z` | no room for more bytes, as TCP says it |

The broker answers requests at once, with code 1 or `?19`; after `!` it does not answer, and `R`
sends the answers that it still owes. After the name, `^5` subscribes from offset 5, `^n` from
new messages, and `%` is a single active consumer. `-c` and `-s` are the end of a side, `-r` and
`-t` a reset by the client or the broker.
"""

import re
import tempfile
from pathlib import Path

from tests.builders import ACK
from tests.protocols.rabbitmq_stream.talk import CLIENT, SERVER, Talk, findings, number, text

_WORD = re.compile(
    r"([a-zA-Z])(\d*)(?::([\w-]+))?(?:=([\w-]*))?(?:\^(\w+))?(%?)(?:\*(\d+))?(?:\?(\d+))?(!?)$"
)
_MS = 1_000_000
_START = 1_700_000_000 * 1_000_000_000
_KEYS = {"d": 1, "q": 5, "x": 6, "s": 7, "g": 11, "u": 12, "y": 13, "m": 15}


class Player:
    """Connections of one client, and what each has open."""

    def __init__(self, beat: int) -> None:
        self.talks: list[Talk] = []
        self.now = 0
        self.at = -1
        self.beat = beat
        self.published: dict[tuple[int, int], int] = {}
        self.open: dict[tuple[int, int], list[int]] = {}
        self.offsets: dict[tuple[int, int], int] = {}
        self.owed: list[tuple[int, int, bytes]] = []
        self.updates = 0
        self.go(0)

    def go(self, connection: int) -> None:
        """Continue on a connection."""
        self.at = connection
        if connection == len(self.talks):
            talk = Talk(40_000 + connection, self.now, beat=self.beat)
            self.talks.append(talk)
            self.now = talk.made.time_ns - _START

    @property
    def talk(self) -> Talk:
        """The connection, at the time that it is."""
        talk = self.talks[self.at]
        self.now += _MS
        talk.made.time_ns = _START + self.now
        return talk

    def ask(self, key: int, body: bytes, answer: bytes, *, answers: bool) -> None:
        """A request, and its answer now or later."""
        talk = self.talk
        talk.ids += 1
        talk.say(CLIENT, key, number(talk.ids) + body)
        self.owed.append((self.at, key | 0x8000, number(talk.ids) + answer))
        if answers:
            self.answer()

    def answer(self) -> None:
        """The answers that the broker owes on this connection."""
        due = [each for each in self.owed if each[0] == self.at]
        self.owed = [each for each in self.owed if each[0] != self.at]
        for _, key, body in due:
            self.talk.say(SERVER, key, body)


def play(words: str, *, beat: int = 60) -> list[Talk]:
    """Return the connections; `beat` is the heartbeat in seconds."""
    player = Player(beat)
    for word in words.split():
        if word.startswith("+"):
            player.now += int(word[1:]) * _MS
        elif word.startswith("@"):
            player.go(int(word[1:]))
        elif word in ("-c", "-s"):
            player.talk.made.finish(CLIENT if word == "-c" else SERVER)
        elif word in ("-r", "-t"):
            player.talk.made.reset(CLIENT if word == "-r" else SERVER)
        else:
            _say(player, word)
    return player.talks


def found(talks: list[Talk]) -> set[str]:
    """Return the rules that have found something."""
    with tempfile.TemporaryDirectory() as folder:
        own = findings(Path(folder), *talks)
    return {e.rule for each in own for e in (each, *each.echoes)}


def _say(player: Player, word: str) -> None:
    """One frame, and perhaps its answer."""
    match = _WORD.match(word)
    assert match, word
    letter, at, name, label, place, single, more, code, holds = match.groups()
    this, stream, count = number(int(at or 0), 1), text(name or "s"), int(more or 1)
    key = (player.at, int(at or 0))
    if letter in _KEYS:
        if letter == "s":
            player.offsets[key] = int(place) if place and place.isdigit() else 0
        if letter == "d":
            player.published[key], player.open[key] = 0, []
        body = {
            "d": this + text(label or "") + stream,
            "q": text(label or "ref") + stream,
            "x": this,
            "s": this + stream + _place(place) + number(count if more else 10, 2),
            "g": text(label or "app") + stream,
            "u": this,
            "y": stream + number(0),
            "m": number(1) + stream,
        }[letter] + (_properties(label, single) if letter == "s" else b"")
        answer = number(int(code or 1), 2) + (
            number(count if more else 0, 8) if letter in "gq" else b""
        )
        if letter == "m":
            answer = number(1) + number(0, 2) + text("10.0.0.2") + number(5552) + number(1)
            answer += stream + number(int(code or 1), 2) + number(0, 2) + number(0)
        player.ask(_KEYS[letter], body, answer, answers=not holds)
    elif letter in "pCE":
        _publish(player, letter, key, count)
    elif letter == "M":
        _deliver(player, key, count)
    elif letter in "lz":
        _leave(player, letter, answers=not holds)
    elif letter == "R":
        player.answer()
    else:
        player.updates += letter == "A"
        update = number(player.updates)
        side, kind, body = {
            "c": (CLIENT, 9, this + number(count, 2)),
            "w": (CLIENT, 10, text(label or "app") + stream + number(count, 8)),
            "A": (SERVER, 0x1A, update + this + b"\1"),
            "a": (CLIENT, 0x801A, update + number(int(code or 1), 2) + _place(place)),
            "U": (SERVER, 16, number(4, 2) + stream),
            "h": (CLIENT, 23, b""),
            "H": (SERVER, 23, b""),
            "L": (SERVER, 22, number(99) + number(int(code or 1), 2) + text("bye")),
        }[letter]
        player.talk.say(side, kind, body)


def _properties(name: str | None, single: str) -> bytes:
    """The properties of a subscription, if it has any."""
    pairs = {"name": name} if name else {}
    pairs |= {"single-active-consumer": "true"} if single else {}
    shown = b"".join(text(key) + text(value) for key, value in pairs.items())
    return number(len(pairs)) + shown if pairs else b""


def _deliver(player: Player, key: tuple[int, int], count: int) -> None:
    """A chunk of messages of a byte."""
    time_ms, chunk = (_START + player.now) // _MS, player.offsets[key]
    player.offsets[key] += count
    player.talk.deliver(chunk, count, time_ms=time_ms, subscription=key[1])


def _leave(player: Player, letter: str, *, answers: bool) -> None:
    """Close, or no room for more bytes."""
    if letter == "l":
        player.ask(22, number(1, 2) + text("OK"), number(1, 2), answers=answers)
    else:
        made = player.talk.made
        made.raw(CLIENT, made.next[CLIENT], flags=ACK, window=0)


def _publish(player: Player, letter: str, key: tuple[int, int], count: int) -> None:
    """Publish, or what the broker says of all open messages of a publisher."""
    this = number(key[1], 1)
    if letter == "p":
        first = player.published[key]
        ids = range(first, first + count)
        player.published[key] += count
        player.open[key] += ids
        messages = b"".join(number(each, 8) + number(9) + b"%09d" % each for each in ids)
        player.talk.say(CLIENT, 2, this + number(count) + messages)
        return
    ids, player.open[key] = player.open[key], []
    if letter == "C":
        told = b"".join(number(each, 8) for each in ids)
        player.talk.say(SERVER, 3, this + number(len(ids)) + told)
    else:
        told = b"".join(number(each, 8) + number(2, 2) for each in ids)
        player.talk.say(SERVER, 4, this + number(len(ids)) + told)


def _place(place: str | None) -> bytes:
    """The offset specification at which a subscription begins."""
    if place is None:
        return number(1, 2)
    return number(3, 2) if place == "n" else number(4, 2) + number(int(place), 8)
