"""Long runs of real programs: many operations, members that come and go; nothing is wrong."""

from captures.recorders.liftbridge.clients import plays
from captures.recorders.liftbridge.setup import APART, GO, PYTHON, THREE, Facts, scenario


@scenario(
    "A quarter of a minute of work on three servers, one of which ends, by go-liftbridge",
    peer=GO,
    server=THREE,
    healthy=True,
    shows="A publisher that waits for acks, a reader that subscribes again after its last offset, "
    "a "
    "group whose members come and go, and metadata now and then; a server that is no leader of "
    "these partitions ends, and everything goes on.",
)
def long_run_go() -> Facts:
    return plays(GO, "cluster", "long")


@scenario(
    "Half a minute of work with cursors, by go-liftbridge",
    peer=GO,
    server=APART,
    healthy=True,
    shows="Publishers, readers that restart at their cursor, a partition that is paused and "
    "resumed, "
    "a stream that is read-only for a while, a group of two whose members change.",
)
def long_run_single_go() -> Facts:
    return plays(GO, "single", "long")


@scenario(
    "Half a minute of work by python-liftbridge",
    peer=PYTHON,
    server=APART,
    healthy=True,
    shows="Three programs: one publishes, one reads from the beginning again and again up to what "
    "it needs, one reads what is new; each connects once.",
)
def long_run_py() -> Facts:
    return plays(PYTHON, "long", "long")
