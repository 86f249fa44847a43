"""What messages of NATS are to Liftbridge."""

import pytest
from tests.failures import every
from tests.protocols.liftbridge.traffic import (
    CLIENT,
    SERVER,
    Talk,
    ack,
    asks,
    bus,
    envelope,
    framed,
    member,
    members,
    named,
    publish,
    said,
)

from streamshark.protocols.liftbridge.nats_envelope import MOST, pattern_of, raft, remember

ENTRIES = bytes.fromhex("0087a7456e747269657390")
"""AppendEntries, the beginning of it."""


def leading(subject: str = "foo") -> Talk:
    """A leader listens to a subject."""
    talk = Talk().say(5, CLIENT, named("streams"))
    return talk.say(5, CLIENT, framed(2, said(subject)))


@every(
    ("subject", "payload", "name"),
    [
        ("ns.s.0.replicate", members(_1="b", _2=-1), "replication_request"),
        ("ns.s.0.offset", b"", "leader_epoch_offset_request"),
        ("ns.raft.metadata.propagate", member(1, 1), "propagated_request"),
        ("ns.raft.metadata.join", member(1, "b"), "raft_join_request"),
        ("ns.raft.metadata.info", member(1, "b"), "server_info_request"),
        ("ns.raft.metadata.fetch.x", member(1, "b"), "server_info_response"),
        ("ns.raft.metadata.status.b", member(1, "s"), "partition_status_request"),
        ("ns.raft.metadata.bootstrap", b"b", "raft_bootstrap"),
        ("ns.raft.metadata.bootstrap.reply", b"b", "raft_bootstrap_response"),
        ("ns.raft.metadata.b.accept", b'{"id":"a"}', "raft_accept"),
        ("ns.raft.metadata.b.request._INBOX.x", ENTRIES, "append_entries"),
        ("ns.raft.metadata.b.request._INBOX.x", b"", "raft_bytes"),
        ("ns.notify.b", member(1, "s"), "partition_notification"),
    ],
)
def test_what_has_no_envelope_is_told_by_its_subject(
    subject: str, payload: bytes, name: str
) -> None:
    """As in 2019, and Raft at all times."""
    assert Talk().pub(0, subject, payload).inner() == [name]


def test_answers_without_envelope_are_told_by_the_question() -> None:
    """On its reply subject."""
    talk = Talk().pub(0, "ns.s.0.replicate", member(1, "b"), "_INBOX.1")
    talk.msg(0, "_INBOX.1", bytes(16)).msg(0, "_INBOX.2", bytes(16))

    assert talk.inner() == ["replication_request", "replication_response"]


def test_acks_of_2019_are_told_by_who_sends_them() -> None:
    """The connection for acks decides, else the receiver."""
    talk = (
        Talk().say(3, CLIENT, named("acks")).pub(3, "x", member(1, "s")).msg(4, "x", member(1, "s"))
    )

    assert talk.inner() == ["ack", "ack"]


def test_a_plain_message_where_a_leader_listens() -> None:
    """Published and delivered; also by a pattern; not elsewhere."""
    talk = leading("a.*").pub(0, "a.b", b"x").msg(5, "a.b", b"x").pub(0, "b.a", b"x")

    assert talk.inner() == ["plain_publish", "plain_publish"]
    assert Talk().say(5, CLIENT, named("streams")).msg(5, "q", b"x").inner() == ["plain_publish"]
    assert Talk().pub(0, "a.b", b"x").inner() == []


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (publish()[:-1], "short"),
        (publish()[:7], "length"),
        (envelope(0, member(3, "v"), version=1), "unknown_version"),
        (ack(), "unknown_key"),
        (bytes.fromhex("b90e43b4000c0100000000001a0176"), "checksum"),
        (bytes.fromhex("b90e43b4000400001a0176"), "claim"),
        (envelope(0, b"\x2a\x02\xff\xff"), "text"),
    ],
)
def test_an_envelope_that_does_not_decode_is_what_the_server_makes_of_it(
    payload: bytes, code: str
) -> None:
    """A plain message with all of its bytes, and what is wrong with the envelope."""
    row = leading().pub(0, "foo", payload).rows[-1]

    assert (row.name, row.values) == ("plain_publish", {"value": payload})
    assert [each.code.word for each in row.problems] == [code]
    assert "as they are" in row.problems[0].message


def test_what_was_seen_around_a_publish() -> None:
    """Whether its inbox is listened to on this connection, and what NATS carries."""

    def agreed(*frames: bytes) -> object:
        talk = Talk()
        for each in frames:
            talk.say(0, each[4] == 6, each)
        return dict(talk.pub(0, "foo", publish()).rows[-1].agreed)

    nothing = {"inbox_heard": False, "max_payload": None}
    assert agreed() == nothing
    assert agreed(framed(2, said("in"))) == nothing | {"inbox_heard": True}
    assert agreed(framed(2, said(">"))) == nothing | {"inbox_heard": True}
    assert agreed(framed(2, said("inn"))) == nothing
    assert agreed(framed(6, (99).to_bytes(4, "big"))) == nothing | {"max_payload": 99}


def test_an_envelope_that_decodes_is_one() -> None:
    """Unknown members and a right checksum are accepted, also without a known subscription."""
    summed = bytes.fromhex("b90e43b4000c0100838ef8561a0568656c6c6f2a01733a03666f6f520361636b5a0131")

    assert leading().pub(0, "foo", publish() + member(99, 1)).inner() == ["publish"]
    assert leading().pub(0, "foo", summed).inner() == ["publish"]
    assert Talk().pub(0, "foo", publish()).inner() == ["publish"]
    assert Talk().pub(0, "foo", b"LIFT" + member(3, "v")).inner() == ["publish"]
    assert Talk().pub(0, "foo", b"LIFTED UP").inner() == []


def test_nobody_listens() -> None:
    """Where something of Liftbridge's was asked; not elsewhere."""

    def unheard(subject: str) -> bytes:
        return framed(5, said(subject) + (503).to_bytes(2, "big"))

    talk = Talk().pub(0, "ns.s.0.replicate", asks(), "_INBOX.1")
    talk.say(0, SERVER, unheard("_INBOX.1") + unheard("_INBOX.2"))

    assert talk.inner() == ["replication_request", "no_responders"]


def test_answers_of_raft_are_told_by_their_keys() -> None:
    """And calls by their first byte."""
    assert raft(b"\xa0\x85\xa7LastLog\0") == "append_entries_response"
    assert raft(b"\xa0\x83\xa7Granted\xc3\xa5Peers\xc0") == "request_vote_response"
    assert raft(b"\xa0\x82\xa7Granted\xc3") == "request_pre_vote_response"
    assert raft(b"\xa0\x82\xa7Success\xc3") == "install_snapshot_response"
    assert raft(b"\xa0\x81\xafProtocolVersion\3") == "timeout_now_response"
    assert raft(b"\2\x82") == "install_snapshot"
    assert raft(b"\5\x82") == "raft_bytes"


def test_what_is_remembered_is_bounded() -> None:
    """The oldest makes room."""
    everywhere: dict[str, dict[str, str]] = {}
    for number in range(MOST + 1):
        remember(everywhere, "answers", str(number), "")

    assert len(everywhere["answers"]) == MOST
    assert "0" not in everywhere["answers"]
    assert not pattern_of("a.*").fullmatch("a.b.c")
    assert Talk().say(0, CLIENT, bus(3, "foo", b"")).inner() == []
