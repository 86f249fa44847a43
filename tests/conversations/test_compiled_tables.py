"""Compiled tables as bytes: a store, and programs of several processes that use it."""

from tests.conversations.dialogue import CLIENT, SERVER, Talk, rule
from tests.conversations.test_prune import HELD, TABLES
from tests.framing.parcel_protocol import WIRE, send, signed

from streamshark.conversations.engine_state import ProtocolTables
from streamshark.conversations.prune import NeededTables, Requested
from streamshark.conversations.tables import Derived

LATER = rule("send", "box.times >= 2", message="seen {box.times} times")
TIMES = Derived(name="times", on="send", value="box.times", text="{}", doc="")


class Store:
    """What some processes have kept, as one of them sees it."""

    def __init__(self, kept: dict[Requested, bytes]) -> None:
        self.kept = kept
        self.made: dict[Requested, NeededTables] = {}
        self.unfolded = None
        self.saved = 0

    def load(self, wanted: Requested) -> bytes | None:
        """See `TableStore`."""
        return self.kept.get(wanted)

    def save(self, wanted: Requested, data: bytes) -> None:
        """See `TableStore`."""
        self.kept[wanted] = data
        self.saved += 1


def talk(store: Store, *, in_full: bool = False) -> Talk:
    """A conversation in a process of its own."""
    made = Talk((), in_full=in_full)
    tables = (*TABLES, TIMES)
    made.engine.tables = {WIRE.id: ProtocolTables(WIRE, tables, (HELD, LATER), store=store)}
    return made


def test_each_process_adds_the_handlers_that_it_meets() -> None:
    """And saves nothing where it meets no new ones; other needs have bytes of their own."""
    kept: dict[Requested, bytes] = {}
    saved, found, derived = [], [], []
    for answers, in_full in ((0, False), (1, False), (1, False), (1, True)):
        store = Store(kept)
        process = talk(store, in_full=in_full)
        for _ in range(2):
            process.say(CLIENT, send(7))
        for _ in range(answers):
            process.say(SERVER, signed(7))
        row = process.say(CLIENT, send(7))
        derived.append([(each.table.name, each.value) for each in row.derived])  # type: ignore[attr-defined]
        process.end()
        saved.append(store.saved)
        found.append([each.message for each in process.findings()])

    assert saved == [1, 1, 0, 1]
    assert len(kept) == 2
    assert found[1] == found[2] == found[3]
    assert found[:2] == [["seen 2 times"], ["seen 3 times"]]
    assert derived[0] == [("times", 3)]
    assert derived[1] == derived[2] == derived[3] == [("times", 4)]
