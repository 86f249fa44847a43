"""Compiled tables as bytes: what one process has resolved and generated, others need not again.

Beside the resolved tables these are the code of the handlers that were needed so far. The tables
themselves are not in the bytes but numbers of them, so the reader must have equal ones.
"""

import marshal
import pickle
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from streamshark.conversations.prune import (
    NeededTables,
    Requested,
    TableStore,
    selection_of,
)
from streamshark.conversations.resolve import model_of
from streamshark.conversations.tables import Derived
from streamshark.conversations.unfolding import unfolded

if TYPE_CHECKING:
    from streamshark.conversations.engine_state import ProtocolTables


def kept_tables(
    tables: "ProtocolTables",
    store: TableStore,
    request: Callable[[Sequence[Derived]], Requested],
) -> NeededTables:
    """Return the part of a protocol's tables that a reading needs, from the store if it has it.

    Args:
        tables: The tables of the protocol.
        store: Where they are kept.
        request: Returns what the reading needs, given the derived values that there are.
    """
    if store.unfolded is None:  # slow, and the same for all readings
        store.unfolded = unfolded(tables.conversations, tables.watches)
    known = store.unfolded
    wanted = request([each for each in known[0] if isinstance(each, Derived)])
    found = store.made.get(wanted)
    if found is None:
        data = store.load(wanted)
        if data is None:
            given = tables.conversations, tables.watches, tables.embedded_records
            model = model_of(tables.wire, *given)
            found = selection_of(model, wanted)
            found.codes = {}
        else:
            found = _restored(data, [tables.wire, *tables.embedded_records, *known[0], *known[1]])
        store.made[wanted] = found
    return found


def keep(chosen: NeededTables, store: TableStore) -> None:
    """Store compiled tables, if this process has generated code that the store does not have."""
    if not chosen.has_new_code:
        return
    chosen.has_new_code = False
    codes = {
        key: code if isinstance(code, bytes) else marshal.dumps(code)
        for key, code in (chosen.codes or {}).items()
    }
    packed = BytesIO()
    _TablePickler(packed, chosen.model.sources).dump(chosen)
    members = packed.getvalue(), chosen.facts, chosen.adapter.gathered, codes
    store.save(chosen.wanted, marshal.dumps(members))


def _restored(data: bytes, sources: list[object]) -> NeededTables:
    """Return compiled tables, given what they were made of."""
    packed, facts, gathered, codes = marshal.loads(data)  # noqa: S302 - of the store
    chosen: NeededTables = _TableUnpickler(BytesIO(packed), sources).load()
    chosen.model.sources = sources
    chosen.facts, chosen.codes = facts, codes
    chosen.adapter.gathered.update(gathered)
    return chosen


class _TablePickler(pickle.Pickler):
    """Writer of compiled tables, with numbers in place of what they were made of."""

    def __init__(self, file: BytesIO, sources: Sequence[object]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._numbers = {id(each): number for number, each in enumerate(sources)}

    def persistent_id(self, obj: object) -> int | None:
        """Return the number of an object that is not written; None for others."""
        return self._numbers.get(id(obj))


class _TableUnpickler(pickle.Unpickler):
    """Reader of compiled tables."""

    def __init__(self, file: BytesIO, sources: Sequence[object]) -> None:
        super().__init__(file)
        self._sources = sources

    def persistent_load(self, pid: Any) -> object:  # noqa: ANN401 - as of the class
        """Return the object with a number."""
        return self._sources[pid]
