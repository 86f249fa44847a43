"""`read --packets`: whole packets, selected by a filter of packets as in tshark."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from streamshark.cli.display_filter import derives, fields_of, filter_texts, learn, use_comments
from streamshark.cli.output import Output
from streamshark.cli.run import Ending, through
from streamshark.cli.writers import Rows, printer_of
from streamshark.dissection.row import Row
from streamshark.session import Session

if TYPE_CHECKING:
    from streamshark.answers import KnownAnswers
    from streamshark.cli.packet_output import PacketOutput
    from streamshark.fields.registry import Fields
    from streamshark.filters import Filter
    from streamshark.filters.packets import Packet


def shown_packets(
    session: Session,
    rows: Rows,
    given: dict[str, Any],
    output: Output,
    answers: "KnownAnswers | None",
    copy: "PacketOutput | None" = None,
) -> Ending:
    """Show the packets that satisfy the filter, each with its rows, or copy them to `copy`."""
    from streamshark.filters.filter import compile_for_packets  # noqa: PLC0415 - only --packets
    from streamshark.filters.packets import PacketRows  # noqa: PLC0415

    fields = fields_of(given, session)
    filters = [compile_for_packets(text, fields) for text in filter_texts(given, fields)]
    for each in filters:
        use_comments(each, session)
        learn(each, given)
    write = _writer(session, rows, given, fields)
    shows = given["shown"] and not given["quiet"]

    def take(packet: "Packet") -> None:
        if not all(each(packet) for each in filters):
            return
        if copy is not None:
            copy.select_packet(packet.file, packet.number)
        text = write(packet)
        if shows:
            output.write(text)

    packets = PacketRows(take)
    session.on_packets(lambda batch: packets.batch(batch, session.yielded_ns))
    annotates = rows.printer.shows_annotations or any(each.needs_analysis for each in filters)
    source = _annotated(session, filters, given, answers) if annotates else session.rows()

    def add(row: Row) -> None:
        for each in filters:
            each.fields.others.note(row)
        if copy is not None:
            copy.see(row)
        packets.row(row)

    ending = through(source, add, beside=True)
    if not ending.interrupted:
        packets.finish()
    return ending


def _annotated(
    session: Session,
    filters: "list[Filter]",
    given: dict[str, Any],
    answers: "KnownAnswers | None",
) -> Iterable[Row]:
    """Return the rows with their annotations, and the derived values that filters name."""
    used = [derives(each, lambda _table: False) for each in filters]
    analysis = session.analysis(
        answers=answers,
        derives=lambda table: any(each(table) for each in used),
        in_full=given["tree"],
    )
    return analysis.rows()


def heading(given: dict[str, Any]) -> str:
    """Return the line of names that `-E header=y` shows; empty without it."""
    layout = given["layout"]
    if not layout.get("header"):
        return ""
    separator: str = layout.get("separator", "\t")
    return separator.join(given["fields"]) + "\n"


def _writer(
    session: Session, rows: Rows, given: dict[str, Any], fields: "Fields"
) -> "Callable[[Packet], str]":
    """Return the function that shows a packet."""
    from streamshark.views.packet_lines import PacketColumns, packet_line  # noqa: PLC0415

    if given["form"] == "fields":
        layout = given["layout"]

        def column(name: str) -> Callable[[Row], str]:
            own = {**given, "fields": (name,), "layout": {**layout, "header": False}}
            cells = printer_of(own, layers=session.layers, fields=lambda: fields)

            def cell(row: Row) -> str:
                return cells.row(row).rstrip("\n")

            return cell

        columns = PacketColumns(
            given["fields"], column, layout.get("separator", "\t"), layout.get("aggregator", ",")
        )
        return lambda packet: columns.line(packet) + "\n"
    if given["form"] != "text":
        return lambda packet: "".join(map(rows.row, packet.rows))
    from streamshark.views.times import Clock  # noqa: PLC0415

    style, digits = given["time"]
    clock = Clock(style, lambda: session.started_ns, digits)

    def text(packet: "Packet") -> str:
        if packet.rows:
            return "".join(map(rows.row, packet.rows))
        return packet_line(packet, clock) + "\n"

    return text
