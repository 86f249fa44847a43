"""Faults and near misses of the blind test: see docs/checking.md."""

from captures.recorders.liftbridge.threads import PYTHON, called, fault, near_miss

fault(
    "readonly_ignored",
    "Publishes go on although the stream is read-only",
    driver="blind",
    kind="the server's own error text ignored",
    thread="liftbridge-io/go-liftbridge#82, liftbridge-io/liftbridge-api#37",
    shows="The stream has been made read-only; eight messages are published to it by Publish, each "
    "is refused, and the program does not look at the error.",
    says="Eight publishes to a read-only stream are refused and none is stored; the publisher goes "
    "on regardless.",
    marks=(called("Publish"),),
)

fault(
    "reads_foreign_partition",
    "A member of a group reads what is assigned to another",
    driver="blind",
    kind="mismatch between sides",
    thread="liftbridge-io/liftbridge#46, docs: consumer groups",
    shows="Two members of the group crew: the server assigns one partition to each. The first one "
    "ignores that and subscribes both, without the group in its request: the messages of the other "
    "partition are processed twice.",
    says="Consumer one was assigned one partition of jobs and subscribes the other one too, "
    "outside "
    "the group: two consumers read it.",
    marks=(called("Subscribe", skip=2),),
)

fault(
    "created_every_time",
    "The stream is created before each publish",
    driver="blind",
    peer=PYTHON,
    kind="waste",
    thread="python-liftbridge README (ErrStreamExists: pass)",
    shows="create_stream before each of ten publishes, as the library's example does; nine times "
    "ALREADY_EXISTS, which is ignored.",
    says="CreateStream is called before each publish and refused nine times (the stream exists): "
    "create it once, at the start.",
    marks=(called("CreateStream", skip=1),),
)

near_miss(
    "member_takes_over",
    "A member leaves its group and another takes over",
    driver="blind",
    thread="liftbridge-io/liftbridge#387",
    shows="Two members with ids of their own share the partitions; one leaves, the other is "
    "assigned "
    "both and subscribes the second.",
)

near_miss(
    "reads_on",
    "A subscription is cancelled, and the next one goes on",
    driver="blind",
    thread="liftbridge-io/liftbridge#51",
    shows="Three subscriptions of one client, one after the other, each cancelled after two "
    "messages "
    "and each beginning at the next offset.",
)
