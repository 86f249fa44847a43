"""Claims of the messages of a capture: they are those that publishers and consumers counted.

`provenance.toml` says how many messages a client published, was confirmed and was handed, and the
first and last offset, by the client's own count. What a client sent or got on the wire may be more
or less than that; `OTHERWISE` says in which scenarios, and why.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tests.recorded.bodies import known
from tests.recorded.index import of
from tests.recorded.reading import Reading

from streamshark.views.display_options import DisplayOptions
from streamshark.views.values import Shaper

if TYPE_CHECKING:
    from streamshark.schema import Problem

PROTOCOL = "rabbitmq_stream"
OTHERWISE = {
    r"single_active|offset_tracking|named|subscribe_offsets|crash|reconnect|frozen|leader|groups|"
    r"sub_batches_java|deduplication|starves|strategies|update|resumes|standby|one_reference|next_b|"
    r"another_stream|lookups|left_open|subscribes_to_ask|time_stored_as_offset|"
    r"templates_spring|no_offset_yet_begins|first_chunk_dropped|"
    r"offset_of_another_message": "chunks are delivered again, or begin below the "
    "offset that was asked for, and the client drops what it has had",
    r"filter": "filters choose chunks, not messages; a client failed over messages without a value",
    r"delete_stream_under|super_stream_by_key|lost|starts_mid|side_only|ends_early|truncated|"
    r"reordered|retransmitted|one_byte|larger_than_a_frame|unconfirmed_|"
    r"closed_before_all": "not all of it was sent, or is in the capture",
    r"wrong_header": "a header that lies about its messages",
}
"""Scenarios where the wire and the client's count differ, to the reason."""
FAULTY = {
    "message_properties_js": ("value", "keys of the message_annotations section are symbols"),
}
"""Healthy scenarios whose client breaks a rule of AMQP 1.0, to the problem."""
USER = 0
"""Type of chunks that hold messages."""
SUB_BATCHES = (
    "sub_batches_go", "sub_batches_java", "sub_batches_java_3_10", "long_run_java",
    "bug_sub_batch_larger_than_a_frame_java", "sub_batches_fit_into_frames_java", "factory_java",
)  # fmt: skip
"""A sub-batch has one publishing id: confirms count fewer than messages."""
LYING = ("bug_confirm_of_another", "filter_value_left_out_go")
"""Drivers that count confirms which are another's, or do not come on the wire."""


def every_message_has_its_number(reading: Reading) -> None:
    """As many as the client published and consumed, with the offsets that it was handed.

    Bodies of healthy clients have no problem, but for the clients that break a rule.
    """
    if reading.provenance["protocol"] != PROTOCOL:
        return
    shaper, exact = Shaper(DisplayOptions(), known()), is_exact(reading.name)
    published, offsets = 0, list[int]()
    problems: list[Problem] = []
    for row in reading.frames:
        if row.decoder is None or row.name not in ("publish", "deliver"):
            continue
        problems.extend(known().problems(row.decoder, row.data, row.values))
        fields = shaper.tree(row.decoder.tree)(row.values)
        if row.name == "publish":
            published += len(list(_numbers(fields["published_messages"], "publishing_id")))
        elif fields["chunk"].get("chunk_type", {"value": USER})["value"] == USER:
            offsets.extend(_numbers(fields["chunk"].get("entries", []), "offset"))

    expected = reading.provenance["expected"]
    if exact and "published" in expected:
        assert published == expected["published"]
    if exact and isinstance(expected.get("consumed"), int):
        assert len(offsets) == expected["consumed"]
    if exact and "first_offset" in expected and "last_offset" in expected:
        assert (min(offsets), max(offsets)) == (expected["first_offset"], expected["last_offset"])
    if reading.provenance["healthy"]:
        allowed = {FAULTY[reading.name]} if reading.name in FAULTY else set()
        assert {(each.code.word, each.message) for each in problems} == allowed


def publishers_are_confirmed_what_the_driver_counted(reading: Reading) -> None:
    """All of it, by the ids in the confirms."""
    count = reading.provenance["expected"].get("confirmed")
    is_damaged = bool(reading.provenance.get("damaged"))
    if not isinstance(count, int) or is_damaged or reading.name in LYING:
        return
    if reading.provenance["protocol"] != PROTOCOL:
        return
    publishers = (each for each in reading.conversations if each.type == "publisher")
    confirmed = sum(each.measures.get("confirmed", 0) for each in publishers)

    assert 0 < confirmed < count if reading.name in SUB_BATCHES and count else confirmed == count


def _numbers(items: list[dict[str, Any]], name: str) -> Iterator[int]:
    """Yield the number of every message, those inside sub-batches too."""
    for item in items:
        records = item.get("records")
        if isinstance(records, list):
            yield from (each[name] for each in records)
        else:
            yield item[name]


def is_exact(scenario: str) -> bool:
    """Whether the wire and the client's count are the same in a scenario."""
    return not any(re.search(pattern, scenario) for pattern in OTHERWISE)


def exact_share() -> float:
    """Return the share of the captures whose messages are compared."""
    names = [each.capture.partition("/")[2] for each in of(PROTOCOL)]
    return sum(map(is_exact, names)) / len(names)
