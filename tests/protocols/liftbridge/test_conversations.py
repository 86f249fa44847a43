"""What is told of messages: publishes over all connections, requests, subscriptions."""

from tests.protocols.liftbridge.traffic import (
    TOPIC,
    Talk,
    ack,
    asks,
    brings,
    member,
    members,
    publish,
    record,
)

STORED = "00000000" + "0100" + "ffffffff" + "0000000176" + "0000"
"""A record whose value is `v`."""


def followed() -> Talk:
    """From the call of the API to the follower, on five connections."""
    talk = Talk().call(0, "PublishAsync", members(_2=b"v", _3="trades", _7="1", _8=1))
    talk.pub(1, "trades", publish(policy=1)).msg(2, "trades", publish(policy=1))
    answer = brings(0, 1, record(0, STORED))
    talk.pub(3, TOPIC, asks(), "_INBOX.1").pub(4, "_INBOX.1", answer).msg(3, "_INBOX.1", answer)
    talk.pub(5, "in", ack(3)).msg(1, "in", ack(3))
    return talk.reply(0, "PublishAsync", members(_1=member(6, "1"), _3="1"))


def test_a_publish_is_one_conversation_from_the_call_to_the_follower() -> None:
    """All connections, both ends, and how long the ack took."""
    (found,) = followed().conversations("publish")

    assert (found.id, found.state, found.correlation_id) == ("0-1-publish", "done", "1")
    assert found.flows == (0, 1, 2, 4, 3, 5)
    assert found.measures == {"ack_time_ns": 5_000_000_000, "offset": 3}
    assert found.request is not None
    assert found.outcome is not None
    assert (found.request.command, found.outcome.command) == ("publish_request", "publish_response")


def test_its_frames_are_told_so() -> None:
    """Frames of the bus have names, calls are parts; a request for messages is not among them."""
    rows = [row for row in followed().rows if row.carrier is not None or row.name != "pub"]
    told = [(row.name, row.annotation) for row in rows if row.annotation]
    publish = "0-1-publish"
    names = {str(name) for name, each in told if publish in (str(each.name), str(each.part_of))}

    assert names == {"message", "publish", "replication_response", "ack", "reply"}


def test_acks_answer_what_they_are_about() -> None:
    """What a client sees, and what a server does, apart."""
    rows = [row for row in followed().rows if row.name == "ack"]

    assert [row.annotation.request_frame for row in rows] == [5, 3]


def test_a_publish_on_the_bus_ends_with_its_ack() -> None:
    """Done, failed, or unanswered; a plain one needs none."""

    def state(talk: Talk) -> str:
        (found,) = talk.conversations("publish")
        return found.state

    done = Talk().pub(0, "foo", publish()).msg(0, "in", ack())
    failed = Talk().pub(0, "foo", publish()).msg(0, "in", ack(error=2))

    assert state(done) == "done"
    assert state(failed) == "failed"
    assert state(Talk().pub(0, "foo", publish())) == "unanswered"
    assert state(Talk().pub(0, "foo", publish(policy=2))) == "done"
    assert state(Talk().pub(0, "foo", publish()).pub(5, "in", ack())) == "done"


def test_publishes_without_an_id_are_known_by_their_inbox() -> None:
    """And by what they say, before they have one."""
    talk = Talk().call(0, "Publish", members(_2=b"v", _3="s"))
    talk.pub(1, "foo", publish(id="")).msg(1, "in", ack(id=""))
    (found,) = talk.conversations("publish")

    assert (found.flows, found.state) == ((0, 1), "done")


def test_requests_of_servers_find_their_answers() -> None:
    """Requests match by reply subject; one stays without an answer."""
    talk = Talk().pub(0, TOPIC, asks(), "_INBOX.1").msg(0, "_INBOX.1", brings())
    talk.pub(0, TOPIC, asks(), "_INBOX.2").close(0)
    done, unanswered = talk.conversations("replication")

    assert (done.state, done.first_frame, done.last_frame) == ("done", 2, 4)
    assert unanswered.state == "unanswered"


def test_a_subscription_counts_what_came() -> None:
    """Not the empty message that says that it is ready."""
    talk = Talk().call(0, "Subscribe", members(_1="s"))
    for message in (b"", members(_1=1, _5="s"), members(_1=2, _5="s")):
        talk.reply(0, "Subscribe", message)
    (found,) = talk.conversations("subscription")

    assert found.measures == {"messages": 2}
