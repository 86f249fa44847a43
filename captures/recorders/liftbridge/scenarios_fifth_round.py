"""Faults and near misses of the fifth round of the blind test: see docs/checking.md."""

from captures.recorders.liftbridge.threads import ONE, PYTHON, Shown, called, fault, near_miss

DRIVER = "fifth_round"
TO_SERVER = "tcp.dstport == 9292 && tcp.payload"

fault(
    "group_starts_over",
    "The member of a group starts at the beginning in each run",
    driver=DRIVER,
    server=ONE,
    kind="sequences",
    thread="liftbridge-io/liftbridge#46, #307",
    shows="Five runs of the only member of a group.",
    says="The consumer of the group sorters starts at the earliest message and makes no "
    "checkpoints: no cursor is ever set, so each of its five runs subscribes from the earliest "
    "message and handles everything again.",
    marks=(called("Subscribe", skip=2),),
)

near_miss(
    "group_goes_on",
    "The member of a group goes on at its checkpoints in each run",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge#46",
    shows="Five runs of the only member of a group.",
)

fault(
    "assignments_polled",
    "The assignments of a group are asked for every 15 ms",
    driver=DRIVER,
    server=ONE,
    kind="waste",
    thread="liftbridge-io/liftbridge#307, #387",
    shows="A member of a group for six seconds, on the stubs of liftbridge-api.",
    says="The member asks for its assignments every 15 ms, some 350 times in six seconds, and "
    "nothing changes; the answer to JoinConsumerGroup gives it 5 s, within which one question is "
    "enough.",
    marks=(called("FetchConsumerGroupAssignments", skip=1),),
)

fault(
    "cursor_of_the_deleted_stream",
    "A cursor is older than the stream",
    driver=DRIVER,
    server=ONE,
    kind="sequences",
    thread="liftbridge-io/liftbridge#319, #214 (cursors); the deletion is a variant of this "
    "repository",
    shows="A stream that is created three times, and a reader with a cursor.",
    says="The stream tickets is deleted and created again for each event, but the cursor of the "
    "printer stays at 25: it subscribes at offset 26 of a stream that begins at 0, and the tickets "
    "of the second and third event are never printed.",
    marks=(called("Subscribe", skip=1),),
)

near_miss(
    "cursor_set_back",
    "A cursor is set back when its stream is made again",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge#319",
    shows="A stream that is created three times, and a reader with a cursor.",
)

fault(
    "key_with_the_time",
    "Each message of a compacted stream has a key of its own",
    driver=DRIVER,
    server=ONE,
    kind="waste",
    thread="liftbridge-io/liftbridge#55, #60 (compaction); the key is a variant of this repository",
    shows="120 states of six machines.",
    says="The stream machine-states is compacted, which keeps the newest message of each key, but "
    "the key has the time in it: no key comes twice, so nothing can ever be removed, and a reader "
    "gets 120 states of six machines.",
    marks=(Shown("a Publish whose key has the time", f'{TO_SERVER} matches "machine-[0-9]@"'),),
)

near_miss(
    "key_of_the_machine",
    "The messages of a compacted stream have the keys of six machines",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge#55",
    shows="120 states of six machines.",
)

fault(
    "subject_of_no_partition",
    "A publisher over NATS counts six partitions where the stream has four",
    driver=DRIVER,
    server=ONE,
    kind="mismatch between sides",
    thread="liftbridge-io/liftbridge#81, #91 (partitions and their subjects)",
    shows="60 messages by nats.go, and a reader of four partitions by go-liftbridge.",
    says="The stream trips has four partitions, whose subjects are trips, trips.1, trips.2 and "
    "trips.3; the publisher takes the number modulo six: what goes to trips.4 and trips.5 is "
    "received by nothing, a third of all trips.",
    marks=(Shown("a PUB to no partition", 'tcp.payload matches "PUB trips[.][45] "'),),
)

near_miss(
    "subjects_of_four_partitions",
    "A publisher over NATS uses the subjects of the four partitions",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge#81",
    shows="60 messages by nats.go, and a reader of four partitions by go-liftbridge.",
)

fault(
    "checksum_of_another_polynomial",
    "The checksum of an envelope is CRC-32 instead of CRC-32C",
    driver=DRIVER,
    server=ONE,
    kind="second layer",
    thread="docs of Liftbridge (envelope protocol, CRC-32C)",
    shows="25 envelopes by nats.go, with the checksum by hand.",
    says="The envelopes that gauge-driver publishes over NATS have a checksum by the polynomial of "
    "Ethernet instead of Castagnoli's: the server does not accept them as envelopes, stores them "
    "with their envelope as the value, without key, and sends no ack.",
    marks=(Shown("a PUB of an envelope", 'tcp.payload contains "PUB gauges "'),),
)

near_miss(
    "checksum_of_castagnoli",
    "Envelopes over NATS have checksums",
    driver=DRIVER,
    server=ONE,
    thread="docs of Liftbridge (envelope protocol, CRC-32C)",
    shows="25 envelopes by nats.go, with the checksum by hand.",
)

fault(
    "replicas_of_production",
    "A stream is to have more replicas than there are servers",
    driver=DRIVER,
    peer=PYTHON,
    server=ONE,
    kind="storms and loops",
    thread="liftbridge-io/liftbridge#137 (replicas and servers); the loop is a variant of this "
    "repository",
    shows="CreateStream, refused 15 times.",
    says="CreateStream asks for three replicas where one server is; it is refused each time, and "
    "the client repeats the same call fifteen times, which cannot succeed.",
    marks=(called("CreateStream"),),
)

near_miss(
    "replicas_adapted",
    "A stream of three replicas is refused, and made with one",
    driver=DRIVER,
    peer=PYTHON,
    server=ONE,
    thread="liftbridge-io/liftbridge#137",
    shows="CreateStream twice, and 20 messages.",
)

fault(
    "publishes_into_its_own_stream",
    "A program publishes into the stream it reads",
    driver=DRIVER,
    server=ONE,
    kind="storms and loops",
    thread="a variant of this repository (feedback)",
    shows="Twelve events, and the program that enriches them.",
    says="The enriching program subscribes events and publishes each message with a header more to "
    "events again: it gets its own messages, and twelve events become some hundreds.",
    marks=(Shown("a Publish of what was read", f'{TO_SERVER} contains "country"'),),
)

near_miss(
    "publishes_into_another_stream",
    "A program publishes what it reads into another stream",
    driver=DRIVER,
    server=ONE,
    thread="a variant of this repository",
    shows="Twelve events, and the program that enriches them.",
)

fault(
    "stream_name_per_run",
    "Each run attaches another stream to the same subject",
    driver=DRIVER,
    peer=PYTHON,
    server=ONE,
    kind="churn and leak",
    thread="liftbridge-io/liftbridge#81 (streams on one subject repeat the work), "
    "liftbridge-io/go-liftbridge#83",
    shows="Eight runs of a program that publishes six messages.",
    says="Each of eight runs creates a stream with the time in its name, all of them on the "
    "subject payments: none is deleted, and each message is stored once in each stream that is "
    "there, eight times at the end.",
    marks=(called("CreateStream", skip=1),),
)

near_miss(
    "stream_name_fixed",
    "Each run finds the stream that the first one made",
    driver=DRIVER,
    peer=PYTHON,
    server=ONE,
    thread="dgzlopes/python-liftbridge",
    shows="Eight runs of a program that publishes six messages.",
)

near_miss(
    "long_day_go",
    "Members of a group come, leave and come back, beside a compacted stream and its reader",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/go-liftbridge (examples)",
    shows="Half a minute of a group of three members, a stream that is paused once, and a reader "
    "with a cursor that is restarted.",
)
