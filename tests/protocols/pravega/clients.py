"""Clients of Pravega, made: what they do over time, well and badly."""

import itertools
import struct
from collections.abc import Callable, Sequence
from uuid import UUID

from tests.protocols.pravega.traffic import WRITER, Talk, framed, proto, record, text

from streamshark.protocols.pravega.codes import TypeCode as Code

CLIENT, SERVER = 0, 1
SEGMENT = text("scope/stream/0.#epoch.0")
TRANSACTION = text("scope/stream/0.#epoch.0#transaction.1")
EVENT = record(0, b"event")
ALIVE = framed(Code.KEEP_ALIVE)
ANY = -(1 << 63)
NOTHING = bytes(4)
TOKEN = struct.pack(">i", 3) + b"abc"
OTHER = UUID(int=5).bytes


def numbers(*values: int) -> bytes:
    """Numbers of eight bytes."""
    return struct.pack(f">{len(values)}q", *values)


def key(data: bytes, version: int = ANY) -> bytes:
    """A key of a table."""
    return struct.pack(">ii", 12 + len(data), len(data)) + data + numbers(version)


def entry(version: int) -> bytes:
    """A key and its value."""
    return key(b"k", version) + struct.pack(">ii", 5, 1) + b"v"


def set_up(writer: bytes = WRITER, number: int = 7, segment: bytes = SEGMENT) -> bytes:
    """SETUP_APPEND."""
    return framed(Code.SETUP_APPEND, numbers(number) + writer + segment + text(""))


def ready(
    last: int = -1, writer: bytes = WRITER, number: int = 7, segment: bytes = SEGMENT
) -> bytes:
    """APPEND_SETUP."""
    return framed(Code.APPEND_SETUP, numbers(number) + segment + writer + numbers(last))


def append(number: int, count: int = 1) -> bytes:
    """A block and its end."""
    body = struct.pack(">iii", len(EVENT), 0, count) + numbers(number, 7)
    return framed(Code.APPEND_BLOCK, WRITER + EVENT) + framed(Code.APPEND_BLOCK_END, WRITER + body)


def stored(number: int) -> bytes:
    """DATA_APPENDED."""
    return framed(Code.DATA_APPENDED, WRITER + numbers(number, number - 1, 7, 100))


def read(offset: int, length: int = 65536, number: int = 9) -> bytes:
    """READ_SEGMENT."""
    body = SEGMENT + numbers(offset) + struct.pack(">i", length) + text("") + numbers(number)
    return framed(Code.READ_SEGMENT, body)


def bytes_read(offset: int, data: bytes = b"x", tail: int = 0, number: int = 9) -> bytes:
    """SEGMENT_READ."""
    body = SEGMENT + numbers(offset) + bytes([tail, 0]) + struct.pack(">i", len(data)) + data
    return framed(Code.SEGMENT_READ, body + numbers(number))


def refusal(code: int, number: int, offset: int, more: bytes = b"") -> bytes:
    """An error about the segment."""
    return framed(code, numbers(number) + SEGMENT + more + text("") + numbers(offset))


def another(talk: Talk) -> Talk:
    """The connection ends, and another one begins."""
    talk.event("close", CLIENT).event("close", SERVER)
    for row in talk.connection.finish():
        talk.engine.see(row)
    return talk.again()


def writing(segment: bytes = SEGMENT) -> Talk:
    """A connection with a writer that is set up."""
    return Talk().say(CLIENT, set_up(segment=segment)).say(SERVER, ready(segment=segment))


def truncated(count: int, *, moves: bool = False, wait: int = 0) -> Talk:
    """Reads in front of the start of a segment."""
    talk = Talk()
    for each in range(count):
        offset = each if moves else 0
        talk.say(CLIENT, read(offset, number=each), wait)
        talk.say(SERVER, refusal(Code.SEGMENT_IS_TRUNCATED, each, offset, numbers(32)), 0)
    return talk


def updated(*versions: int) -> Talk:
    """Entries updated with versions that they do not have."""
    talk = Talk()
    for number, version in enumerate(versions):
        body = numbers(number) + SEGMENT + text("") + struct.pack(">i", 1) + entry(version)
        talk.say(CLIENT, framed(Code.UPDATE_TABLE_ENTRIES, body + numbers(-1)), 0)
        talk.say(SERVER, framed(Code.TABLE_KEY_BAD_VERSION, numbers(number) + SEGMENT + text("")))
    return talk


def conditional(*offsets: int) -> Talk:
    """Conditional appends that fail."""
    talk = writing()
    for number, offset in enumerate(offsets):
        body = WRITER + numbers(number, offset) + EVENT + numbers(7)
        talk.say(CLIENT, framed(Code.CONDITIONAL_APPEND, body))
        talk.say(SERVER, framed(Code.CONDITIONAL_CHECK_FAILED, WRITER + numbers(number, 7)))
    return talk


def outdated(*offsets: int, segment: bytes = SEGMENT, acked: bool = False) -> Talk:
    """Writers that each expect a length of the segment."""
    talk = Talk()
    for number, offset in enumerate(offsets):
        writer = UUID(int=number + 1).bytes
        talk.say(CLIENT, set_up(writer, segment=segment))
        talk.say(SERVER, ready(ANY, writer, segment=segment))
        if acked:
            end = struct.pack(">iii", len(EVENT), 0, 1) + numbers(1, 7)
            talk.say(CLIENT, framed(Code.APPEND_BLOCK, writer + EVENT))
            talk.say(CLIENT, framed(Code.APPEND_BLOCK_END, writer + end))
            talk.say(SERVER, framed(Code.DATA_APPENDED, writer + numbers(1, 0, 7, 100)))
        body = writer + numbers(2, offset) + EVENT + numbers(7)
        talk.say(CLIENT, framed(Code.CONDITIONAL_APPEND, body))
        talk.say(SERVER, framed(Code.CONDITIONAL_CHECK_FAILED, writer + numbers(2, 7)))
        another(talk)
    return talk


def made_again(*methods: str, segment: bytes = SEGMENT) -> Talk:
    """Calls about a stream, and a read of a segment that is not there."""
    talk = Talk()
    for each in methods:
        stream = proto(_1="scope", _2="stream")
        talk.call(each, proto(_1=stream) if each == "createStream" else stream)
    talk.say(CLIENT, read(0))
    gone = numbers(9) + segment + text("") + numbers(0)
    return talk.say(SERVER, framed(Code.NO_SUCH_SEGMENT, gone))


def broad(count: int, data: bytes = b"x", *, stream: str = "scope/stream") -> Talk:
    """Reads of segments of a stream."""
    talk = Talk()
    for each in range(count):
        name = text(f"{stream}/{each}.#epoch.0")
        body = name + numbers(0) + struct.pack(">i", 65536) + text("") + numbers(each)
        talk.say(CLIENT, framed(Code.READ_SEGMENT, body), 0)
        got = name + numbers(0) + b"\1\0" + struct.pack(">i", len(data)) + data + numbers(each)
        talk.say(SERVER, framed(Code.SEGMENT_READ, got), 0)
    return another(talk)


def kept_alive(count: int, *, appends: bool = False, wait: int = 0) -> Talk:
    """KEEP_ALIVE again and again."""
    talk = writing()
    for each in range(count):
        if appends:
            talk.say(CLIENT, append(each), 0)
        talk.say(CLIENT, ALIVE, wait)
    return talk


def attributes(count: int, *, last: int = 0) -> Talk:
    """Updates of an attribute that fail, but perhaps for the last one."""
    talk = Talk()
    for each in range(count):
        body = numbers(each) + SEGMENT + OTHER + numbers(2, 1) + text("")
        talk.say(CLIENT, framed(Code.UPDATE_SEGMENT_ATTRIBUTE, body), 0)
        done = last if each == count - 1 else 0
        talk.say(SERVER, framed(Code.SEGMENT_ATTRIBUTE_UPDATED, numbers(each) + bytes([done])))
    return talk


def changes(count: int, *, found: int = 0, wait: int = 0) -> Talk:
    """Questions for the changes of a table."""
    talk = Talk()
    for each in range(count):
        body = numbers(each) + SEGMENT + text("") + numbers(5) + struct.pack(">i", 10)
        talk.say(CLIENT, framed(Code.READ_TABLE_ENTRIES_DELTA, body), wait)
        body = numbers(each) + SEGMENT + struct.pack(">i", found) + entry(1) * found
        talk.say(SERVER, framed(Code.TABLE_ENTRIES_DELTA_READ, body + b"\0\1" + numbers(5)), 0)
    return talk


def lengths(count: int, *, grows: int = 0, wait: int = 0) -> Talk:
    """Questions for the length of a segment."""
    talk = Talk()
    for each in range(count):
        body = numbers(each) + SEGMENT
        talk.say(CLIENT, framed(Code.GET_STREAM_SEGMENT_INFO, body + text("")), wait)
        body += b"\1\0\0" + numbers(0, each * grows, 0)
        talk.say(SERVER, framed(Code.STREAM_SEGMENT_INFO, body), 0)
    return talk


def reads(
    count: int, data: bytes, *, step: int = 0, tail: int = 0, length: int = 65536, wait: int = 0
) -> Talk:
    """Reads that are answered."""
    talk = Talk()
    for each in range(count):
        talk.say(CLIENT, read(each * step, length), wait)
        talk.say(SERVER, bytes_read(each * step, data, tail), 0)
    return talk


def pages(*tokens: bytes, found: int = 2) -> Talk:
    """Pages of two keys of a table."""
    talk = Talk()
    for number, token in enumerate(tokens):
        body = numbers(number) + SEGMENT + text("") + struct.pack(">i", 2) + token
        talk.say(CLIENT, framed(Code.READ_TABLE_KEYS, body + NOTHING * 3), 0)
        body = numbers(number) + SEGMENT + struct.pack(">i", found) + key(b"k", 1) * found
        talk.say(SERVER, framed(Code.TABLE_KEYS_READ, body + TOKEN))
    return talk


def stored_singly(count: int, *, events: int = 1, wait: int = 0) -> Talk:
    """Appends, each after the acknowledgement of the one before."""
    talk = writing()
    for each in range(count):
        talk.say(CLIENT, append(each * events, events), wait).say(SERVER, stored(each * events), 0)
    return talk


def at_full_speed(count: int, *, events: int = 1, acked: bool = False) -> Talk:
    """Appends without waiting."""
    talk = writing()
    for each in range(count):
        talk.say(CLIENT, append((each + 1) * events, events))
        if acked:
            talk.say(SERVER, stored((each + 1) * events))
    return talk.event("close")


def connections(count: int, *, requests: int = 1, closed: bool = True) -> Talk:
    """Connections one after the other."""
    talk = Talk()
    for _ in range(count):
        for each in range(requests):
            body = numbers(each) + SEGMENT
            talk.say(CLIENT, framed(Code.GET_STREAM_SEGMENT_INFO, body + text("")), 0)
            talk.say(SERVER, framed(Code.STREAM_SEGMENT_INFO, body + bytes(3) + numbers(0, 1, 0)))
        if closed:
            another(talk)
        else:
            talk.again()
    talk.now += 5_000_000_000
    return talk.say(CLIENT, ALIVE)


def writers(count: int, appends: int, *, name: str = "scope", segments: int = 1) -> Talk:
    """Writers that are set up, and append so many times each."""
    talk = Talk()
    for each in range(count):
        writer, segment = UUID(int=each).bytes, text(f"{name}/stream/{each % segments}")
        talk.say(CLIENT, set_up(writer, each, segment))
        talk.say(SERVER, ready(-1, writer, each, segment))
        body = struct.pack(">ii", 0, len(EVENT)) + EVENT + struct.pack(">i", 1)
        for number in range(appends):
            more = writer + body + numbers(number, each)
            talk.say(CLIENT, framed(Code.APPEND_BLOCK_END, more))
    return talk.event("close")


def spread(*events: int, stream: str = "stream") -> Talk:
    """Events in the segments of a stream."""
    talk = Talk()
    for each, count in enumerate(events):
        writer, segment = UUID(int=each).bytes, text(f"scope/{stream}/{each}.#epoch.0")
        talk.say(CLIENT, set_up(writer, each, segment))
        talk.say(SERVER, ready(-1, writer, each, segment))
        for number in range(0, count, 10):
            body = struct.pack(">ii", 0, 10 * len(EVENT)) + EVENT * 10 + struct.pack(">i", 10)
            more = writer + body + numbers(number + 10, each)
            talk.say(CLIENT, framed(Code.APPEND_BLOCK_END, more))
    return talk.event("close")


def transaction(*, events: int = 1, merged: bool = False) -> Talk:
    """The segment of a transaction, which is deleted in the end."""
    talk = writing(TRANSACTION)
    for each in range(events):
        talk.say(CLIENT, append(each)).say(SERVER, stored(each))
    another(talk)
    if merged:
        talk.say(CLIENT, framed(Code.MERGE_SEGMENTS, numbers(1) + SEGMENT + TRANSACTION + text("")))
    return talk.say(CLIENT, framed(Code.DELETE_SEGMENT, numbers(2) + TRANSACTION + text("")))


def in_turn(*turns: int, appends: bool = False, ends: bool = False) -> Talk:
    """A writer that connections set up, and append for."""
    talk = Talk()
    places = {0: (talk.connection, talk.flow, talk.offsets)}
    for number, turn in enumerate(turns):
        if turn not in places:
            if ends:
                another(talk)
            else:
                talk.again()
            places[turn] = (talk.connection, talk.flow, talk.offsets)
        talk.connection, talk.flow, talk.offsets = places[turn]
        if not appends or turn not in turns[:number]:
            talk.say(CLIENT, set_up()).say(SERVER, ready(number))
        if appends:
            talk.say(CLIENT, append(number + 1)).say(SERVER, stored(number + 1))
    return talk


def under_way(*ids: int, answered: bool = False, refused: bool = False) -> Talk:
    """Reads at different offsets."""
    talk = Talk()
    for each, number in enumerate(ids):
        talk.say(CLIENT, read(each * 100, number=number), 0)
        if answered:
            talk.say(SERVER, bytes_read(each * 100, number=number), 0)
        if refused:
            talk.say(SERVER, framed(Code.AUTH_TOKEN_CHECK_FAILED, numbers(0) + text("")), 0)
    return talk.event("close")


def cut(*offsets: int) -> Talk:
    """A segment truncated."""
    talk = Talk()
    for each, offset in enumerate(offsets):
        body = numbers(each) + SEGMENT
        talk.say(CLIENT, framed(Code.TRUNCATE_SEGMENT, body + numbers(offset) + text("")))
        talk.say(SERVER, framed(Code.SEGMENT_TRUNCATED, body))
    return talk


def replied(wait: int, *, refused: bool = False) -> Talk:
    """A request whose reply comes later."""
    talk = Talk()
    body = numbers(1) + SEGMENT
    talk.say(CLIENT, framed(Code.GET_STREAM_SEGMENT_INFO, body + text("")), 0)
    if refused:
        return talk.say(SERVER, refusal(Code.NO_SUCH_SEGMENT, 1, 0), wait)
    info = framed(Code.STREAM_SEGMENT_INFO, body + bytes(3) + numbers(0, 1, 0))
    return talk.say(SERVER, info, wait)


def stored_late(wait: int, *, block: bool = True) -> Talk:
    """An append that is acknowledged later."""
    talk = writing()
    alone = framed(Code.CONDITIONAL_APPEND, WRITER + numbers(1, 0) + EVENT + numbers(7))
    return talk.say(CLIENT, append(1) if block else alone, 0).say(SERVER, stored(1), wait)


def unanswered(wait: int, *, answered: bool = False) -> Talk:
    """A request, and the end of its connection."""
    talk = Talk()
    body = numbers(1) + SEGMENT
    talk.say(CLIENT, framed(Code.GET_STREAM_SEGMENT_INFO, body + text("")))
    if answered:
        talk.say(SERVER, framed(Code.STREAM_SEGMENT_INFO, body + bytes(3) + numbers(0, 1, 0)))
    talk.event("close", later=wait)
    for row in talk.connection.finish():
        talk.engine.see(row)
    return talk


def same_pages(*tokens: bytes) -> Talk:
    """Pages that are asked for by one token, and the tokens that come back."""
    talk = Talk()
    for number, token in enumerate(tokens):
        body = numbers(number) + SEGMENT + text("") + struct.pack(">i", 2) + TOKEN
        talk.say(CLIENT, framed(Code.READ_TABLE_KEYS, body + NOTHING * 2), 0)
        body = numbers(number) + SEGMENT + struct.pack(">i", 1) + key(b"k", 1)
        talk.say(SERVER, framed(Code.TABLE_KEYS_READ, body + token))
    return talk


def page(number: int) -> bytes:
    """A continuation token."""
    return struct.pack(">ii", 4, number)


def misdirected(count: int, host: str = "store2:6000", *, wait: int = 0) -> Talk:
    """Requests to a store that does not have the segment."""
    talk = Talk()
    for each in range(count):
        body = numbers(each) + SEGMENT
        talk.say(CLIENT, framed(Code.GET_STREAM_SEGMENT_INFO, body + text("")), wait)
        talk.say(SERVER, framed(Code.WRONG_HOST, body + text(host) + text("")), 0)
    return talk


def entered(count: int, *, entries: int = 1, wait: int = 0) -> Talk:
    """Entries of a table, updated by requests one after the other."""
    talk = Talk()
    for number in range(count):
        body = numbers(number) + SEGMENT + text("") + struct.pack(">i", entries)
        body += entry(ANY) * entries + numbers(-1)
        talk.say(CLIENT, framed(Code.UPDATE_TABLE_ENTRIES, body), wait)
        body = numbers(number) + struct.pack(">iq", 1, number)
        talk.say(SERVER, framed(Code.TABLE_ENTRIES_UPDATED, body), 0)
    return talk


def looked_up(count: int, *, wait: int = 0) -> Talk:
    """Keys of a table, read one by one."""
    talk = Talk()
    for number in range(count):
        body = numbers(number) + SEGMENT + text("") + struct.pack(">i", 1) + key(b"%d" % number)
        talk.say(CLIENT, framed(Code.READ_TABLE, body), wait)
        body = numbers(number) + SEGMENT + struct.pack(">i", 0)
        talk.say(SERVER, framed(Code.TABLE_READ, body), 0)
    return talk


def dropped(count: int, *, by: int = SERVER, wait: int = 0) -> Talk:
    """Connections that one side closes after an append."""
    talk = Talk()
    for _ in range(count):
        talk.say(CLIENT, set_up()).say(SERVER, ready())
        talk.say(CLIENT, append(1))
        talk.event("close", by).event("close", 1 - by)
        for row in talk.connection.finish():
            talk.engine.see(row)
        talk.now += wait * 1_000_000_000
        talk.again()
    return talk


def forgotten(*, wait: int = 20, ends: bytes = b"") -> Talk:
    """A transaction with an event, perhaps with an end."""
    talk = writing(TRANSACTION)
    talk.say(CLIENT, append(1)).say(SERVER, stored(1))
    another(talk)
    return talk.say(CLIENT, ends or ALIVE, wait)


def read_twice(start: int = 0, *, wait: int = 0, name: str = "", closes: bool = True) -> Talk:
    """A segment read from 0 on, and from somewhere on the next connection."""
    talk = Talk()
    for each in (0, 1):
        talk.say(CLIENT, renamed(read(each), name)).say(SERVER, renamed(bytes_read(each), name))
    if closes:
        another(talk)
    else:
        talk.again()
    return talk.say(CLIENT, renamed(read(start), name), wait)


def renamed(data: bytes, name: str) -> bytes:
    """A frame about another segment whose name is as long."""
    old = SEGMENT[2:]
    return data.replace(old, name.encode().ljust(len(old), b"x")) if name else data


def returned(count: int, *, sealed: bool = True, writer: bytes = WRITER) -> Talk:
    """A writer, or two in turn, that comes back after its segment was sealed."""
    talk = Talk()
    for each in range(count):
        own = writer if each % 2 else WRITER
        talk.say(CLIENT, set_up(own)).say(SERVER, ready(writer=own))
        talk.say(CLIENT, append(1).replace(WRITER, own))
        if sealed:
            talk.say(SERVER, refusal(Code.SEGMENT_IS_SEALED, 7, 1))
        another(talk)
    return talk


def goes_on(first: int, acked: int = 1, sent: int = 3) -> Talk:
    """A writer that has sent events, and goes on with another one on the next connection."""
    talk = writing()
    for number in range(1, sent + 1):
        talk.say(CLIENT, append(number))
    another(talk)
    return talk.say(CLIENT, set_up()).say(SERVER, ready(acked)).say(CLIENT, append(first))


def merged(target: bytes) -> Talk:
    """A transaction merged into a segment."""
    body = numbers(1) + target + TRANSACTION + text("")
    return Talk().say(CLIENT, framed(Code.MERGE_SEGMENTS, body))


def asked(*ids: int, answered: bool = False) -> Talk:
    """Requests for the length of a segment."""
    talk = Talk()
    for each in ids:
        body = numbers(each) + SEGMENT
        talk.say(CLIENT, framed(Code.GET_STREAM_SEGMENT_INFO, body + text("")), 0)
        if answered:
            talk.say(SERVER, framed(Code.STREAM_SEGMENT_INFO, body + bytes(3) + numbers(0, 1, 0)))
    return talk


MERGE = framed(Code.MERGE_SEGMENTS, numbers(1) + SEGMENT + TRANSACTION + text(""))
BATCH = framed(
    Code.MERGE_SEGMENTS_BATCH,
    numbers(1) + SEGMENT + struct.pack(">i", 1) + TRANSACTION + text(""),
)
DELETE = framed(Code.DELETE_SEGMENT, numbers(2) + TRANSACTION + text(""))


def created(count: int, *, status: int = 2, wait: float = 0.1, scopes: int = 1) -> Talk:
    """Scopes that are created."""
    talk = Talk()
    for each in range(count):
        talk.call("createScope", proto(_1=f"scope{each % scopes}"), proto(_1=status), wait)
    return talk


def streams(count: int, *, status: int = 2, wait: float = 0.1) -> Talk:
    """Streams that are created."""
    talk = Talk()
    for _ in range(count):
        config = proto(_1=proto(_1="scope", _2="stream"))
        talk.call("createStream", config, proto(_1=status), wait)
    return talk


def groups(*names: str, deletes: bool = False, method: str = "createReaderGroup") -> Talk:
    """Reader groups that are created."""
    talk = Talk()
    for name in names:
        if method == "store":
            talk.say(CLIENT, table(Code.CREATE_TABLE_SEGMENT, f"scope/{name}_kvtable/0.#epoch.0"))
        else:
            talk.call(method, proto(_1="scope", _2=name))
        if deletes:
            talk.call("deleteReaderGroup", proto(_1="scope", _2=name))
    return talk


def table(code: int, segment: str) -> bytes:
    """CREATE_TABLE_SEGMENT."""
    return framed(
        code, numbers(1) + text(segment) + b"\0" + struct.pack(">i", 0) + text("") + numbers(0)
    )


def transactions(*events: int, wait: int = 0) -> Talk:
    """Transactions one after another, with so many events each."""
    talk = Talk()
    for each, count in enumerate(events):
        segment = text(f"scope/stream/0.#epoch.0#transaction.{each}")
        writer = UUID(int=each + 1).bytes
        talk.say(CLIENT, set_up(writer, each, segment)).say(
            SERVER, ready(-1, writer, each, segment)
        )
        for event in range(count):
            body = struct.pack(">iii", len(EVENT), 0, 1) + numbers(event, each)
            talk.say(CLIENT, framed(Code.APPEND_BLOCK, writer + EVENT), wait)
            talk.say(CLIENT, framed(Code.APPEND_BLOCK_END, writer + body), 0)
    return talk


def by_controller(count: int) -> Talk:
    """Refusals of a connection that works on tables of the system."""
    talk = Talk()
    talk.say(CLIENT, table(Code.CREATE_TABLE_SEGMENT, "_system/_tables/x"))
    talk.say(SERVER, framed(Code.SEGMENT_CREATED, numbers(99) + text("_system/_tables/x")))
    for each in range(count):
        talk.say(CLIENT, read(0, number=each), 0)
        talk.say(SERVER, refusal(Code.SEGMENT_IS_TRUNCATED, each, 0, numbers(32)), 0)
    return talk


def attribute_asked(count: int, *, values: int = 1, wait: int = 0) -> Talk:
    """Questions for an attribute of a segment."""
    talk = Talk()
    for each in range(count):
        body = numbers(each) + SEGMENT + OTHER + text("")
        talk.say(CLIENT, framed(Code.GET_SEGMENT_ATTRIBUTE, body), wait)
        body = numbers(each, each % values)
        talk.say(SERVER, framed(Code.SEGMENT_ATTRIBUTE, body), 0)
    return talk


def key_asked(count: int, *, versions: int = 1, wait: int = 0) -> Talk:
    """One key of a table, read again and again."""
    talk = Talk()
    for each in range(count):
        body = numbers(each) + SEGMENT + text("") + struct.pack(">i", 1) + key(b"k")
        talk.say(CLIENT, framed(Code.READ_TABLE, body), wait)
        body = numbers(each) + SEGMENT + struct.pack(">i", 1) + entry(each % versions)
        talk.say(SERVER, framed(Code.TABLE_READ, body), 0)
    return talk


def paged(count: int, size: int = 1, *, entries: bool = False, wait: int = 0) -> Talk:
    """A table, listed page by page."""
    ask, answer = Code.READ_TABLE_KEYS, Code.TABLE_KEYS_READ
    if entries:
        ask, answer = Code.READ_TABLE_ENTRIES, Code.TABLE_ENTRIES_READ
    talk = Talk()
    for number in range(count):
        body = numbers(number) + SEGMENT + text("") + struct.pack(">i", size) + page(number)
        talk.say(CLIENT, framed(ask, body + NOTHING * 2), wait)
        found = entry(1) if entries else key(b"k", 1)
        body = numbers(number) + SEGMENT + struct.pack(">i", size) + found * size
        talk.say(SERVER, framed(answer, body + page(number + 1)), 0)
    return talk


def written(count: int, *, parts: int, whole: int = 0) -> Talk:
    """Requests, some of which come in several packets."""
    talk = Talk()
    for each in range(count + whole):
        data = read(each * 100, number=each)
        pieces = parts if each < count else 1
        for at in range(pieces):
            talk.say(CLIENT, data[at * 9 : at * 9 + 9] if at < pieces - 1 else data[at * 9 :], 0)
    return talk.event("close").event("close", SERVER)


def read_again(count: int, *, step: int = 0, answered: bool = False, parts: int = 1) -> Talk:
    """Reads at one offset, each with a request id of its own, and perhaps by several parts."""
    talk = Talk()
    for each in range(count):
        number = (each % parts << 32) + each
        talk.say(CLIENT, read(each * step, number=number), 0)
        if answered:
            talk.say(SERVER, bytes_read(each * step, number=number), 0)
    return talk.event("close")


def flushed(count: int, *, appends_each: int = 1) -> Talk:
    """Appends, and KEEP_ALIVE after some of them."""
    talk = writing()
    for each in range(count * appends_each):
        talk.say(CLIENT, append(each + 1)).say(SERVER, stored(each + 1), 0)
        if each % appends_each == 0:
            talk.say(CLIENT, ALIVE, 0)
    return talk.event("close").event("close", SERVER)


def measured(count: int, *, reads_each: int = 1) -> Talk:
    """Questions for the length of a segment that grows, before some reads."""
    talk = Talk()
    for each in range(count):
        body = numbers(each) + SEGMENT
        talk.say(CLIENT, framed(Code.GET_STREAM_SEGMENT_INFO, body + text("")))
        talk.say(SERVER, framed(Code.STREAM_SEGMENT_INFO, body + b"\1\0\0" + numbers(0, each, 0)))
        for part in range(reads_each):
            talk.say(CLIENT, read(each * 100 + part, number=each * 10 + part))
            talk.say(SERVER, bytes_read(each * 100 + part, number=each * 10 + part))
    return talk.event("close").event("close", SERVER)


def trimmed(count: int, *, wait: int = 1) -> Talk:
    """A segment truncated further and further."""
    talk = Talk()
    for each in range(count):
        body = numbers(each) + SEGMENT
        talk.say(CLIENT, framed(Code.TRUNCATE_SEGMENT, body + numbers(each) + text("")), wait)
        talk.say(SERVER, framed(Code.SEGMENT_TRUNCATED, body), 0)
    return talk


def update(kind: int, name: str) -> bytes:
    """An update of the state of a reader group: its type, and the name of a checkpoint."""
    body = len(name).to_bytes(2, "big") + name.encode()
    body = bytes([0, kind, 0, 1, 0, 0, 0, 0, len(body)]) + body
    return struct.pack(">ii", 2, len(body)) + body


def checkpoints(*names: str, kind: int = 9, segment: str = "scope/_RGg/0.#epoch.0") -> Talk:
    """Checkpoints that are initiated; those that begin with ! are completed, with ~ reached."""
    talk = writing(text(segment))
    for number, name in enumerate(names):
        event = update({"!": 10, "~": 8}.get(name[0], kind), name.strip("!~"))
        event = struct.pack(">ii", 0, len(event)) + event
        if name[0] == "!":
            body = struct.pack(">iii", len(event), 0, 1) + numbers(number, 7)
            talk.say(CLIENT, framed(Code.APPEND_BLOCK, WRITER + event), 0)
            talk.say(CLIENT, framed(Code.APPEND_BLOCK_END, WRITER + body), 0)
        else:
            body = WRITER + numbers(number, 100 * number) + event + numbers(7)
            talk.say(CLIENT, framed(Code.CONDITIONAL_APPEND, body), 0)
        talk.say(SERVER, stored(number), 0)
    return talk


def crewed(*steps: str) -> Talk:
    """Updates of the state of a group by several writers: `A2` joins, `G9b` initiates b.

    3 removes a reader, 5 takes a segment, 8 reaches a checkpoint, 9 initiates one.
    """
    talk = Talk()
    segment = text("scope/_RGg/0.#epoch.0")
    seen: list[str] = []
    for number, step in enumerate(steps):
        writer = bytes(15) + step[:1].encode()
        if step[0] not in seen:
            seen.append(step[0])
            talk.say(CLIENT, set_up(writer, segment=segment))
            talk.say(SERVER, ready(writer=writer, segment=segment))
        event = update(int(step[1]), step[2:] or step[0])
        event = struct.pack(">ii", 0, len(event)) + event
        place = number if step[0] == "G" else 50 + number
        body = writer + numbers(place, 100 * number) + event + numbers(7)
        talk.say(CLIENT, framed(Code.CONDITIONAL_APPEND, body), 0)
    return talk


def new_streams(count: int, *, wait: float = 0.1) -> Talk:
    """Streams of new names."""
    talk = Talk()
    for each in range(count):
        talk.call("createStream", proto(_1=proto(_1="scope", _2=f"s{each}")), b"", wait)
    return talk


STREAM_INFO = proto(_1="scope", _2="stream")


def transacted(*calls: tuple[str, int], wait: float = 0.1, high: int = 7) -> Talk:
    """A transaction that is created, then calls about it with their outcome."""
    identity = proto(_1=high, _2=9)
    talk = Talk()
    talk.call("createTransaction", proto(_1=STREAM_INFO, _2=120), proto(_1=identity), wait)
    for method, status in calls:
        third = {"_3": 120} if method == "pingTransaction" else {}
        message = proto(_1=STREAM_INFO, _2=identity, **third)
        talk.call(method, message, proto(_1=status) if status else b"", wait)
    talk.now += 20_000_000_000
    return talk.say(CLIENT, ALIVE)


def changed(method: str, status: int) -> Talk:
    """A change at the controller, and its outcome."""
    return Talk().call(method, proto(_1="scope", _2="x"), proto(_1=status) if status else b"")


PING, COMMIT = ("pingTransaction", 0), ("commitTransaction", 0)
ABORT, STATE = ("abortTransaction", 0), ("checkTransactionState", 3)
LAPSED = ("checkTransactionState", 5)


def flushed_singly(count: int, *, size: int = 20, frame: str = "append", wait: int = 0) -> Talk:
    """Conditional appends, each after the acknowledgement of the one before."""
    talk = writing()
    for each in range(count):
        event = record(0, bytes(size))
        body = WRITER + numbers(each, each * size)
        if frame == "append":
            data = framed(Code.CONDITIONAL_APPEND, body + event + numbers(7))
        else:
            body += struct.pack(">i", size) + bytes(size) + numbers(7)
            data = framed(Code.CONDITIONAL_BLOCK_END, body)
        talk.say(CLIENT, data, wait).say(SERVER, stored(each), 0)
    return talk


def noted(*results: int, wait: float = 0.1) -> Talk:
    """Times of a writer, and whether the controller takes them."""
    talk = Talk()
    for each in results:
        message = proto(_1="writer", _2=proto(_1=STREAM_INFO), _3=each + 1)
        talk.call("noteTimestampFromWriter", message, proto(_1=each) if each else b"", wait)
    return talk


def stream_cut(count: int, *, wait: float = 1, method: str = "truncateStream") -> Talk:
    """A stream that is truncated again and again."""
    talk = Talk()
    for each in range(count):
        message = proto(_1=STREAM_INFO, _2=proto(_1=0, _2=each))
        talk.call(method, message, b"", wait)
    return talk


def updates(*steps: str, version: int = ANY) -> Talk:
    """A key that connections read and write: `r0` is a read on the first one."""
    talk = Talk()
    places = {"0": (talk.connection, talk.flow, talk.offsets)}
    for number, (step, place) in enumerate(steps):
        if place not in places:
            talk.again()
            places[place] = (talk.connection, talk.flow, talk.offsets)
        talk.connection, talk.flow, talk.offsets = places[place]
        if step == "r":
            body = numbers(number) + SEGMENT + text("") + struct.pack(">i", 1) + key(b"k")
            talk.say(CLIENT, framed(Code.READ_TABLE, body))
            body = numbers(number) + SEGMENT + struct.pack(">i", 1) + entry(number)
            talk.say(SERVER, framed(Code.TABLE_READ, body))
        else:
            body = numbers(number) + SEGMENT + text("") + struct.pack(">i", 1) + entry(version)
            talk.say(CLIENT, framed(Code.UPDATE_TABLE_ENTRIES, body + numbers(-1)))
            body = numbers(number) + struct.pack(">iq", 1, number)
            talk.say(SERVER, framed(Code.TABLE_ENTRIES_UPDATED, body))
    return talk


def sealed_again(*, segment: bytes = SEGMENT, sealed: bool = True) -> Talk:
    """A writer that is set up once more after its segment was sealed."""
    talk = writing().say(CLIENT, append(1))
    if sealed:
        talk.say(SERVER, refusal(Code.SEGMENT_IS_SEALED, 7, 1))
    return talk.say(CLIENT, set_up(segment=segment))


def stalled(
    *,
    seconds: int = 5,
    made: str = "scope/stream/1.#epoch.1",
    then: str = "",
    acked: bool = False,
    sent: int = 1,
) -> Talk:
    """A writer whose segment is sealed, and which goes on with the segment `then`, or not."""
    talk = writing()
    for number in range(1, sent + 1):
        talk.say(CLIENT, append(number))
    if made:
        body = numbers(5) + text(made) + bytes(5) + text("") + bytes(8)
        talk.say(CLIENT, framed(Code.CREATE_SEGMENT, body))
        talk.say(SERVER, framed(Code.SEGMENT_CREATED, numbers(5) + text(made)))
    talk.say(SERVER, stored(sent) if acked else refusal(Code.SEGMENT_IS_SEALED, 7, 1))
    if then:
        talk.say(CLIENT, set_up(OTHER, segment=text(then)))
    talk.say(CLIENT, framed(Code.KEEP_ALIVE, b""), seconds)
    return talk.event("close")


def bytes_appended(count: int, *, size: int = 1, block: bool = True) -> Talk:
    """Bytes without the heads of events, in blocks of their own or in their ends."""
    talk = writing()
    for number in range(1, count + 1):
        data, rest = (bytes(size), b"") if block else (b"", bytes(size))
        if block:
            talk.say(CLIENT, framed(Code.APPEND_BLOCK, WRITER + data), 0)
        body = struct.pack(">ii", len(data), len(rest)) + rest + struct.pack(">i", 1)
        talk.say(CLIENT, framed(Code.APPEND_BLOCK_END, WRITER + body + numbers(number, 7)))
    return talk.event("close")


def removed(count: int, *, keys: int = 1, names: int = 100, wait: int = 0, written: bool = False,
            segment: str = "scope/stream/0.#epoch.0") -> Talk:  # fmt: skip
    """Keys of a table that are removed, perhaps after they were written."""
    talk = Talk()
    for number in range(count):
        one = key(b"%d" % (number % names))
        if written:
            more = struct.pack(">i", 1) + one + struct.pack(">ii", 5, 1) + b"v" + numbers(-1)
            body = numbers(number + 500) + text(segment) + text("") + more
            talk.say(CLIENT, framed(Code.UPDATE_TABLE_ENTRIES, body), 0)
        body = numbers(number) + text(segment) + text("") + struct.pack(">i", keys) + one * keys
        talk.say(CLIENT, framed(Code.REMOVE_TABLE_KEYS, body + numbers(-1)), wait)
        talk.say(SERVER, framed(Code.TABLE_KEYS_REMOVED, numbers(number) + text(segment)), 0)
    return talk


def changes_from(*positions: int, found: int = 1) -> Talk:
    """Changes of a table from some positions on."""
    talk = Talk()
    for number, each in enumerate(positions):
        body = numbers(number) + SEGMENT + text("") + numbers(each) + struct.pack(">i", 10)
        talk.say(CLIENT, framed(Code.READ_TABLE_ENTRIES_DELTA, body))
        body = numbers(number) + SEGMENT + struct.pack(">i", found) + entry(1) * found
        talk.say(SERVER, framed(Code.TABLE_ENTRIES_DELTA_READ, body + b"\0\1" + numbers(each + 9)))
    return talk


def fallen_behind(start: int, *, reads: int = 1) -> Talk:
    """A reader whose segment is truncated."""
    talk = Talk()
    for each in range(reads):
        talk.say(CLIENT, read(each * 10)).say(SERVER, bytes_read(each * 10, bytes(10)))
    talk.say(CLIENT, read(reads * 10))
    answer = refusal(Code.SEGMENT_IS_TRUNCATED, 9, reads * 10, numbers(start))
    return talk.say(SERVER, answer)


def of_length(length: int, *keys: bytes, code: int = Code.UPDATE_TABLE_ENTRIES) -> Talk:
    """A table whose keys have a length, and keys that are written, removed or read."""
    talk = Talk()
    body = numbers(1) + SEGMENT + numbers(0, 0, 0) + struct.pack(">i", length)
    talk.say(CLIENT, framed(Code.GET_TABLE_SEGMENT_INFO, numbers(1) + SEGMENT + text("")))
    talk.say(SERVER, framed(Code.TABLE_SEGMENT_INFO, body))
    for number, each in enumerate(keys, 2):
        value = struct.pack(">ii", 5, 1) + b"v" if code == Code.UPDATE_TABLE_ENTRIES else b""
        more = struct.pack(">i", 1) + key(each) + value
        rest = b"" if code == Code.READ_TABLE else numbers(-1)
        talk.say(CLIENT, framed(code, numbers(number) + SEGMENT + text("") + more + rest))
    return talk


def sent_again(
    data: bytes = bytes(20), *, again: bytes = bytes(20), acked: bool = False, wait: int = 0,
    writer: bytes = OTHER, block: bool = True,
) -> Talk:  # fmt: skip
    """An append without an acknowledgement, and one of another writer on the next connection."""
    talk = Talk()
    for own, event in ((WRITER, data), (writer, again)):
        body = record(0, event)
        inside, rest = (body, b"") if block else (b"", body)
        talk.say(CLIENT, set_up(own), wait if own == writer else 0).say(SERVER, ready(writer=own))
        if block:
            talk.say(CLIENT, framed(Code.APPEND_BLOCK, own + inside))
        more = struct.pack(">ii", len(inside), len(rest)) + rest + struct.pack(">i", 1)
        talk.say(CLIENT, framed(Code.APPEND_BLOCK_END, own + more + numbers(1, 7)))
        if acked:
            talk.say(SERVER, framed(Code.DATA_APPENDED, own + numbers(1, 0, 7, 100)))
        another(talk)
    return talk


def appended_again(
    *events: bytes, told: bool = True, again: bytes = b"", wait: int = 0, writer: bytes = WRITER,
    frame: int = Code.APPEND_BLOCK_END,
) -> Talk:  # fmt: skip
    """Appends whose answers are lost, each appended again under the next number."""
    talk = Talk()
    for first, event in zip(itertools.count(1, 2), events, strict=False):
        for number, own, last, content in (
            (first, WRITER, first - 1, event),
            (first + 1, writer, first if told else first - 1, again or event),
        ):
            talk.say(CLIENT, set_up(own), wait).say(SERVER, ready(last, writer=own))
            body = record(0, content)
            if frame == Code.CONDITIONAL_APPEND:
                data = own + numbers(number, 0) + body + numbers(7)
            elif frame == Code.CONDITIONAL_BLOCK_END:
                data = own + numbers(number, 0) + struct.pack(">i", len(body)) + body + numbers(7)
            else:
                talk.say(CLIENT, framed(Code.APPEND_BLOCK, own + body))
                data = own + struct.pack(">iii", len(body), 0, 1) + numbers(number, 7)
            talk.say(CLIENT, framed(frame, data))
            if number > first:
                talk.say(SERVER, framed(Code.DATA_APPENDED, own + numbers(number, 0, 7, 100)))
            another(talk)
    return talk


def transient(
    *, merges: bool = False, batch: bool = False, wait: int = 9, part: str = "#transient.1"
) -> Talk:
    """A segment for a large event."""
    name = text(f"scope/stream/0.#epoch.0{part}")
    talk = Talk()
    body = numbers(1) + WRITER + SEGMENT + text("")
    talk.say(CLIENT, framed(Code.CREATE_TRANSIENT_SEGMENT, body))
    talk.say(SERVER, framed(Code.SEGMENT_CREATED, numbers(1) + name))
    if merges:
        body = numbers(2) + SEGMENT + name + text("")
        talk.say(CLIENT, framed(Code.MERGE_SEGMENTS, body))
    if batch:
        body = numbers(2) + SEGMENT + struct.pack(">i", 2) + text(f"{part}0") + name + text("")
        talk.say(CLIENT, framed(Code.MERGE_SEGMENTS_BATCH, body))
    return talk.say(CLIENT, ALIVE, wait).event("close")


def membership(*kinds: int, refused: int = 0, closes: bool = True, wait: int = 0,
               segment: str = "scope/_RGg/0.#epoch.0") -> Talk:  # fmt: skip
    """Changes of a group's state: 2 adds a reader, 3 removes it, 4 releases a segment."""
    talk = writing(text(segment))
    for number, kind in enumerate(kinds):
        event = update(kind, "reader")
        body = WRITER + numbers(number, 100 * number) + struct.pack(">ii", 0, len(event)) + event
        talk.say(CLIENT, framed(Code.CONDITIONAL_APPEND, body + numbers(7)), wait)
        if number < refused:
            talk.say(SERVER, framed(Code.CONDITIONAL_CHECK_FAILED, WRITER + numbers(number, 7)), 0)
        else:
            talk.say(SERVER, stored(number), 0)
    return another(talk) if closes else talk


def held(*kinds: int, every: int = -1, segments: int = 2, wait: int = 9,
         closes: bool = False) -> Talk:  # fmt: skip
    """A reader with segments of a group; 2 adds another, 3 removes it, 5 takes, 9 checkpoints."""
    talk = Talk()
    if every:
        talk.call("createReaderGroup", proto(_1="scope", _2="g", _4=every))
    segment = text("scope/_RGg/0.#epoch.0")
    talk.say(CLIENT, set_up(segment=segment)).say(SERVER, ready(segment=segment))
    for number, kind in enumerate((2, 5, *kinds)):
        head = struct.pack(">i", 2)
        event = head + update(kind, "reader")[4:] * (segments if number == 1 else 1)
        body = WRITER + numbers(number, 100 * number) + struct.pack(">ii", 0, len(event)) + event
        talk.say(CLIENT, framed(Code.CONDITIONAL_APPEND, body + numbers(7)), 1 if number < 4 else 9)
        talk.say(SERVER, stored(number), 0)
    talk.say(CLIENT, ALIVE, wait)
    return another(talk) if closes else talk


def shifts(*begins: int, reads: int = 2, number: int = 9, table: str = "scope/g_kvtable/0.#epoch.0",
           others: bool = False, stays: bool = False) -> Talk:  # fmt: skip
    """Readers of Rust's client that join one after the other, and where each of them begins."""
    talk = Talk()
    for shift, begin in enumerate(begins):
        name = f"scope/{'h' if others and shift % 2 else 'g'}_kvtable/0.#epoch.0"
        crew("join", closes=False, table=name if others else table, talk=talk)
        for each in range(reads):
            talk.say(CLIENT, read(begin + 10 * each, number=number + each))
            talk.say(SERVER, bytes_read(begin + 10 * each, bytes(10), number=number + each))
        if not stays:
            crew("leave", closes=False, table=name if others else table, talk=talk)
    return talk


def existing(count: int, *, code: int = Code.SEGMENT_ALREADY_EXISTS) -> Talk:
    """Tables that are created although they exist."""
    talk = Talk()
    for number in range(count):
        talk.say(CLIENT, table(Code.CREATE_TABLE_SEGMENT, "scope/t_kvtable/0.#epoch.0"), 0)
        body = numbers(1) + text("scope/t_kvtable/0.#epoch.0") + text("")
        talk.say(SERVER, framed(code, body) + (numbers(number) if code == 53 else b""))
    return talk


def moved_on(count: int) -> Talk:
    """Readers that begin before the start of a segment, and continue after it."""
    talk = Talk()
    for each in range(count):
        talk.say(CLIENT, read(0, number=each), 0)
        talk.say(SERVER, refusal(Code.SEGMENT_IS_TRUNCATED, each, 0, numbers(32)), 0)
        talk.say(CLIENT, read(32, number=each), 0).say(SERVER, bytes_read(32, number=each), 0)
    return talk


def continued(position: int, start: int, *, asks: bool = True) -> Talk:
    """A stream that is truncated, and a reader that continues at its position."""
    talk = Talk()
    if asks:
        talk.call("truncateStream", proto(_1=STREAM_INFO, _2=proto(_1=0, _2=start)))
    talk.say(CLIENT, read(position))
    return talk.say(SERVER, refusal(Code.SEGMENT_IS_TRUNCATED, 9, position, numbers(start)))


def stated(count: int, *, updates_each: int = 1, truncates: bool = False, grows: int = 10) -> Talk:
    """Programs that read a state from its beginning and update it."""
    talk = Talk()
    for each in range(count):
        talk.say(CLIENT, read(0)).say(SERVER, bytes_read(0, bytes(10 + grows * each)))
        if updates_each:
            talk.say(CLIENT, set_up(number=each)).say(SERVER, ready(number=each))
            body = WRITER + numbers(each, 10 * each) + EVENT + numbers(each)
            talk.say(CLIENT, framed(Code.CONDITIONAL_APPEND, body))
            talk.say(SERVER, stored(each))
        if truncates:
            body = numbers(each + 50) + SEGMENT + numbers(each) + text("")
            talk.say(CLIENT, framed(Code.TRUNCATE_SEGMENT, body))
        another(talk)
    return talk


def scanned(count: int, *, found: int = 3, wait: int = 1, begins: int = 0, entries: bool = True,
            segment: str = "scope/t_kvtable/0.#epoch.0") -> Talk:  # fmt: skip
    """Tables that are listed from a key on."""
    ask, answer = Code.READ_TABLE_KEYS, Code.TABLE_KEYS_READ
    if entries:
        ask, answer = Code.READ_TABLE_ENTRIES, Code.TABLE_ENTRIES_READ
    talk = Talk()
    for number in range(count):
        first = struct.pack(">ii", 4, number * begins)
        body = numbers(number) + text(segment) + text("") + struct.pack(">i", 100)
        talk.say(CLIENT, framed(ask, body + NOTHING * 2 + first + first), wait)
        one = entry(1) if entries else key(b"k", 1)
        body = numbers(number) + text(segment) + struct.pack(">i", found) + one * found
        talk.say(SERVER, framed(answer, body + NOTHING), 0)
    return talk


def crew(*steps: str, closes: bool = True, table: str = "scope/g_kvtable/0.#epoch.0",
         talk: Talk | None = None) -> Talk:  # fmt: skip
    """Readers of Rust's client: `join`, `leave`, `move`; `refused`, `unanswered`: the last step."""
    talk = talk or Talk()
    for number, (step, after) in enumerate(itertools.pairwise((*steps, "end"))):
        if step == "unanswered":
            continue
        if step == "refused":
            body = numbers(number - 1) + text(table) + text("")
            talk.say(SERVER, framed(Code.TABLE_KEY_BAD_VERSION, body), 0)
            continue
        names = {
            "join": ("x17assigned_segments/r", "s17assigned_segments", "x16distance_to_tail/r"),
            "leave": ("x19unassigned_segments/0", "x17assigned_segments/r", "y"),
            "move": ("x16distance_to_tail/r",),
        }[step]
        keys = [*names, "r16distance_to_tail"]
        version = -1 if step == "join" else 7
        entries = b"".join(
            key(each.encode(), version) + struct.pack(">ii", 5, 1) + b"v" for each in keys
        )
        body = numbers(number) + text(table) + text("") + struct.pack(">i", len(keys))
        talk.say(CLIENT, framed(Code.UPDATE_TABLE_ENTRIES, body + entries + numbers(-1)))
        if after not in ("refused", "unanswered"):
            body = numbers(number) + struct.pack(">i", len(keys)) + numbers(*[8] * len(keys))
            talk.say(SERVER, framed(Code.TABLE_ENTRIES_UPDATED, body), 0)
    return another(talk) if closes else talk


def looks(talk: Talk, *steps: str, segment: bool = False) -> Talk:
    """A client that asks for the state of a group, and may add a reader then."""
    if segment:
        group = text("scope/_RGg/0.#epoch.0")
        return another(talk.say(CLIENT, set_up(segment=group)).say(SERVER, ready(segment=group)))
    body = numbers(5) + text("scope/g_kvtable/0.#epoch.0") + text("") + numbers(0)
    talk.say(CLIENT, framed(Code.READ_TABLE_ENTRIES_DELTA, body + struct.pack(">i", 10)))
    return crew(*steps, talk=talk) if steps else another(talk)


def skipping(count: int, *, by: int = 5, answered: bool = True, wait: int = 0) -> Talk:
    """Reads that begin after the end of what came before."""
    talk = Talk()
    for each in range(count):
        offset = each * (10 + by)
        talk.say(CLIENT, read(offset), wait)
        if answered:
            talk.say(SERVER, bytes_read(offset, bytes(10)), 0)
    return talk


def events(
    *appends: tuple[bytes, ...], segment: bytes = SEGMENT, block: bool = True, wait: int = 1,
    acks: bool = True,
) -> Talk:  # fmt: skip
    """Appends of these events."""
    talk, number = writing(segment), 0
    for each in appends:
        data = b"".join(record(0, event) for event in each)
        number += len(each)
        head = framed(Code.APPEND_BLOCK, WRITER + data) if block else b""
        sizes = (len(data), 0) if block else (0, len(data))
        body = struct.pack(">ii", *sizes) + (b"" if block else data)
        more = struct.pack(">i", len(each)) + numbers(number, 7)
        talk.say(CLIENT, head + framed(Code.APPEND_BLOCK_END, WRITER + body + more), wait)
        if acks:
            talk.say(SERVER, stored(number), 0)
    return talk.say(CLIENT, ALIVE, 7)


def doubled(letters: bytes, *, at_once: bool = False, length: int = 20) -> Talk:
    """Events of these letters."""
    each = [bytes([letter]) * length for letter in letters]
    return events(tuple(each)) if at_once else events(*((one,) for one in each))


def copied(
    *rounds: Sequence[int], block: bool = True, segment: bytes = SEGMENT, same: bool = False
) -> Talk:
    """Events by number, of writers one after another."""
    talk = Talk()
    for each, events in enumerate(rounds):
        writer = WRITER if same else UUID(int=each + 1).bytes
        talk.say(CLIENT, set_up(writer, segment=segment))
        talk.say(SERVER, ready(ANY, writer, segment=segment))
        for number, event in enumerate(events):
            data = record(0, b"order %d is paid" % event)
            head = framed(Code.APPEND_BLOCK, writer + data) if block else b""
            sizes = struct.pack(">ii", len(data), 0) if block else struct.pack(">ii", 0, len(data))
            more = sizes + (b"" if block else data) + struct.pack(">i", 1) + numbers(number, 7)
            talk.say(CLIENT, head + framed(Code.APPEND_BLOCK_END, writer + more))
            done = writer + numbers(number, number - 1, 7, 100)
            talk.say(SERVER, framed(Code.DATA_APPENDED, done), 0)
        another(talk)
    return talk


def circled(
    count: int, *, wait: int = 0, same: bool = True, reads: bytes = SEGMENT, twice: bool = False
) -> Talk:
    """Events that are read, and then appended to a stream."""
    talk = writing()
    for each in range(count):
        data = record(0, b"order %d is paid" % each)
        talk.say(CLIENT, read(100 * each).replace(SEGMENT, reads), 0)
        talk.say(SERVER, bytes_read(100 * each, data).replace(SEGMENT, reads), 0)
        if twice:
            data += data
        event = data if same else record(0, b"order %d is late" % each)
        end = struct.pack(">iii", len(event), 0, 2 if twice else 1) + numbers(each, 7)
        talk.say(CLIENT, framed(Code.APPEND_BLOCK, WRITER + event), wait)
        talk.say(CLIENT, framed(Code.APPEND_BLOCK_END, WRITER + end), 0)
    return talk


def shelved(
    *appended: int, read_from: Sequence[int] = (), ends: int = 0, wait: int = 5,
    stream: str = "stream",
) -> Talk:  # fmt: skip
    """Segments that get events, and some that are read, to their end or not."""
    talk = Talk()
    for each in read_from:
        name = text(f"scope/{stream}/{each}.#epoch.0")
        talk.say(CLIENT, read(0).replace(SEGMENT, name))
        got = bytes_read(0).replace(SEGMENT, name)
        at = got.index(name) + len(name) + 9
        talk.say(SERVER, got[:at] + bytes([ends]) + got[at + 1 :])
    if ends:
        another(talk)
    for each in appended:
        writer, name = UUID(int=each + 1).bytes, text(f"scope/{stream}/{each}.#epoch.0")
        talk.say(CLIENT, set_up(writer, segment=name), 0)
        talk.say(SERVER, ready(ANY, writer, segment=name), 0)
        talk.say(CLIENT, append(0).replace(WRITER, writer), 0)
        talk.say(SERVER, stored(0).replace(WRITER, writer), 0)
    return talk.say(CLIENT, ALIVE, wait)


def left_behind(
    *, takes_over: bool = False, wait: int = 4, onward: bool = True, appends: bool = True
) -> Talk:
    """Two segments that are read; one of the readers ends, and both segments get more events."""
    names = [text(f"scope/stream/{each}.#epoch.0") for each in (0, 1)]
    talk = writing(names[1])
    for name in names:
        talk.say(CLIENT, read(0).replace(SEGMENT, name))
        talk.say(SERVER, bytes_read(0).replace(SEGMENT, name))
    talk.say(CLIENT, ALIVE, 2)
    for number in range(2 if appends else 0):
        talk.say(CLIENT, append(number)).say(SERVER, stored(number))
    for name, goes_on in zip(names, (onward, takes_over), strict=True):
        if goes_on:
            talk.say(CLIENT, read(1).replace(SEGMENT, name), wait - 1)
            talk.say(SERVER, bytes_read(1).replace(SEGMENT, name))
    return talk if onward else talk.say(CLIENT, ALIVE, wait)


def resumed(position: int, *, wait: int = 0, cut_at: int = 0, name: bytes = SEGMENT) -> Talk:
    """A segment that is read up to 100, and from a position on by the next connection."""
    talk = Talk().say(CLIENT, read(0).replace(SEGMENT, name))
    talk.say(SERVER, bytes_read(0, bytes(100)).replace(SEGMENT, name))
    another(talk)
    if cut_at:
        body = numbers(3) + name + numbers(cut_at) + text("")
        talk.say(CLIENT, framed(Code.TRUNCATE_SEGMENT, body))
    return talk.say(CLIENT, read(position).replace(SEGMENT, name), wait)


def waiting(count: int, *, acked: bool = False) -> Talk:
    """Appends that have no answer, or all have one."""
    talk = writing()
    for number in range(count):
        talk.say(CLIENT, append(number), 0)
        if acked:
            talk.say(SERVER, stored(number), 0)
    return talk


JAVAS = b"\xac\xed\x00\x05t\x00\x05hello"
"""A text as Java serializes it."""


Talks = Callable[[], tuple[Talk, ...]]
"""Makes a fault, and what looks like it."""


def names_the_fault_alone(rule: str, talks: Talks) -> None:
    """Assert that a rule finds something in a fault, and nothing in what looks like it."""
    fault, *kept = talks()
    assert fault.names(f"PRV-{rule}"), rule
    for number, each in enumerate(kept):
        assert not each.names(f"PRV-{rule}"), (rule, number)
