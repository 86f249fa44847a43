"""Faults and near misses of the seventh round of the blind test: see docs/checking.md."""

from captures.recorders.liftbridge.setup import THREE
from captures.recorders.liftbridge.threads import ONE, PYTHON, Shown, called, fault, near_miss

DRIVER = "seventh_round"

fault(
    "deleted_stream_subscribed",
    "A stream is deleted, and its subscriber tries again and again",
    driver=DRIVER,
    server=ONE,
    kind="storms and loops",
    thread="liftbridge-io/liftbridge#225 (FetchMetadata and Subscribe in a loop)",
    shows="A stream that is deleted under its subscriber, and fifteen attempts.",
    says="After DeleteStream the subscriber fetches the metadata and subscribes each 170 ms, "
    "though the metadata has the stream no more: each attempt ends with NotFound.",
    marks=(called("Subscribe", skip=1),),
)

near_miss(
    "deleted_stream_waited_for",
    "A stream is deleted, and its subscriber waits until it is there again",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge#225",
    shows="A stream that is deleted under its subscriber and made again 2.5 s later.",
)

fault(
    "acks_without_correlation",
    "Acks of six publishes in flight go to one inbox, without correlation ids",
    driver=DRIVER,
    server=ONE,
    kind="identity",
    thread="liftbridge-io/liftbridge#122",
    shows="54 messages, six at a time, on the stubs of liftbridge-api.",
    says="Six calls of Publish are in flight, and all have the AckInbox acks.shop-7 and no "
    "correlationId: each call takes whatever ack comes there first, so which message an ack "
    "is for cannot be known.",
    marks=(called("Publish", skip=1),),
)

near_miss(
    "acks_with_correlation",
    "Each of six publishes in flight has an inbox and a correlation id",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge#122",
    shows="54 messages, six at a time, on the stubs of liftbridge-api.",
)

fault(
    "published_before_the_stream",
    "Messages are published over NATS without acks, before their stream is there",
    driver=DRIVER,
    server=ONE,
    kind="unanswered and abandoned",
    thread="liftbridge-io/liftbridge#58",
    shows="40 messages by nats.go; the stream is made after the sixteenth.",
    says="alarm-box publishes to alarms as plain NATS messages, which ask for no ack; the stream "
    "is created after the sixteenth, and what came before was stored by nobody and is lost "
    "without a sign. An envelope with an ackInbox would tell.",
    marks=(Shown("a PUB before the stream", 'tcp.payload contains "PUB alarms "', most=16),),
)

near_miss(
    "published_with_acks",
    "Messages are published over NATS in envelopes, and acknowledged",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge#58",
    shows="40 messages by nats.go, in envelopes with an ackInbox.",
)

fault(
    "expected_offset_never_read",
    "A publish with an expected offset that was refused is repeated with the same one",
    driver=DRIVER,
    server=ONE,
    kind="storms and loops",
    thread="liftbridge-io/liftbridge-api#48",
    shows="A stream with concurrency control and two publishers.",
    says="Another publisher has taken offset 7; the first one goes on to publish with "
    "expectedOffset 7, and each of its fourteen messages is refused (INCORRECT_OFFSET). It has "
    "to fetch the newest offset after the first refusal.",
    marks=(Shown("a refusal of the offset", 'tcp.payload contains "ncorrect"', sender="server"),),
)

near_miss(
    "expected_offset_read_again",
    "After a refusal the newest offset is fetched, and publishing goes on",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge-api#48",
    shows="A stream with concurrency control and two publishers.",
)

fault(
    "paused_under_its_reader",
    "A stream is paused under its reader, which resumes it each time",
    driver=DRIVER,
    server=ONE,
    kind="churn and leak",
    thread="liftbridge-io/go-liftbridge#75, liftbridge-io/liftbridge-api#34, "
    "liftbridge-io/liftbridge#218",
    shows="A stream that an operator pauses eight times, and a reader that subscribes with resume.",
    says="The operator pauses frames eight times within six seconds though it is read and written: "
    "the subscription ends each time, and the reader subscribes again with resume, which starts "
    "the partition again.",
    marks=(called("PauseStream"),),
)

near_miss(
    "paused_when_its_reader_left",
    "A stream is paused when nobody reads it, and resumed by the next reader",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/go-liftbridge#75",
    shows="A stream that is paused twice, between two readers.",
)

fault(
    "subscribed_at_a_follower",
    "A client subscribes at a server that does not lead the partition",
    driver=DRIVER,
    peer=PYTHON,
    server=THREE,
    kind="mismatch between sides",
    thread="dgzlopes/python-liftbridge#6",
    shows="Three servers; thirty messages are published at the leader.",
    says="The client knows one address and subscribes there, but another server leads the "
    "partition: Subscribe is refused each of twelve times, where FetchMetadata would say who the "
    "leader is; it never gets one of the thirty messages.",
    marks=(called("Subscribe"),),
)

near_miss(
    "leader_subscribed",
    "A client asks who leads the partition and subscribes there",
    driver=DRIVER,
    peer=PYTHON,
    server=THREE,
    thread="dgzlopes/python-liftbridge#6",
    shows="Three servers; thirty messages are published at the leader.",
)
