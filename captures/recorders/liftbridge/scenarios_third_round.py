"""Faults and near misses of the third round of the blind test: see docs/checking.md."""

from captures.recorders.liftbridge.threads import ONE, PYTHON, Shown, called, fault, near_miss

DRIVER = "third_round"

fault(
    "subscribes_with_timeout",
    "A subscription with a deadline of 400 ms is made again and again",
    driver=DRIVER,
    peer=PYTHON,
    server=ONE,
    kind="storms and loops",
    thread="liftbridge-io/go-liftbridge#62, dgzlopes/python-liftbridge#7",
    shows="The stub of python-liftbridge with a timeout: twelve calls of Subscribe from new "
    "messages only, each ended by its deadline.",
    says="Subscribe is called with a deadline of 400 ms, ends with DEADLINE_EXCEEDED, and is "
    "called again from new messages only, twelve times: what is published between two calls is "
    "never read.",
    marks=(
        Shown(
            "a call of Subscribe with a deadline",
            'http2.headers.path matches "/Subscribe$" && http2.header.name == "grpc-timeout"',
        ),
    ),
)

fault(
    "name_taken_for_subject",
    "Messages are published to the stream's name as if it were its subject",
    driver=DRIVER,
    peer=PYTHON,
    server=ONE,
    kind="mismatch between sides",
    thread="dgzlopes/python-liftbridge#5",
    shows="A stream orders-stream of the subject orders; five messages go to the subject, twelve "
    "to the name.",
    says="The stream orders-stream is attached to the subject orders; a publisher sends twelve "
    "messages by PublishToSubject to orders-stream, where nothing listens: none of them is stored, "
    "and without an ack nothing shows it.",
    marks=(
        Shown(
            "a message to the stream's name",
            'tcp.payload matches "order ([5-9]|1[0-9])" && tcp.dstport == 9292',
        ),
    ),
)

fault(
    "time_in_milliseconds",
    "The start timestamp is in milliseconds",
    driver=DRIVER,
    peer=PYTHON,
    server=ONE,
    kind="second layer",
    thread="liftbridge-io/liftbridge#323 (StartAtTime); the unit is a variant of this repository",
    shows="python-liftbridge with a startTimestamp set by hand; four subscriptions, each of which "
    "gets the whole stream.",
    says="Four times the subscriber asks for the messages of the last two seconds with a "
    "startTimestamp in milliseconds; the server takes nanoseconds (1970), so the whole stream is "
    "delivered each time.",
    marks=(called("Subscribe"),),
)

fault(
    "dummy_messages_to_resume",
    "A dummy message is published to wake a paused partition",
    driver=DRIVER,
    server=ONE,
    kind="waste",
    thread="liftbridge-io/liftbridge#250, #323",
    shows="Six rounds of three messages, PauseStream, the message wake up, and a subscription.",
    says="The partition is paused after each round, and the reader publishes the message wake up "
    "to it before it subscribes, six times, instead of Subscribe with resume: the stream fills "
    "with messages of no meaning that every reader gets.",
    marks=(Shown("a dummy message", 'tcp.payload contains "wake up" && tcp.dstport == 9292'),),
)

fault(
    "cursor_fetched_per_message",
    "The cursor is fetched for each message",
    driver=DRIVER,
    server=ONE,
    kind="waste",
    thread="liftbridge-io/liftbridge#365, #390; the loop is a variant of this repository",
    shows="A subscription of 40 messages, FetchCursor after each and SetCursor after every tenth.",
    says="FetchCursor is called for each of 40 messages to see whether it was handled already, "
    "although only this client sets the cursor: a round trip for each message for an answer that "
    "is known.",
    marks=(called("FetchCursor", skip=1),),
)

fault(
    "members_never_leave",
    "Members of a consumer group end without leaving it",
    driver=DRIVER,
    server=ONE,
    kind="churn and leak",
    thread="liftbridge-io/liftbridge#387, ClickHouse/ClickHouse#104305",
    shows="Five runs of a member of the group crew, each with a new consumer id, which just end.",
    says="A worker is restarted every two seconds: each run joins the group crew under a new "
    "random consumer id and ends without LeaveConsumerGroup, so partitions stay assigned to "
    "members that are gone and are read by no one until they time out.",
    marks=(called("JoinConsumerGroup", skip=1),),
)

fault(
    "offset_polled",
    "The newest offset is polled instead of a subscription that waits",
    driver=DRIVER,
    server=ONE,
    kind="waste",
    thread="liftbridge-io/go-liftbridge#62; the loop is a variant of this repository",
    shows="A Go client on the stubs of liftbridge-api calls FetchPartitionMetadata every 40 ms, "
    "and Subscribe for each of six messages.",
    says="FetchPartitionMetadata is called every 40 ms, some 100 times, to see whether one of six "
    "messages has come, and each is then read by a Subscribe of its own; one Subscribe would wait "
    "for them.",
    marks=(called("FetchPartitionMetadata", skip=1),),
)

near_miss(
    "waits_long",
    "A subscription waits for seconds without a message",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/go-liftbridge#62",
    shows="Three messages after six and nine seconds.",
)

near_miss(
    "starts_seconds_ago",
    "A subscription starts at a time some moments ago",
    driver=DRIVER,
    peer=PYTHON,
    server=ONE,
    thread="liftbridge-io/liftbridge#323",
    shows="python-liftbridge with a startTimestamp set by hand, in nanoseconds; four subscriptions "
    "of two messages each.",
)

near_miss(
    "members_leave",
    "Members of a consumer group leave it before they end",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge#387",
    shows="Five runs of a member of the group crew, each of which leaves it.",
)

near_miss(
    "cursors_at_start",
    "The cursor of each partition is fetched when its reader starts",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/go-liftbridge#365",
    shows="Two runs, each with three partitions: FetchCursor, four messages, SetCursor.",
)
