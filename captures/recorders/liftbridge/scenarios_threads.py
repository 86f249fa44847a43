"""Faults that people had, from issue threads and documents, and near misses beside them."""

from captures.recorders.liftbridge.threads import called, fault, near_miss

fault(
    "starts_over",
    "Cursors are stored and never fetched",
    kind="sequences",
    thread="liftbridge-io/liftbridge#46, liftbridge-io/go-liftbridge#108",
    shows="Three starts of one consumer: each subscribes from the earliest message, reads all six "
    "and sets the cursor reader to 5; none ever calls FetchCursor.",
    says="The cursor reader is set and never fetched: each start subscribes from the earliest "
    "message again, so six messages are processed three times; FetchCursor and go on after it.",
    marks=(called("Subscribe", skip=1), called("SetCursor")),
)

fault(
    "deadline_too_short",
    "A deadline that is over before the ack can come",
    kind="second layer",
    thread="liftbridge-io/liftbridge#347; docs: AckPolicy, deadline of Publish",
    shows="Publish with the ack policy ALL and a deadline of about a millisecond: the call ends "
    "with DEADLINE_EXCEEDED, the message is stored, and the program publishes it again, six times.",
    says="Publish is given up (DEADLINE_EXCEEDED) after a grpc-timeout of a millisecond or less "
    "and "
    "repeated: the message is stored every time; allow the ack some seconds.",
    marks=(called("Publish"),),
)

fault(
    "cursor_goes_back",
    "A cursor is set back",
    kind="sequences",
    thread="liftbridge-io/liftbridge#214, liftbridge-io/liftbridge#319",
    shows="Two workers share the cursor reader: SetCursor 7, then SetCursor 3 of the slower one; "
    "the next start fetches 3 and reads four messages again.",
    says="SetCursor moves the cursor reader back from 7 to 3: the next start reads 4 to 7 again; a "
    "cursor should only go forward.",
    marks=(called("SetCursor", skip=1),),
)

fault(
    "subscriptions_left",
    "Subscriptions are opened and none is cancelled",
    kind="leaks",
    thread="dapr/dapr#6560, cockroachdb/cockroach#61413 (streams of gRPC that nobody cancels)",
    shows="Eight times the program subscribes the same partition and forgets the stream before: "
    "each of the five messages that are published then is delivered eight times.",
    says="One connection has eight Subscribe streams open on the same partition; each message is "
    "delivered to all: cancel the old stream before a new one.",
    marks=(called("Subscribe", skip=1),),
)

fault(
    "paused_partition",
    "A paused partition is subscribed again and again",
    kind="storms and loops",
    thread="liftbridge-io/liftbridge#250",
    shows="The partition is paused. Subscribe without resume fails with FAILED_PRECONDITION, and "
    "the program tries the same at once, twelve times.",
    says="Subscribe to a paused partition is refused 12 times in a row and repeated at once: set "
    "resume in the request, or resume the stream first.",
    marks=(called("Subscribe"),),
)

fault(
    "connection_per_publish",
    "A connection for each message",
    kind="waste",
    thread="liftbridge-io/go-liftbridge README: one client for all; rsocket/rsocket-java#926",
    shows="Twelve times: connect, fetch the metadata, open a PublishAsync stream, publish one "
    "message, close.",
    says="Twelve connections carry one message each, with FetchMetadata before each: keep one "
    "client "
    "and publish by it.",
    marks=(called("PublishAsync", skip=1), called("FetchMetadata", skip=1)),
)

fault(
    "member_twice",
    "Two programs with one consumer id in one group",
    kind="identity",
    thread="liftbridge-io/liftbridge#387 (consumer id has to be unique)",
    shows="The second program joins the group crew with the id worker of the first, which is "
    "there; "
    "the server refuses, and it tries again, six times.",
    says="JoinConsumerGroup is refused six times: worker is a member of crew already; two programs "
    "use one consumer id.",
    marks=(called("JoinConsumerGroup", skip=1),),
)

near_miss(
    "stream_exists_already",
    "A stream that exists already",
    thread="docs: CreateStream, ALREADY_EXISTS",
    shows="Each start creates its stream; ALREADY_EXISTS at the second start, after which the "
    "program publishes and reads as usual.",
)

near_miss(
    "resumes_at_cursor",
    "A consumer goes on after its cursor",
    thread="liftbridge-io/go-liftbridge#108",
    shows="Three starts: FetchCursor, Subscribe at the next offset, read, SetCursor; nothing is "
    "read "
    "twice.",
)

near_miss(
    "offset_conflict_mended",
    "A wrong expected offset, and a right one",
    thread="docs: optimistic concurrency control",
    shows="Two publishers share a stream with optimistic concurrency; the second is refused once, "
    "asks for the partition's metadata and publishes with the right offset.",
)

near_miss(
    "resumes_paused",
    "A paused partition is resumed by a subscription",
    thread="liftbridge-io/liftbridge#250",
    shows="The stream is paused; Subscribe with resume reads it from the beginning.",
)
