"""What programs do with messages that they read: results, copies, order, stored offsets, groups.

The first frames of each publisher and subscription are compared. `findings/handling.py` has the
rules.
"""

from typing import Final

from streamshark.conversations.tables import Action, Constant, Lifecycle, Table

CONSTANTS: Final = (
    Constant(name="AT_THE_START", value="20 ms",
             doc="Time after the answer to Subscribe in which a client may have no consumer yet."),
    Constant(name="SMALL_FRAME", value=4096, doc="Bytes of a frame whose messages are compared."),
    Constant(name="HANDLED", value=64, doc="Publish frames of a publisher that are compared."),
    Constant(name="TAKEN", value=128, doc="Chunks of a subscription that are compared."),
    Constant(name="ORDERED", value=160, doc="Messages of a stream whose numbers are compared."),
    Constant(name="TELLING_STEP", value=512, doc="Bytes of a message whose number is compared."),
    Constant(name="ABSENT_AT_ONCE", value=2, doc="Offsets without a message between two chunks."),
    Constant(name="ABSENT_LIMIT", value=2, doc="Stored offsets that no message has."),
    Constant(name="RESULTS", value=256, doc="Messages of an address that may be results."),
    Constant(name="CAME_BACK", value=4, doc="Messages that come back to their stream."),
    Constant(name="TELLING_COPY", value=16, doc="Bytes of messages not equal by chance."),
)  # fmt: skip

PUBLISHED: Final = "coalesce(pub.handled, 0) < HANDLED and size < SMALL_FRAME"
"""One of the first Publish frames of a publisher."""
ORDERING: Final = f"{PUBLISHED} and coalesce(pub.stepped, 0) < ORDERED"
"""One of the first Publish frames of a publisher, with one of its first messages."""
READ: Final = "coalesce(sub.handled, 0) < TAKEN and size < SMALL_FRAME"
"""One of the first chunks of a subscription."""

PLACES: Final[tuple[Table, ...]] = (
    Action(
        on="deliver",
        when="0 < chunk.chunk_id - sub.next <= ABSENT_AT_ONCE and sub.selects is None",
        do="put(sub.absent, sub.next); put(sub.absent, chunk.chunk_id - 1)",
    ),
    Action(
        on="store_offset",
        each="sub",
        when="sub.stream == stream and has(sub.absent, fields.offset)",
        do="sub.wrong = coalesce(sub.wrong, 0) + 1; sub.wrong_offset = fields.offset; "
        "sub.wrong_n = coalesce(sub.wrong_n, n); sub.last_wrong_n = n; "
        "sub.wrong_name = fields.reference",
    ),
)
"""Offsets that no message has, and those that are stored; before `sub.next` is moved on."""

ORDER: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="course",
        scope="capture",
        doc="The first messages of a stream, and whether it has several publishers.",
        key={"publish": f"(conn.vhost, pub.stream) if {ORDERING} else None"},
        most=1024,
    ),
    Action(
        on="publish",
        items="published_messages",
        when=f"{ORDERING} and coalesce(count(course.steps), 0) < ORDERED and "
        "len(published_messages.message) < TELLING_STEP",
        do="put(course.steps, (n, t, flow, published_messages.message))",
    ),
    Action(
        on="publish",
        when=ORDERING,
        do="course.several = 1 if course.flow is not None and course.flow != flow "
        "else course.several; course.flow = flow",
    ),
    Action(
        on="publish",
        when=ORDERING,
        do="pub.stepped = coalesce(pub.stepped, 0) + len(published_messages)",
    ),
)
"""In which order messages are published by several connections."""

RESULTS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="plant",
        scope="capture",
        doc="What the programs of an address read and publish.",
        key={
            "deliver": f"client if {READ} else None",
            "publish": f"client if {PUBLISHED} else None",
            "end:sub": "client",
        },
        most=1024,
    ),
    Lifecycle(
        name="intake",
        scope="capture",
        doc="What an address has received of a stream since it resumed it, and before.",
        key={
            "deliver": f"(client, conn.vhost, sub.stream) if {READ} else None",
            "end:sub": "(client, conn.vhost, sub.stream)",
            "store_offset subscribe": "(client, conn.vhost, stream)",
        },
        most=1024,
    ),
    Action(
        on="subscribe",
        when="offset_type == 4 and fields.offset == intake.stored + 1",
        do="intake.before = intake.items; intake.before_stored = intake.stored; "
        "intake.before_n = intake.stored_n; intake.again_n = n; intake.again_flow = flow; "
        "intake.items = None; intake.stored = None",
    ),
    Action(
        on="subscribe",
        when="offset_type in (2, 5) and intake.several is None",
        do="sub.left_off = intake.stored; sub.left_off_n = intake.stored_n",
    ),
    Action(
        on="store_offset",
        do="intake.several = 1 if intake.stored_by is not None and "
        "intake.stored_by != fields.reference else intake.several; "
        "intake.stored_by = fields.reference; intake.stored = fields.offset; "
        "intake.stored_n = n",
    ),
    Action(
        on="deliver",
        when=f"{READ} and plant.publishes == 1",
        do="put(intake.items, (chunk.chunk_id, n, first(chunk.entries.data)) "
        "if (sub.offset_type != 4 or chunk.chunk_id >= sub.wanted) and "
        "coalesce(count(intake.items), 0) < RESULTS else None); "
        "put(plant.read, digest(first(chunk.entries.data)) "
        "if coalesce(count(plant.read), 0) < ORDERED else None)",
    ),
    Action(on="deliver", when=READ, do="sub.handled = coalesce(sub.handled, 0) + 1"),
)
"""Messages with an id; `COPIES` adds the results that refer to it."""

COPIES: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="source",
        scope="capture",
        doc="The first messages of a stream: new ones, and those that come back.",
        key={"publish": f"(conn.vhost, pub.stream) if {PUBLISHED} else None"},
        most=1024,
    ),
    Action(
        on="publish",
        when=PUBLISHED,
        do="pub.now = digest(first(published_messages.message)) "
        "if len(first(published_messages.message)) >= TELLING_COPY else None; "
        "plant.publishes = 1; "
        "put(plant.results, first(published_messages.message) "
        "if coalesce(count(plant.results), 0) < RESULTS else None); "
        "pub.is_copy = None if pub.now is None else 1 if has(plant.read, pub.now) else 0; "
        "pub.makes = 1 if pub.is_copy == 0 else pub.makes; "
        "put(source.new, pub.now if pub.is_copy == 0 else None); "
        "put(plant.passed, pub.now if pub.is_copy == 1 and pub.makes is None and "
        "not has(source.new, pub.now) else None); "
        "put(source.back, pub.now if pub.is_copy == 1 and pub.makes is None and "
        "has(source.new, pub.now) and has(plant.passed, pub.now) else None)",
    ),
    Action(on="publish", when=PUBLISHED, do="pub.handled = coalesce(pub.handled, 0) + 1"),
)
"""Results, and messages that are published again by a client that has read them."""

_GROUP_OF: Final = (
    "(conn.vhost, sub.stream, sub.reference) if sub.single == 'true' and "
    "sub.reference is not None else None"
)
GROUPS: Final[tuple[Table, ...]] = (
    Lifecycle(
        name="bench",
        scope="capture",
        doc="How many members a group of single active consumers has.",
        key={"subscribe_response end:sub": _GROUP_OF},
        most=4096,
    ),
    Action(
        on="subscribe_response",
        when="response_code == 1",
        do="bench.members = coalesce(bench.members, 0) + 1; bench.latest_n = req.n; sub.seated = 1",
    ),
    Action(
        on="end:sub",
        when="sub.seated == 1",
        do="bench.members = bench.members - 1; bench.left_t = t",
    ),
)
"""Members of groups that wait."""

FIRST_CHUNKS: Final[tuple[Table, ...]] = (
    Action(on="subscribe_response", when="response_code == 1", do="sub.begun_t = t"),
    Action(
        on="credit",
        when="sub.late_n is None and sub.early > 0",
        do="sub.early = None; sub.begun_t = None",
    ),
    Action(
        on="deliver",
        when="sub.late_n is None and t - sub.begun_t < AT_THE_START",
        do="sub.early = coalesce(sub.early, 0) + 1; sub.early_n = coalesce(sub.early_n, n)",
    ),
    Action(
        on="deliver",
        when="sub.late_n is None and sub.early > 0 and t - sub.begun_t >= AT_THE_START",
        do="sub.late_n = n",
    ),
)
"""Chunks that come with the answer to Subscribe, and get no Credit before a later one comes."""

HANDLING: Final[tuple[Table, ...]] = (
    *CONSTANTS, *ORDER, *RESULTS, *COPIES, *GROUPS, *FIRST_CHUNKS,
)  # fmt: skip
"""Added to the tables of `conversations`; `PLACES` come before the others."""
