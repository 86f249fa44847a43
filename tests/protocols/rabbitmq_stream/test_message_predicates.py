"""What rules ask of the messages that are published."""

from tests.failures import every
from tests.protocols.rabbitmq_stream.messages import (
    NOW_MS,
    NULL,
    data,
    properties,
    section,
    short,
    symbol,
    time,
)

from streamshark.conversations.expression_functions import f_digest
from streamshark.protocols.rabbitmq_stream import message_predicates as predicates

SECONDS = NOW_MS // 1000
BODY = data(b"hi")
TRACE = short("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
OTHER = short("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203332-01")
ZERO = short("00-" + "0" * 32 + "-b7ad6b7169203331-01")


def published(*messages: bytes) -> dict[str, object]:
    """A frame with messages, sent now."""
    return {"published_messages": [{"message": each} for each in messages], "t": NOW_MS * 10**6}


def sampled(*messages: bytes) -> dict[str, object]:
    """What is known of a publisher."""
    samples = dict.fromkeys(enumerate(messages))
    return {"pub.samples": samples, "pub.sample_t": NOW_MS * 10**6, "conn.user": "app"}


def marked(value: bytes, code: int = 0x74) -> bytes:
    """A message with an application property, or an annotation."""
    return section(code, [short("at"), value], is_map=True) + BODY


@every(
    ("message", "found"),
    [
        (properties(created=time(NOW_MS)) + BODY, ""),
        (properties(created=time(SECONDS)) + BODY, "seconds"),
        (properties(created=time(SECONDS - 10**8)) + BODY, "seconds"),
        (properties(created=time(NOW_MS * 1000)) + BODY, "microseconds"),
        (properties(created=time(NOW_MS * 10**6)) + BODY, "nanoseconds"),
        (properties(created=time(0)) + BODY, "is 0"),
        (properties(created=time(NOW_MS - 86_400_000 * 900)) + BODY, ""),
        (properties(created=time(-5)) + BODY, ""),
        (properties(created=time(-62_135_596_800_000)) + BODY, "the year 1"),
        (properties(created=b"\x80" + SECONDS.to_bytes(8, "big")) + BODY, ""),
        (properties(expires=time(60_000)) + BODY, "a duration"),
        (properties(expires=time(NOW_MS + 60_000)) + BODY, ""),
        (properties(expires=time(SECONDS + 60)) + BODY, "seconds"),
        (properties(expires=time(253_402_300_799_000)) + BODY, ""),
        (marked(time(SECONDS)), "seconds"),
        (marked(time(SECONDS), 0x72), "seconds"),
        (marked(time(946_684_800_000)), ""),
        (marked(time(1_000_000_000)), ""),
        (b"raw", ""),
        (properties(created=time(SECONDS))[:-4], ""),
    ],
)
def test_times_are_in_milliseconds(message: bytes, found: str) -> None:
    """Of the properties, and of annotations and application properties if they are of now."""
    assert (found in predicates.has_wrong_time(published(BODY, message))) is True
    assert bool(predicates.has_wrong_time(published(BODY, message))) is bool(found)


@every(("minutes", "is_ahead"), [(0, False), (4, False), (60, True), (120, True), (60 * 72, False)])
def test_times_ahead(minutes: int, *, is_ahead: bool) -> None:
    """By more than clocks differ; an appointment is no time of creation."""
    row = sampled(properties(created=time(NOW_MS + minutes * 60_000)) + BODY)

    assert bool(predicates.has_future_time(row)) is is_ahead


@every(
    ("body", "found"),
    [
        (data(data(b"inner")), "encoded twice"),
        (data(properties(id=short("a")) + data(b"inner")), "encoded twice"),
        (data(b"\0\x53not a message"), ""),
        (data(b"[object Object]"), "JavaScript"),
        (b"\0\x53\x77" + short("com.shop.Order@1b6d3586"), "Java object"),
        (b"[object Object]", "JavaScript"),
        (data(b'"{\\"a\\": 1}"'), "JSON twice"),
        (data(b'{"a": 1}'), ""),
        (data(b"\xff\xfe"), ""),
        (data(b""), ""),
    ],
)
def test_bodies(body: bytes, found: str) -> None:
    """Raw, of data, or a text."""
    assert found in predicates.has_mistaken_body(published(body))
    assert bool(predicates.has_mistaken_body(published(body))) is bool(found)


@every(
    ("kind", "found"),
    [
        ("application/json", ""),
        ("application/json; charset=utf-8", ""),
        ("application/jsno", "application/json"),
        ("application/x-shop", ""),
        ("application/vnd.shop.v1+json", ""),
        ("json", "type/subtype"),
        ("", ""),
    ],
)
def test_content_types(kind: str, found: str) -> None:
    """Misspelt, or of another form."""
    row = sampled(properties(kind=symbol(kind)) + BODY)

    assert found in predicates.has_odd_content_type(row)
    assert bool(predicates.has_odd_content_type(row)) is bool(found)


def test_user_and_time_to_live() -> None:
    """Of another user than the connection's; a header's ttl, or an expiry time."""
    user = [sampled(properties(user=b"\xa0\3" + each) + BODY) for each in (b"app", b"bob")]
    header = [section(0x70, [NULL, NULL, each]) + BODY for each in (NULL, b"\x52\x3c")]

    assert [predicates.has_another_user(each) for each in user] == ["", "'bob'"]
    assert [predicates.has_time_to_live(sampled(each)) for each in header] == ["", "a ttl of 60 ms"]
    assert predicates.has_time_to_live(sampled(properties(expires=time(NOW_MS)) + BODY))
    assert not predicates.has_time_to_live(sampled(BODY))


def several(count: int, *, same: bool, mark: bytes, alike: bool = False) -> dict[str, object]:
    """Messages with ids and traces."""
    messages = []
    for each in range(count):
        named = properties(id=short("one" if same else f"id-{each}"))
        trace = section(0x74, [short("traceparent"), mark if same else OTHER], is_map=True)
        messages.append(named + trace + data(b"m" if alike else b"m%d" % each))
    if not same and count:
        messages[0] = messages[0].replace(OTHER, TRACE)
    return sampled(*messages)


@every(
    ("row", "has_id", "has_trace"),
    [
        (several(5, same=True, mark=TRACE), True, True),
        (several(4, same=True, mark=TRACE), False, False),
        (several(9, same=False, mark=TRACE), False, True),
        (several(5, same=False, mark=TRACE), False, False),
        (several(5, same=True, mark=TRACE, alike=True), False, False),
        (several(1, same=True, mark=ZERO), False, True),
        (sampled(*[BODY] * 9), False, False),
    ],
)
def test_ids_and_traces_that_do_not_change(
    row: dict[str, object], *, has_id: bool, has_trace: bool
) -> None:
    """Five messages with different bodies."""
    assert bool(predicates.has_constant_id(row)) is has_id
    assert bool(predicates.has_constant_trace(row)) is has_trace


def test_filter_values() -> None:
    """One that is the text of an unset variable."""
    assert predicates.has_mistaken_filter({"pub.filters": {"eu": None, "undefined": None}})
    assert not predicates.has_mistaken_filter({"pub.filters": {"eu": None}})


@every(
    ("first", "body", "stored", "again"),
    [
        (20, b"c", 19, (True, False)),
        (2, b"c", 19, (False, False)),
        (20, b"c", None, (False, True)),
        (20, b"c", 1, (False, True)),
        (20, b"x", 19, (False, False)),
        (20, b"a", 19, (False, False)),
    ],
)
def test_messages_sent_again(
    first: int, body: bytes, stored: int | None, again: tuple[bool, bool]
) -> None:
    """The first of a frame, whose content came once on the connection before."""
    sent = [(0, b"a", 10), (1, b"a", 11), (2, b"c", 12), (3, b"d", 13), (4, b"x", 5)]
    row = {
        "first(published_messages.publishing_id)": first,
        "digest(first(published_messages.message))": f_digest(body),
        "series.sent": dict.fromkeys((number, f_digest(each), n) for number, each, n in sent),
        "series.lost_n": 10, "pub.n": 20, "pub.stored": stored,
    }  # fmt: skip

    assert (bool(predicates.is_sent_again(row)), bool(predicates.is_renumbered(row))) == again
