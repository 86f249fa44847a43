"""Write what TLS connections contain as plain TCP, in captures that can be redacted then."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from streamshark.capture import PacketBatch, open_capture
from streamshark.capture.copying import PcapngCopier, SecretsCopied
from streamshark.capture.packet_column import PacketColumn
from streamshark.capture.records import merged_records
from streamshark.session import Session
from streamshark.sharing.recorded_streams import RecordedFlow, StreamRecorder
from streamshark.sharing.rewritten_capture import rewritten


def plain_captures(paths: Sequence[str], folder: Path, options: dict[str, Any]) -> list[str]:
    """Return captures of which the TLS connections whose keys are known are plain TCP.

    They are written to a folder: one with the other connections, as they are, and one with the
    decrypted ones. Without any these are the captures that were given.

    Raises:
        StreamsharkError: The connections are too large to be written anew.
    """
    columns = PacketColumn("i")
    with ExitStack() as stack:
        stack.callback(columns.close)
        session = stack.enter_context(Session(paths, show_secrets=True, **options))
        recorder = StreamRecorder(session.dissector)

        def note(batch: PacketBatch, _delivered: object) -> None:
            flows, fragmented = session.dissector.tracker.packet_flows()
            columns.add(batch.file, batch.first, flows)
            for (file, packet), _, flow in fragmented:
                columns.add(file, packet, (flow,))

        session.dissector.on_packets(note)
        for row in session.rows():
            recorder.row(row)
        decrypted = [each for each in recorder.flows() if each.flow.decrypted]
        if not decrypted:
            return list(paths)
        plain, others = folder / "decrypted.pcapng", folder / "others.pcapng"
        parts = sorted(
            (part for each in decrypted for part in each.parts), key=lambda one: one.order
        )
        plain.write_bytes(rewritten(decrypted, parts).data)
        _copy_others(paths, others, columns, decrypted)
        return [str(others), str(plain)]


def _copy_others(
    paths: Sequence[str], out: Path, columns: PacketColumn, decrypted: list[RecordedFlow]
) -> None:
    """Copy the packets of all connections but some."""
    left_out = {each.flow.number for each in decrypted}
    copier = PcapngCopier(SecretsCopied(frozenset()), is_whole=False)
    with ExitStack() as stack, out.open("wb") as file:
        captures = [
            stack.enter_context(open_capture(name, index)) for index, name in enumerate(paths)
        ]
        known: tuple[PacketBatch, Sequence[int]] | None = None
        for record in merged_records(captures, None):
            batch = record.batch
            if known is None or known[0] is not batch:
                known = batch, columns.of(batch.file, batch.first, len(batch))
            if not record.packet or known[1][record.at] not in left_out:
                file.write(copier.copy(record))
