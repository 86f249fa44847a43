"""The frames of Parrot: one of every shape that a view has to show."""

import re

from streamshark.framing.wire_format import Evidence, Guess, Level
from streamshark.schema import (
    I64,
    REST,
    U8,
    U16,
    U64,
    UUID,
    Bits,
    FrameKind,
    FrameSchema,
    Head,
    Many,
    Record,
    Sender,
    Tail,
    field,
    part,
    raw,
    reserved,
    text,
    this,
)

HEAD = Head(
    members=(
        field("length", U16, "Bytes after this number.", unit="bytes"),
        Bits(1, part("response", 1, "Set on answers."), part("key", 7, "Which frame.", base="hex")),
    ),
    total=this.length + 2,
    key="key",
    response="response",
    least=3,
    most=4096,
    hidden=("length", "response", "key"),
)
MARKS = re.compile(rb"(?=[\x00-\x10][\x00-\xff][\x01-\x05\x81])")

CODES = {0: "ok", 1: "too_loud"}
_ID = field("correlation_id", U16, "Repeated by the answer.", role="correlates")

SAY = FrameSchema(
    name="say", key=1, kind=FrameKind.REQUEST, sender=Sender.CLIENT, doc="Says a phrase.",
    spec="here",
    since="1.0",
    body=(
        _ID,
        field("phrase", text(U8), "What is said."),
        field("volume", U8, "How loud.", names={1: "low", 2: "high"}),
        field("manner", U8, "How else.", flags={1: "slowly", 2: "twice"}),
        field("tags", Many(text(U8), count=U8), "Words that go with it."),
    ),
    shows="phrase={phrase} volume={volume} manner={manner} tags={tags:count}",
)  # fmt: skip
SAID = FrameSchema(
    name="say", key=1, kind=FrameKind.RESPONSE, sender=Sender.SERVER, doc="Answers.", spec="here",
    since="1.0",
    body=(_ID, field("code", U8, "How it went.", names=CODES, base="hex")),
    shows="code={code}",
)  # fmt: skip
LOGIN = FrameSchema(  # it has a negotiated value
    name="login", key=2, kind=FrameKind.COMMAND, sender=Sender.CLIENT, doc="Names a user.",
    spec="here",
    negotiates=True,
    body=(
        field("user", text(U8), "Who."),
        field("password", text(U8), "Of the user.", secret=True),
        Tail(field("token", raw(U8), "Instead of one.", secret=True, since="1.1")),
    ),
    shows="user={user} password={password}",
)  # fmt: skip
FEED = FrameSchema(
    name="feed", key=3, kind=FrameKind.COMMAND, sender=Sender.SERVER, doc="Gives nuts.",
    spec="here",
    body=(
        field("nut", UUID, "Which nut."),
        field("weight", I64, "How heavy.", unit="g"),
        Bits(1, part("kind", 3, "What sort.", names={1: "walnut"}), reserved(5)),
        field("shell", raw(U16, slot="shell"), "What is around it."),
        field(
            "seeds",
            Many(
                Record(
                    field("key", text(U8), "Name."),
                    field("value", text(U8), "Value."),
                ),
                claim=U8,
            ),
            "What is in it.",
        ),
    ),
    shows="weight={weight} seed={seeds.key}",
)  # fmt: skip
SQUAWK = FrameSchema(
    name="squawk", key=4, kind=FrameKind.COMMAND, sender=Sender.BOTH, doc="Noise.", spec="here",
    body=(
        field("pitch", U64, "How high.", unit="Hz"),
        field("noise", raw(REST), "What is heard."),
    ),
)  # fmt: skip
PERCH = FrameSchema(
    name="perch", key=5, kind=FrameKind.COMMAND, sender=Sender.BOTH, doc="Sits.", spec="here",
    body=(
        field(
            "branches",
            Many(
                Record(
                    field("name", text(U8, limit=8), "Name."),
                    field("tree", Record(field("height", U16, "Of it.", unit="m")), "Tree."),
                    field("years", Many(U8, count=U8), "Ages."),
                ),
                count=U8,
            ),
            "Where.",
        ),
    ),
)  # fmt: skip
PERCHED = FrameSchema(
    name="perch", key=5, kind=FrameKind.COMMAND, sender=Sender.BOTH, doc="Sits.", spec="here",
    dialect="macaw", body=(field("high", U8, "Whether it is."),),
)  # fmt: skip

FRAMES = (SAY, SAID, LOGIN, FEED, SQUAWK, PERCH, PERCHED)


def detect(evidence: Evidence) -> Guess:
    """How sure it is: any whole frame will do."""
    if evidence.commands and (evidence.lined_up or evidence.open_head):
        return Guess(Level.SURE, "frames that line up")
    return Guess(Level.NONE, "no frame")
