"""The messages of recorded captures are those that publishers and consumers counted.

`provenance.toml` says how many messages a client published and was handed, and the first and last
offset, by the client's own count. What a client sent or got on the wire may be more or less than
that; `OTHERWISE` says in which scenarios, and why.
"""

import re
import tomllib
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from tests.recorded.bodies import CAPTURES, known
from tests.recorded.folders import parameters

from streamshark.frames.frame import FrameRow
from streamshark.schema import Problem
from streamshark.session import Session
from streamshark.views.showing import Showing
from streamshark.views.values import Shaper

OTHERWISE = {
    r"single_active|offset_tracking|named|subscribe_offsets|crash|reconnect|frozen|leader|groups|"
    r"sub_batches_java|deduplication|starves|strategies|update": "chunks are delivered again, or "
    "begin below the offset that was asked for, and the client drops what it has had",
    r"filter": "filters choose chunks, not messages; a client failed over messages without a value",
    r"delete_stream_under|super_stream_by_key|lost|starts_mid|side_only|ends_early|truncated|"
    r"reordered|retransmitted|one_byte": "not all of it was sent, or is in the capture",
    r"wrong_header": "a header that lies about its messages",
}
"""Scenarios where the wire and the client's count differ, to the reason."""
FAULTY = {
    "message_properties_js": ("value", "keys of the message_annotations section are symbols"),
}
"""Healthy scenarios whose client breaks a rule of AMQP 1.0, to the problem."""
USER = 0
"""Type of chunks that hold messages."""


class Counted(NamedTuple):
    """What is in one capture."""

    name: str
    provenance: dict[str, Any]
    published: int
    delivered: int
    offsets: list[int]
    problems: list[Problem]


@pytest.fixture(scope="module", params=parameters("rabbitmq_stream/*"))
def counted(request: pytest.FixtureRequest) -> Counted:
    """A capture, its messages counted."""
    folder = request.param
    provenance = tomllib.loads((folder / "provenance.toml").read_text())
    shaper = Shaper(Showing(), known())
    out = Counted(folder.name, provenance, 0, 0, [], [])
    for row in Session([str(folder / provenance["file"])]).rows():
        if not isinstance(row, FrameRow) or row.decoder is None:
            continue
        if row.name in ("publish", "deliver"):
            fields = shaper.tree(row.decoder.tree)(row.values)
            out.problems.extend(known().problems(row.decoder, row.data, row.values))
            if row.name == "publish":
                ids = list(_numbers(fields["published_messages"], "publishing_id"))
                out = out._replace(published=out.published + len(ids))
            elif fields["chunk"].get("chunk_type", {"value": USER})["value"] == USER:
                offsets = list(_numbers(fields["chunk"].get("entries", []), "offset"))
                out.offsets.extend(offsets)
                out = out._replace(delivered=out.delivered + len(offsets))
    return out


def _numbers(items: list[dict[str, Any]], name: str) -> Iterator[int]:
    """The number of every message, those inside sub-batches too."""
    for item in items:
        records = item.get("records")
        if isinstance(records, list):
            yield from (each[name] for each in records)
        else:
            yield item[name]


def _is_exact(name: str) -> bool:
    return not any(re.search(pattern, name) for pattern in OTHERWISE)


def test_every_message_has_its_number(counted: Counted) -> None:
    """As many as the client published and consumed, with the offsets that it was handed."""
    expected = counted.provenance["expected"]
    if not _is_exact(counted.name):
        assert counted.delivered == len(counted.offsets)
        return
    if "published" in expected:
        assert counted.published == expected["published"]
    if isinstance(expected.get("consumed"), int):
        assert counted.delivered == expected["consumed"]
    if "first_offset" in expected and "last_offset" in expected:
        ends = min(counted.offsets), max(counted.offsets)
        assert ends == (expected["first_offset"], expected["last_offset"])


def test_bodies_of_healthy_clients_have_no_problem(counted: Counted) -> None:
    """But for the clients that break a rule."""
    found = {(each.code.word, each.message) for each in counted.problems}
    allowed = {FAULTY[counted.name]} if counted.name in FAULTY else set()

    if counted.provenance["healthy"]:
        assert found == allowed


def test_most_captures_are_compared() -> None:
    """The list of exceptions stays an exception."""
    names = [path.parent.name for path in CAPTURES.glob("rabbitmq_stream/*/provenance.toml")]

    assert sum(map(_is_exact, names)) > len(names) / 2
