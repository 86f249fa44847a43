"""What the command line says of captures, and what a folder of tables says, in one form."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.session import Session
from streamshark.views.conversations import conversation_dict
from streamshark.views.display_options import DisplayOptions
from streamshark.views.findings import finding_dict
from streamshark.views.json import JsonRows
from streamshark.views.times import Rfc3339

TRIES = 10
"""How often a query is started where Python does not start in time."""


def to_the_end(start: Callable[[], StreamingQuery]) -> None:
    """Run a query until it has ended by itself.

    Spark waits 10 s for each process of Python, which no setting changes (`PythonWorkerFactory` of
    4.3); on a machine with much else to do that is little, so the query is started again.
    """
    for left in reversed(range(TRIES)):
        try:
            start().awaitTermination()
        except StreamingQueryException as error:
            if not left or not is_late(error):
                raise
        else:
            return


def is_late(error: Exception | None) -> bool:
    """Whether a query has failed since Python did not start in time."""
    return error is not None and "failed to connect back" in str(error)


class Said(NamedTuple):
    """Frames, conversations and findings, each as JSON texts that can be compared."""

    frames: list[str]
    conversations: list[str]
    findings: list[str]


def by_one_machine(paths: Iterable[str]) -> Said:
    """What `read`, `conversations` and `check` say, with sizes of bodies."""
    session = Session(sorted(paths))
    names = [each.name for each in session.captures]
    analysis = session.analysis(rules=True, conversations=True)
    rows = JsonRows(DisplayOptions(bodies="size"), names, layers=session.layers)
    hide = SecretMask(session.layers).row
    frames = [_row(json.loads(rows.row(hide(each))), each) for each in analysis.rows()]
    time = Rfc3339()
    return Said(
        sorted(frames),
        sorted(_text(_identified(conversation_dict(each, time))) for each in analysis.ended()),
        sorted(_text(finding_dict(each, names)) for each in analysis.findings()),
    )


def _row(told: dict[str, Any], row: Row) -> str:
    number = row.connection.flow.number
    assert isinstance(row, FrameRow | EventRow)
    return _text({**_identified(told), "packet": row.packet, "flow": number, "offset": row.offset})


def _identified(told: dict[str, Any]) -> dict[str, Any]:
    """What is told, with the correlation id as tables have it."""
    identity = told["correlation_id"]
    return {**told, "correlation_id": None if identity is None else str(identity)}


def by_tables(known: dict[str, DataFrame]) -> Said:
    """The same of the tables of a folder."""
    names = ("frames", "conversations", "findings")
    return by_rows(
        {name: [row.asDict(recursive=True) for row in known[name].collect()] for name in names}
    )


def by_rows(known: Mapping[str, Iterable[dict[str, Any]]]) -> Said:
    """The same of rows."""
    return Said(
        sorted(map(_frame, known["frames"])),
        sorted(map(_conversation, known["conversations"])),
        sorted(map(_finding, known["findings"])),
    )


def _frame(row: dict[str, Any]) -> str:
    told = _without(row, "date", "side", "part_of")
    told["fields"], told["context"] = json.loads(told["fields"]), json.loads(told["context"])
    told["time"] = Rfc3339()(told["time_ns"])
    return _text(told)


def _conversation(row: dict[str, Any]) -> str:
    told = _without(row, "date", "start_ns", "protocol", "parent", "links")
    told["start"] = Rfc3339()(row["start_ns"])
    return _text(told)


def _finding(row: dict[str, Any]) -> str:
    told = _without(row, "date", "time", "time_ns")
    told["echoes"] = json.loads(told["echoes"])
    return _text(told)


def _without(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def _text(told: dict[str, Any]) -> str:
    return json.dumps(told, sort_keys=True)
