"""Faults and near misses of the second round of the blind test: see docs/checking.md."""

from captures.recorders.liftbridge.threads import ONE, PYTHON, Shown, called, fault, near_miss

DRIVER = "second_round"

fault(
    "back_to_partition_zero",
    "After a lost connection a subscription of partition 2 goes on in partition 0",
    driver=DRIVER,
    server=ONE,
    kind="identity",
    thread="liftbridge-io/go-liftbridge#110",
    shows="A Go client on the stubs of liftbridge-api reads four messages of partition 2; after "
    "each of two lost connections it subscribes partition 0 at the next offset.",
    says="The subscription of partition 2 of sensors is made again on a new connection with the "
    "next offset of partition 2, but for partition 0: the rest of partition 2 is never read, and "
    "messages of another partition are.",
    marks=(called("Subscribe", skip=1),),
)

fault(
    "key_to_two_partitions",
    "Messages of one key go to different partitions",
    driver=DRIVER,
    server=ONE,
    kind="mismatch between sides",
    thread="liftbridge-io/go-liftbridge#53, #54",
    shows="A Go client on the stubs of liftbridge-api publishes 18 messages with three keys, and "
    "chooses the partition by key and number.",
    says="Messages with the same key (account-0, account-1, account-2) are published to partitions "
    "0, 1 and 2 in turn: their order is lost, and compaction keeps more than one message of a key.",
    marks=(called("Publish", skip=1),),
)

fault(
    "metadata_before_each_publish",
    "Metadata is fetched before each publish",
    driver=DRIVER,
    peer=PYTHON,
    server=ONE,
    kind="waste",
    thread="liftbridge-io/go-liftbridge#87 (metadata fetched too often)",
    shows="FetchMetadata and Publish in turn, 25 times.",
    says="FetchMetadata for everything is called before each of 25 publishes although nothing "
    "changed: half of all calls are for nothing.",
    marks=(called("FetchMetadata", skip=1),),
)

fault(
    "cursor_per_message",
    "The cursor is stored after each message",
    driver=DRIVER,
    server=ONE,
    kind="waste",
    thread="liftbridge-io/liftbridge#214 (cursors); the ratio is a variant of this repository",
    shows="A subscription of 40 messages, and SetCursor after each of them.",
    says="SetCursor after each of 40 messages: every message read costs a message written to the "
    "cursors stream and a round trip.",
    marks=(
        called("SetCursor", skip=1),
        Shown("a cursor", 'tcp.payload contains "worker" && tcp.dstport == 9292', skip=1),
    ),
)

fault(
    "subscribes_per_message",
    "A subscription for each message",
    driver=DRIVER,
    server=ONE,
    kind="churn and leak",
    thread="liftbridge-io/go-liftbridge#11 (clients that track their position themselves); the "
    "loop is a variant of this repository",
    shows="A Go client on the stubs of liftbridge-api reads 25 messages by 25 subscriptions, each "
    "cancelled after one message.",
    says="Subscribe at one offset, one message, cancel, Subscribe at the next offset: 25 "
    "subscriptions for 25 messages that were stored before.",
    marks=(called("Subscribe", skip=1),),
)

fault(
    "correlation_id_constant",
    "All messages in flight have one correlation id",
    driver=DRIVER,
    server=ONE,
    kind="sequences",
    thread="docs: client implementation, PublishAsync (correlationId matches acks to messages); "
    "liftbridge-io/liftbridge#347",
    shows="A Go client on the stubs of liftbridge-api sends 12 messages on PublishAsync before it "
    "reads an ack.",
    says="Twelve messages are in flight on PublishAsync with the same correlation id, order: the "
    "acks cannot be told apart, and a lost message would not be noticed.",
    marks=(Shown("messages of PublishAsync", 'tcp.payload matches "order 1[0-9]?"'),),
)

near_miss(
    "goes_on_in_its_partition",
    "After a lost connection a subscription goes on in its partition",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/go-liftbridge#110",
    shows="A Go client on the stubs of liftbridge-api reads four messages of partition 2, and two "
    "more after each of two lost connections.",
)

near_miss(
    "keys_in_partitions",
    "Keyed messages, each key in its partition",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/go-liftbridge#54",
    shows="18 messages with three keys, whose partition the library chooses by the key.",
)

near_miss(
    "cursor_per_ten",
    "The cursor is stored after every tenth message",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge#214",
    shows="A subscription of 40 messages, and SetCursor four times.",
)
