"""Filters of columns select what filters of rows select."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.failures import every
from tests.filters.corpus import drawn_of_rows
from tests.filters.reading import CAPTURES, PUBLISH, Read, read

from streamshark.arrow.schema import command_table
from streamshark.dissection.row import FrameRow, Row
from streamshark.filters.error import FilterError
from streamshark.filters.filter import Filter
from streamshark.filters.row_fields import RowFields
from streamshark.filters.table_columns import selected

EACH = 150
"""Filters that are drawn for each capture."""
CAPTURED = (
    PUBLISH,
    CAPTURES / "rsocket" / "composite_metadata_js" / "traffic.pcapng",
    CAPTURES / "nats" / "interactions_py" / "traffic.pcapng",
)
LEAST = 40
"""Filters of each capture, at least, of which a table has all fields."""


def frames(rows: Iterable[Row]) -> dict[str, list[Any]]:
    """The columns of `frames`."""
    out: list[dict[str, Any]] = []
    for row in rows:
        is_frame, annotation = isinstance(row, FrameRow), row.annotation
        own: Any = row
        out.append(
            {
                "frame": own.number if is_frame else None,
                "packet": row.packet,
                "flow": row.connection.flow.number,
                "time_ns": row.time_ns,
                "src": row.addresses[0],
                "dst": row.addresses[1],
                "packets": row.packets,
                "protocol": own.connection.wire.id if is_frame else own.protocol,
                "command": own.command if is_frame else own.name,
                "key": own.key if is_frame else None,
                "version": own.version if is_frame else None,
                "kind": own.kind if is_frame else "event",
                "sender": row.sender,
                "correlation_id": str(own.correlation_id)
                if is_frame and own.correlation_id is not None
                else None,
                "length": len(own.data) if is_frame else 0,
                "problems": [{"code": each.code.word} for each in row.problems],
                "conversation": annotation.conversation if annotation else None,
                "request_frame": annotation.request_frame if annotation else None,
                "response_time_ns": annotation.response_time_ns if annotation else None,
            }
        )
    return {name: [each[name] for each in out] for name in out[0]}


def commands(rows: Iterable[Row]) -> dict[str, tuple[list[Row], dict[str, list[Any]]]]:
    """The rows of each command, and the columns of its table."""
    groups: dict[str, list[FrameRow]] = {}
    for row in rows:
        if isinstance(row, FrameRow) and row.decoder is not None and not row.problems:
            groups.setdefault(row.decoder.tree.prefix, []).append(row)
    out: dict[str, tuple[list[Row], dict[str, list[Any]]]] = {}
    for prefix, group in groups.items():
        trees = {id(row.decoder): row.decoder.tree for row in group if row.decoder is not None}
        keyed = [((row.file, row.packet, 0, row.offset), row.values) for row in group]
        out[prefix] = list(group), command_table(trees.values(), keyed).drop("file").to_pydict()
    return out


def differing(found: Read, filters: Iterable[str]) -> tuple[int, list[str]]:
    """The number of filters that a table could tell, and those that select other rows."""
    tables = {"": (found.rows, frames(found.rows)), **commands(found.rows)}
    told, failed = 0, []
    for text in filters:
        chosen = Filter(text, RowFields(found.fields))
        for command, (rows, columns) in tables.items():
            try:
                ours = selected(text, columns, found.fields, command)
            except FilterError:
                continue
            told += 1
            if ours != [at for at, row in enumerate(rows) if chosen(row)]:
                failed.append(f"{command or 'frames'}: {text}")
    return told, failed


@every("path", CAPTURED)
def test_rows_and_columns_agree(path: Path) -> None:
    """On drawn filters; fields that a table has not are an error."""
    found = read(path)
    told, failed = differing(found, drawn_of_rows(found.rows, found.fields, path.parent.name, EACH))

    assert told > LEAST
    assert not failed, "\n".join(failed)


def test_what_a_table_has_not() -> None:
    """An error, and no silent absence."""
    found = read(PUBLISH)
    columns = frames(found.rows)
    for text in ("rmqstream.publish.publisher_id == 0", "amqp1", "frame.number#1 == 2", "tcp =="):
        with pytest.raises(FilterError):
            selected(text, columns, found.fields)
    assert selected("", columns, found.fields) == list(range(len(found.rows)))
    publish = commands(found.rows)["rmqstream.publish"][1]
    assert selected("rmqstream.open.virtual_host", publish, found.fields, "rmqstream.publish") == []
