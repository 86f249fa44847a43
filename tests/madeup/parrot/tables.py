"""What Parrot's frames mean to each other, and one rule."""

from streamshark.conversations.tables import (
    Action,
    Constant,
    Context,
    Lifecycle,
    Pair,
    Timer,
    Transition,
)
from streamshark.findings.finding import Group, Severity
from streamshark.findings.rule import Rule

CONVERSATIONS = (
    Pair(name="say", request="say", answers="say_response", keep="phrase", failed="code != 0"),
    Lifecycle(
        name="flock", scope="connection", type="flock",
        key={"feed": "nut"},
        steps=(Transition("absent unknown", "feed", "fed"),),
        starts={"feeds": 0}, measures={"feeds": "flock.feeds"},
    ),
    Action(on="login", do="conn.user = user"),
    Action(on="feed", do="flock.feeds = flock.feeds + 1"),
    Context(name="user", value="conn.user"),
    Constant(name="HUNGRY", value="2 s", doc="Time after which a parrot squawks."),
    Timer(name="hunger", of="conn", on="login", limit="HUNGRY", clear="feed"),
)  # fmt: skip

RULES = (
    Rule(
        id="PRT-1", severity=Severity.WARNING, group=Group.RESPONSE, title="too loud",
        on="say_response", when="code == 1", needs="", evidence="req.n, n",
        message="{req.phrase} is {code:name}", cause="A loud parrot.", source="tests/madeup/parrot",
    ),
    Rule(
        id="PRT-2", severity=Severity.NOTE, group=Group.SEQUENCE, title="hungry",
        on="timer:hunger", needs="start both", evidence="C.last_n",
        message="{conn.user} was not fed for {HUNGRY:time}", cause="", source="tests/madeup/parrot",
    ),
)  # fmt: skip
