"""What the command line says of captures, and what a folder of tables says, in one form."""

import json
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame
from pyspark.sql import Row as SparkRow
from pyspark.sql.streaming.query import StreamingQuery

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
    frames = [_row(json.loads(rows.row(each)), each) for each in analysis.rows()]
    time = Rfc3339()
    return Said(
        sorted(frames),
        sorted(_text(conversation_dict(each, time)) for each in analysis.ended()),
        sorted(_text(finding_dict(each, names)) for each in analysis.findings()),
    )


def _row(told: dict[str, Any], row: Row) -> str:
    number = row.connection.flow.number
    assert isinstance(row, FrameRow | EventRow)
    identity = told["correlation_id"]
    told["correlation_id"] = None if identity is None else str(identity)
    return _text({**told, "packet": row.packet, "flow": number, "offset": row.offset})


def by_tables(known: dict[str, DataFrame]) -> Said:
    """The same of the tables of a folder."""
    return Said(
        sorted(map(_frame, known["frames"].collect())),
        sorted(map(_conversation, known["conversations"].collect())),
        sorted(map(_finding, known["findings"].collect())),
    )


def _frame(row: SparkRow) -> str:
    told = row.asDict(recursive=True)
    for name in ("date", "side", "part_of"):
        del told[name]
    told["fields"], told["context"] = json.loads(told["fields"]), json.loads(told["context"])
    told["time"] = Rfc3339()(told["time_ns"])
    return _text(told)


def _conversation(row: SparkRow) -> str:
    told = row.asDict(recursive=True)
    told["start"] = Rfc3339()(told["start_ns"])
    identity = told["correlation_id"]
    is_number = identity is not None and identity.lstrip("-").isdigit()
    told["correlation_id"] = int(identity) if is_number else identity
    for name in ("start_ns", "date", "protocol", "parent", "links"):
        del told[name]
    return _text(told)


def _finding(row: SparkRow) -> str:
    told = row.asDict(recursive=True)
    told["echoes"] = json.loads(told["echoes"])
    for name in ("time", "time_ns", "date"):
        del told[name]
    return _text(told)


def _text(told: dict[str, Any]) -> str:
    return json.dumps(told, sort_keys=True)
