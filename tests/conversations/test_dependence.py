"""What of tables depends on objects that connections share."""

from typing import Any

from tests.conversations.dialogue import rule
from tests.framing.parcel_protocol import WIRE

from streamshark.conversations.dependence import Dependence
from streamshark.conversations.prune import NeededTables, Requested
from streamshark.conversations.resolve import ResolvedTables
from streamshark.conversations.tables import Action, Burst, Lifecycle, Pair, Timer

HOUSE = Lifecycle(name="house", scope="capture", key={"send": "server, address"})
BOX = Lifecycle(name="box", scope="connection", key={"send send_response": "correlation_id"})
SEEN = Action(on="send", do="house.seen = coalesce(house.seen, 0) + 1; conn.sent = n")
WANTED = Requested(
    conversations=False, links=False, watched=True, annotates=False, in_full=False, derived=()
)


def dependence(*tables: Any, rules: tuple[Any, ...]) -> Dependence:  # noqa: ANN401 - tables
    """That of some tables."""
    return NeededTables(ResolvedTables(WIRE, tables, rules), WANTED).dependence


def test_slots_depend_on_what_they_are_assigned_from() -> None:
    """From one to the next, and under a condition."""
    found = dependence(
        HOUSE, BOX, SEEN,
        Action(on="send", do="box.first = house.seen; box.plain = n"),
        Action(on="send_response", when="box.first == 1", do="conn.known = n"),
        rules=(
            rule("send_response", "conn.known > 0 and box.plain > 0 and conn.sent > 0"),
            rule("send", "conn.sent is None"),
            rule("send", "len(address) == 1"),
            rule("send", "house.seen > 1"),
        ),
    )  # fmt: skip
    assert found.slots == {("box", "first"), ("conn", "known")}
    told = [found.of_watch(each) for each in found.chosen.model.watches]
    assert told == [True, False, False, True]
    assert (found.reasons, found.is_joint) == ([], False)


def test_bursts_of_a_connection_are_its_own() -> None:
    """Those whose key begins with its number."""
    window: dict[str, Any] = {"on": "send", "window": "1 s", "limit": 3}
    found = dependence(
        Burst(name="own", key="flow, address", **window),
        Burst(name="shared", key="address, flow", **window),
        rules=(rule("repeat:own"), rule("repeat:shared")),
    )
    assert found.bursts == {1}
    assert [found.of_watch(each) for each in found.chosen.model.watches] == [False, True]


def test_what_must_be_judged_together_has_reasons() -> None:
    """States, timers and requests that depend on other connections."""
    joint = Pair(name="p", request="send", answers="send_response", scope="capture")
    late = Timer(name="late", of="conn", on="send", limit="1 s", when="house.seen > 1")
    found = dependence(
        HOUSE, SEEN, joint, late, rules=(rule("timer:late"), rule("send", "house.seen > 1"))
    )
    assert found.is_joint
    assert found.reasons == [
        "requests of p are answered on other connections",
        "timer late depends on shared objects",
    ]
    gathering = Lifecycle(name="house", scope="capture", key=HOUSE.key, gathers=True)
    found = dependence(gathering, SEEN, rules=(rule("send", "house.seen > 1"),))
    assert (found.shared, found.reasons) == (frozenset(), ["connections may share a house"])
