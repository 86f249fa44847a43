"""Liftbridge's rules: each fires on what it is about, and stays silent beside it."""

import inspect
import re

import pytest
from tests.failures import every
from tests.protocols.liftbridge.traffic import (
    CLIENT,
    ELSEWHERE,
    SERVER,
    TOPIC,
    Talk,
    ack,
    asks,
    brings,
    bus,
    envelope,
    framed,
    member,
    members,
    named,
    publish,
    record,
    said,
)
from tests.protocols.rule_proofs import proved

from streamshark.findings.rule import Rule
from streamshark.protocols.liftbridge.answer_rules import ANSWER_RULES
from streamshark.protocols.liftbridge.findings import BEHAVIOURS, RULES
from streamshark.protocols.liftbridge.message_path_rules import MESSAGE_PATH_RULES
from streamshark.protocols.liftbridge.object_state_rules import OBJECT_STATE_RULES
from streamshark.protocols.liftbridge.program_rules import PROGRAM_RULES
from streamshark.protocols.liftbridge.request_rules import REQUEST_RULES
from streamshark.protocols.liftbridge.return_rules import RETURN_RULES
from streamshark.protocols.liftbridge.storage_rules import STORAGE_RULES


@every("rule", RULES, ids=lambda rule: rule.id)
def test_rules_say_who_when_and_why(rule: Rule) -> None:
    """An id of our family, words for all parts, a public source."""
    assert re.fullmatch(r"LFB-[BLQ]\d+[b-h]?", rule.id)
    assert rule.title
    assert rule.message
    assert rule.source.startswith("liftbridge")


@pytest.mark.slow
def test_every_rule_is_proved_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fires in one of these tests, and is silent beside it."""
    tests = [each for name, each in globals().items() if name.startswith("test_")]
    alone = [each for each in tests if not inspect.signature(each).parameters]

    rules = {each for each in RULES if not each.is_general} - {
        *BEHAVIOURS, *OBJECT_STATE_RULES, *PROGRAM_RULES, *ANSWER_RULES, *STORAGE_RULES,
        *RETURN_RULES, *MESSAGE_PATH_RULES, *REQUEST_RULES,
    }  # fmt: skip
    assert {each.id for each in rules} - proved(monkeypatch, Talk, alone) == set()


def test_a_header_that_no_server_takes() -> None:
    """L1: a version, a length; not the usual header."""
    odd = Talk().pub(0, "ns.ack.x", envelope(1, member(1, "s"), version=7))

    assert odd.found("LFB-L1") == [(2,)]
    assert learned().pub(0, "foo", envelope(0, b"", version=1)).found("LFB-L1") == [(4,)]
    assert learned().pub(0, "foo", publish()).found("LFB-L1") == []
    assert Talk().pub(0, "ns.ack.x", b"\xb9\x0e\x43\xb4\0\x09\0\1").found("LFB-L1") == [(2,)]
    assert Talk().pub(0, "ns.ack.x", ack()).found("LFB-L1") == []


def test_a_header_that_says_more_than_there_is() -> None:
    """L1: a header of 12 bytes without a sum, a flag that nobody knows; not a sum."""
    summed = bytes.fromhex("b90e43b4000c0100838ef8561a0568656c6c6f2a01733a03666f6f520361636b5a0131")

    def headed(header: str) -> Talk:
        return Talk().pub(0, "foo", bytes.fromhex(header) + publish()[8:])

    assert headed("b90e43b4000c000000000000").found("LFB-L1") == [(2,)]
    assert headed("b90e43b400080200").found("LFB-L1") == [(2,)]
    assert headed("b90e43b400080000").found("LFB-L1") == []
    assert Talk().pub(0, "foo", summed).found("LFB-L1") == []


def test_a_sum_that_does_not_fit() -> None:
    """L2: of an ack, of a publish where a leader listens; not one that fits."""
    odd = bytes.fromhex("b90e43b4000c0100000000001a0568656c6c6f")
    assert learned().pub(0, "foo", odd).found("LFB-L2") == [(4,)]
    wrong = bytes.fromhex("b90e43b4000c010100000000") + member(1, "s")
    right = bytes.fromhex("b90e43b4000c010100000000")[:8] + bytes(4)

    assert Talk().pub(0, "in", wrong).found("LFB-L2") == [(2,)]
    assert Talk().pub(0, "in", right).found("LFB-L2") == []


def test_a_type_that_nobody_knows() -> None:
    """L3: 15, an ack where publishes are read; not 14."""
    assert learned().pub(0, "foo", ack()).found("LFB-L3") == [(4,)]
    notice = envelope(14, member(1, "s"))

    assert Talk().pub(0, "ns.notify.a", envelope(15)).found("LFB-L3") == [(2,)]
    assert Talk().pub(0, "ns.notify.a", notice).found("LFB-L3") == []


def test_a_body_that_cannot_be_decoded() -> None:
    """L4: cut off, also where a leader listens; not whole."""
    assert learned().pub(0, "foo", publish()[:-1]).found("LFB-L4") == [(4,)]
    assert learned().pub(0, "foo", publish()).found("LFB-L4") == []
    assert Talk().pub(0, "in", ack()[:-1]).found("LFB-L4") == [(2,)]
    assert Talk().pub(0, "in", ack()).found("LFB-L4") == []


def learned() -> Talk:
    """A leader listens to `foo`."""
    talk = Talk().say(5, 0, named("streams"))
    return talk.say(5, 0, b"\0\0\0\x09\2\3foo")


def test_a_plain_message_for_a_stream() -> None:
    """L5: without an envelope where a leader listens; not where none does, nor in one."""
    assert learned().pub(0, "foo", b"hello").found("LFB-L5") == [(4,)]
    assert learned().pub(0, "bar", b"hello").found("LFB-L5") == []
    assert learned().pub(0, "foo", publish()).found("LFB-L5") == []
    assert learned().pub(0, "foo", publish()[:-1]).found("LFB-L5") == []


def test_nearly_an_envelope() -> None:
    """L5: with a wrong magic number; not with the right one."""
    assert learned().pub(0, "foo", b"\xb9\x0e\x43\xb5" + bytes(8)).found("LFB-L5") == [(4,)]
    assert learned().pub(0, "foo", b"\xb4\x43\x0e\xb9" + bytes(8)).found("LFB-L5") == [(4,)]
    assert learned().pub(0, "foo", publish()).found("LFB-L5") == []


def test_an_ack_that_cannot_come() -> None:
    """L6: without an inbox; not with one, nor where none is wanted."""
    assert Talk().pub(0, "foo", publish(inbox="")).found("LFB-L6") == [(2,)]
    assert Talk().pub(0, "foo", publish()).found("LFB-L6") == []
    assert Talk().pub(0, "foo", publish(inbox="", policy=2)).found("LFB-L6") == []


def acked() -> Talk:
    """A publish and its ack, on one connection."""
    return Talk().pub(0, "foo", publish()).msg(0, "in", ack())


def test_no_ack() -> None:
    """L7: where their inbox is listened to, in time; not where they go elsewhere."""

    def listening() -> Talk:
        return Talk().say(0, 0, framed(2, said("in"))).msg(0, "x", b"x")

    assert listening().pub(0, "foo", publish()).wait(6).found("LFB-L7") == [(4,)]
    assert listening().pub(0, "foo", publish(inbox="out")).wait(6).found("LFB-L7") == []
    early = listening().pub(0, "foo", publish()).msg(0, "in", ack()).wait(6)
    forgotten = acked().pub(0, "foo", publish(id="2")).wait(6)

    assert early.found("LFB-L7") == []
    assert forgotten.found("LFB-L7") == []


def test_acknowledged_twice() -> None:
    """L7: by one stream; not by two of them, nor for two messages that share an inbox."""
    assert acked().msg(0, "in", ack(1)).found("LFB-L7") == [(6, 4)]
    both = Talk().pub(0, "foo", publish(id="")).pub(0, "foo", publish(b"w", id=""))
    both.msg(0, "in", ack(id="")).msg(0, "in", ack(1, id=""))
    assert both.found("LFB-L7") == []
    assert acked().msg(0, "in", ack(1, stream="other")).found("LFB-L7") == []


def test_an_ack_of_what_was_never_published() -> None:
    """L7: of another id; not of a publish on another connection, nor without an id."""
    assert acked().msg(0, "in", ack(1, id="7")).found("LFB-L7") == [(6,)]
    assert acked().msg(0, "in", ack(1, id="")).found("LFB-L7") == []
    shared = acked().pub(1, "foo", publish(id="7")).msg(0, "in", ack(1, id="7"))
    assert shared.found("LFB-L7") == []


def test_a_message_is_not_stored() -> None:
    """L8: an error in an ack, once for all who see it and of a subject; not ok."""
    seen = Talk().pub(0, "foo", publish()).pub(1, "in", ack(error=2)).msg(0, "in", ack(error=2))

    large = Talk().pub(0, "foo", publish()).pub(1, "in", ack(error=3)).msg(0, "in", ack(error=3))

    assert [each[0] for each in seen.found("LFB-L8")] == [4]
    assert [each[0] for each in large.found("LFB-L8")] == [4]
    assert acked().found("LFB-L8") == []
    again = Talk().pub(0, "foo", publish()).msg(0, "in", ack(error=3))
    again.pub(0, "foo", publish(id="2")).msg(0, "in", ack(error=3, id="2"))
    again.pub(0, "foo", publish(id="3")).msg(0, "in", ack(error=4, id="3"))

    assert again.found("LFB-L8") == [(4, 8), (12,)]


def test_offsets_go_back() -> None:
    """L9: of one partition and policy; not of two partitions."""

    def two(first: int, second: int, subject: str = "foo") -> Talk:
        other = ack(second, id="2", subject=subject)
        return Talk().pub(0, "in", ack(first)).pub(0, "in", other)

    assert two(5, 5).found("LFB-L9") == [(4, 2)]
    assert two(5, 6).found("LFB-L9") == []
    assert two(5, 5, "foo.1").found("LFB-L9") == []
    other = Talk().pub(0, "in", ack(5)).pub(ELSEWHERE, "in", ack(5, id="2"))
    assert other.found("LFB-L9") == []


def test_an_expected_offset_of_0() -> None:
    """L10: to a stream with optimistic concurrency that has messages; not -1, nor at first."""
    made = members(_1="foo", _2="s", _17=member(1, 1))
    stored = member(1, members(_1="s", _4=0))

    def publishing(expected: int, other: int = 0) -> Talk:
        talk = Talk().call(0, "CreateStream", made)
        talk.call(0, "Publish", members(_3="s", _7="1", _9=0), 3).reply(0, "Publish", stored, 3)
        return talk.call(other, "Publish", members(_3="s", _7="2", _9=expected), 5)

    assert publishing(0).found("LFB-L10") == [(4,)]
    assert publishing(-1).found("LFB-L10") == []
    assert publishing(0, ELSEWHERE).found("LFB-L10") == []


def test_larger_than_replication_carries() -> None:
    """L11: above 1 MiB, by NATS or by the API, once; not just below."""
    large = members(_3="s", _7="1", _2=bytes(1 << 20))
    called = Talk().call(0, "Publish", large).pub(1, "s", publish(bytes(1 << 20)))

    assert [each[0] for each in called.found("LFB-L11")] == [1]
    assert Talk().pub(0, "foo", publish(bytes(1 << 20))).found("LFB-L11") == [(2,)]
    assert Talk().pub(0, "foo", publish(bytes((1 << 20) - 64))).found("LFB-L11") == []


def test_larger_than_nats_carries() -> None:
    """L11: above what INFO says; not at it."""

    def told(size: int) -> Talk:
        info = framed(6, size.to_bytes(4, "big"))
        return Talk().say(0, SERVER, info).pub(0, "foo", publish())

    assert told(len(publish()) - 1).found("LFB-L11") == [(3,)]
    assert told(len(publish())).found("LFB-L11") == []


def test_published_to_a_subject_without_the_ack_that_was_wanted() -> None:
    """L20: PublishToSubject with the policy all; not with none."""

    def publishing(policy: int, answer: bytes) -> Talk:
        talk = Talk().call(0, "PublishToSubject", members(_3="s", _7=policy))
        return talk.reply(0, "PublishToSubject", answer)

    assert publishing(1, b"").found("LFB-L20") == [(1, 2)]
    assert publishing(2, b"").found("LFB-L20") == []
    assert publishing(1, member(1, member(1, "s"))).found("LFB-L20") == []


def test_answered_without_the_ack_that_was_wanted() -> None:
    """L20: Publish with the policy leader; not with none, nor with an ack."""

    def publishing(policy: int, answer: bytes) -> Talk:
        talk = Talk().call(0, "Publish", members(_3="s", _8=policy))
        return talk.reply(0, "Publish", answer)

    assert publishing(0, b"").found("LFB-L20") == [(1, 2)]
    assert publishing(2, b"").found("LFB-L20") == []
    assert publishing(0, member(1, member(1, "s"))).found("LFB-L20") == []


def test_a_message_on_a_subject_that_is_not_its_own() -> None:
    """L3: a propagation elsewhere; not on its subject."""
    request = envelope(8, member(1, 5))

    assert Talk().pub(0, "ns.raft.metadata.join", request, "r").found("LFB-L3") == [(2,)]
    assert Talk().pub(0, "ns.raft.metadata.propagate", request, "r").found("LFB-L3") == []


def test_members_that_this_release_does_not_know() -> None:
    """L4: number 99; not those of an ack."""
    assert Talk().pub(0, "in", ack() + member(99, 1)).found("LFB-L4") == [(2,)]
    assert Talk().pub(0, "in", ack()).found("LFB-L4") == []


def test_the_layout_of_2019() -> None:
    """L5: for a server of envelopes; not for one of its own time."""
    old = b"LIFT" + member(3, "v")
    new, alone = learned(), learned()
    new.pub(6, "ns.raft.metadata.info", envelope(10, member(1, "a")), "ns.raft.metadata.fetch.x")

    assert new.pub(0, "foo", old).found("LFB-L5") == [(6,)]
    assert alone.pub(0, "foo", old).found("LFB-L5") == []


def replicated(*answers: tuple[int, bytes], epoch: int = 1, closed: bool = False) -> Talk:
    """A follower (0) asks, and servers answer, by connection; the follower gets it.

    With `closed` a connection ends before the next one answers.
    """
    talk = Talk()
    for number, (flow, answer) in enumerate(answers):
        if closed and number:
            talk.close(answers[number - 1][0])
        inbox = f"_INBOX.{number}"
        talk.pub(0, TOPIC, asks(epoch=epoch), inbox).msg(flow, TOPIC, asks(epoch=epoch), inbox)
        talk.pub(flow, inbox, answer).msg(0, inbox, answer)
    return talk


def test_an_answer_of_another_epoch() -> None:
    """L12: 2 for 1; not the same, nor where no epoch was given."""
    assert replicated((1, brings(epoch=2))).found("LFB-L12") == [(6, 4, 8, 2)]
    assert replicated((1, brings())).found("LFB-L12") == []
    assert replicated((1, brings(epoch=2)), epoch=0).found("LFB-L12") == []


def test_two_leaders() -> None:
    """L12: in one epoch; not one after the other, nor a server that has connected again."""
    assert [each[0] for each in replicated((1, brings()), (2, brings())).found("LFB-L12")] == [14]
    assert replicated((1, brings()), (1, brings())).found("LFB-L12") == []
    assert replicated((1, brings()), (2, brings()), closed=True).found("LFB-L12") == []
    assert replicated((1, brings()), (2, brings(epoch=2)), epoch=0).found("LFB-L12") == []


def test_a_replication_response_that_breaks_a_follower() -> None:
    """L13: too short, or a wrong sum in it; not what is sound."""
    wrong = record(3, "aee6ed8d0100ffffffffffffffff0000")

    assert [each[0] for each in replicated((1, brings()[:12])).found("LFB-L13")] == [6, 8]
    assert [each[0] for each in replicated((1, brings(3, 1, wrong))).found("LFB-L13")] == [6, 8]
    assert replicated((1, brings(3, 1, record(3)))).found("LFB-L13") == []


def test_records_out_of_order() -> None:
    """L13: 5 before 4; not 4 before 5."""
    back = brings(5, 1, record(5) + record(4))
    forth = brings(5, 1, record(4) + record(5))

    assert [each[0] for each in replicated((1, back)).found("LFB-L13")] == [6]
    assert replicated((1, forth)).found("LFB-L13") == []


def test_a_high_watermark_goes_back() -> None:
    """L13: in one epoch; not in another."""
    assert [each[0] for each in replicated((1, brings(9)), (1, brings(8))).found("LFB-L13")] == [14]
    assert replicated((1, brings(9)), (1, brings(9))).found("LFB-L13") == []
    assert replicated((1, brings(9)), (1, brings(8, 2))).found("LFB-L13") == []


def test_a_follower_is_not_answered() -> None:
    """L14: within three seconds; not where it is, nor where nobody listens."""
    nobody = Talk().pub(0, TOPIC, asks(), "_INBOX.0")
    silent = Talk().msg(0, "other", b"x").pub(0, TOPIC, asks(), "_INBOX.0").wait(4)
    nobody.say(0, 1, b"\0\0\0\x10\5\x08_INBOX.0" + (503).to_bytes(2, "big")).wait(4)

    assert silent.found("LFB-L14") == [(3,)]
    assert replicated((1, brings())).wait(4).found("LFB-L14") == []
    assert "no_responders" in nobody.inner()
    assert nobody.found("LFB-L14") == []


def test_a_follower_is_far_behind() -> None:
    """L15: by more than ten thousand messages; not by one."""

    def lagging(offset: int) -> Talk:
        talk = replicated((1, brings(20_000, 1, record(20_000))))
        return talk.msg(1, TOPIC, asks(offset), "_INBOX.9")

    assert lagging(9).found("LFB-L15") == [(10,)]
    assert lagging(19_999).found("LFB-L15") == []


def test_a_follower_stays_behind() -> None:
    """L15: for fifteen seconds, asking or silent; not where it has caught up."""

    def lagging(*asked: int) -> Talk:
        talk = replicated((1, brings(9)))
        for number, offset in enumerate(asked):
            talk.pub(0, TOPIC, asks(offset), f"_INBOX.{number + 9}")
            talk.msg(0, f"_INBOX.{number + 9}", brings(9))
        return talk.wait(16)

    assert lagging().found("LFB-L15") == [(2,)]
    assert lagging(4, 5).found("LFB-L15") == [(14,)]
    assert lagging(4, 9).found("LFB-L15") == []


def test_committed_messages_are_truncated() -> None:
    """L16: below the follower's high watermark; not at it."""

    def told(end: int) -> Talk:
        talk = replicated((1, brings(9)))
        talk.pub(0, "ns.trades.0.offset", envelope(6, member(1, 2)), "_INBOX.9")
        return talk.msg(0, "_INBOX.9", envelope(7, member(1, end)))

    assert told(8).found("LFB-L16") == [(12, 8)]
    assert told(9).found("LFB-L16") == []


PROPAGATE = "ns.raft.metadata.propagate"


def test_the_metadata_leader_refuses() -> None:
    """L17: with a code, L17c if a client asked; not without an error."""
    reason = member(2, member(1, 9) + member(2, "too late"))
    refusal, exists = envelope(9, member(1, 2) + reason), envelope(9, member(1, 5) + reason)

    assert Talk().pub(0, "_INBOX.1", exists).found("LFB-L17c") == [(2,)]
    assert Talk().pub(0, "_INBOX.1", refusal).found("LFB-L17c") == []
    assert Talk().pub(0, "_INBOX.1", refusal).found("LFB-L17") == [(2,)]
    assert Talk().pub(0, "_INBOX.1", envelope(9, member(1, 2))).found("LFB-L17") == []


def test_the_same_report_again_and_again() -> None:
    """L17: three times; not twice, nor of three streams, nor of three partitions."""

    def reports(*streams: str, partitions: tuple[int, ...] = (0, 0, 0)) -> Talk:
        talk = Talk()
        for number, stream in enumerate(streams):
            report = member(4, member(1, stream) + member(2, partitions[number]) + member(3, "b"))
            talk.pub(0, PROPAGATE, envelope(8, member(1, 2) + report), f"_INBOX.{number}")
        return talk

    assert [each[0] for each in reports("s", "s", "s").found("LFB-L17")] == [4]
    assert reports("s", "s").found("LFB-L17") == []
    assert reports("r", "s", "t").found("LFB-L17") == []
    assert reports("s", "s", "s", partitions=(0, 1, 2)).found("LFB-L17") == []


def test_a_follower_asks_for_the_same_again_and_again() -> None:
    """L23: 200 times in a second; not once less, nor slowly, nor of offsets that go on."""

    def asked(*offsets: int, later: float = 0.001) -> Talk:
        talk = Talk()
        for offset in offsets:
            request = envelope(2, member(1, "b") + member(2, offset) + member(3, 1))
            talk.say(0, CLIENT, bus(3, "ns.s.0.replicate", request, "_INBOX.1"), later)
        return talk

    assert len(asked(*[7] * 200).found("LFB-L23")) == 1
    assert asked(*[7] * 199).found("LFB-L23") == []
    assert asked(*[7] * 200, later=0.1).found("LFB-L23") == []
    assert asked(*range(200)).found("LFB-L23") == []


def test_two_seeds() -> None:
    """L18: of two names; not one that says it again."""
    subject = "ns.raft.metadata.bootstrap"

    assert Talk().pub(0, subject, b"a").pub(1, subject, b"b").found("LFB-L18") == [(4, 2)]
    assert Talk().pub(0, subject, b"a").pub(0, subject, b"a").found("LFB-L18") == []


def reading(*messages: bytes) -> Talk:
    """A subscription from the beginning, and what comes."""
    talk = Talk().call(0, "Subscribe", members(_1="s", _3=2))
    for each in messages:
        talk.reply(0, "Subscribe", each)
    return talk


def at(offset: int) -> bytes:
    """A message that is delivered."""
    return members(_1=offset, _3="v", _5="s")


def test_a_subscription_that_does_not_begin_with_an_empty_message() -> None:
    """L19: a message at once; not after the empty one."""
    assert reading(at(1)).found("LFB-L19") == [(2,)]
    assert reading(b"", at(1)).found("LFB-L19") == []


def test_offsets_of_a_subscription_go_back() -> None:
    """L19: 3 after 4; not gaps, which compaction makes."""
    assert reading(b"", at(4), at(3)).found("LFB-L19") == [(4, 3)]
    assert reading(b"", at(4), at(9)).found("LFB-L19") == []


def test_messages_are_passed_over() -> None:
    """L22: from 6 on after 4; not from 5 on."""

    def again(start: int) -> Talk:
        talk = reading(b"", at(4))
        return talk.call(0, "Subscribe", members(_1="s", _3=1, _4=start), 3)

    assert again(6).found("LFB-L22") == [(4, 3)]
    assert again(5).found("LFB-L22") == []


GROUP = members(_1="g", _2="c")


def test_a_consumer_does_not_ask_for_its_assignments() -> None:
    """L21: while its connection goes on for fifteen seconds; not where it leaves."""

    def joined(wait: float, flow: int = 0) -> Talk:
        talk = Talk().call(0, "JoinConsumerGroup", GROUP)
        talk.reply(0, "JoinConsumerGroup", b"")
        talk.call(0, "FetchConsumerGroupAssignments", GROUP, 3).wait(wait)
        return talk.call(flow, "FetchMetadata", b"", 7)

    left = joined(1).call(0, "LeaveConsumerGroup", GROUP, 5).wait(20)

    assert joined(20).found("LFB-L21") == [(3,)]
    assert joined(20).close(0).found("LFB-L21") == [(3,)]
    assert joined(10).found("LFB-L21") == []
    assert joined(20, ELSEWHERE).found("LFB-L21") == []
    assert left.call(0, "FetchMetadata", b"", 9).found("LFB-L21") == []


def test_a_subscription_of_an_old_epoch() -> None:
    """L21: 2 where assignments are of 3; not 3."""

    def subscribed(epoch: int) -> Talk:
        talk = Talk().call(0, "FetchConsumerGroupAssignments", GROUP)
        talk.reply(0, "FetchConsumerGroupAssignments", member(1, 3))
        consumer = members(_1="g", _2=epoch, _3="c")
        return talk.call(0, "Subscribe", members(_1="s", _11=consumer), 3)

    assert subscribed(2).found("LFB-L21") == [(3, 2)]
    assert subscribed(3).found("LFB-L21") == []
