"""Faults and near misses of the tenth round of the blind test: see docs/checking.md."""

from captures.recorders.marks import Mark
from captures.recorders.pravega import clients
from captures.recorders.pravega.setup import NEW, Facts, scenario

JAVA = "TenthRound.java"
SHOWS = "Two recorders that append to an index on condition, and 60 events."


@scenario(
    "A conditional append is repeated at an offset that is out of date, by the Java client",
    peer=NEW,
    healthy=False,
    driver=JAVA,
    category="keys and versions",
    thread="pravega/pravega-client-rust#176",
    fault="camera-1 keeps the revision that it has after a conditional append was refused "
    "(CONDITIONAL_CHECK_FAILED), and appends at the same offset again and again: another recorder "
    "has made the index longer, so that none can succeed. It has to fetch the latest revision.",
    shows=SHOWS,
    marks=(Mark(None, "server", rb"^\x00\x00\x00\x08"),),
)
def bug_revision_never_fetched_again_java() -> Facts:
    return clients.drive(NEW, "TenthRound", "revision_kept")


@scenario(
    "A conditional append is repeated at the end of the index, by the Java client",
    peer=NEW,
    healthy=True,
    driver=JAVA,
    thread="pravega/pravega-client-rust#176",
    shows=SHOWS,
)
def revision_fetched_again_java() -> Facts:
    return clients.drive(NEW, "TenthRound", "revision_fetched_again")
