"""`read -w`: packets of captures as a capture.

All packets of one capture are copied while they are read. Chosen packets, and those of several
captures, are copied in a second pass, when it is known which they are; sources that can be read
only once are kept in a temporary file until then.
"""

import tempfile
from collections import Counter
from collections.abc import Hashable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO, Any, BinaryIO, Self, cast

import click

from streamshark.capture import Capture, PacketBatch, open_capture
from streamshark.capture.capture import RecordWindow
from streamshark.capture.copying import Copier, PcapCopier, PcapngCopier, SecretsCopied
from streamshark.capture.output_file import OutputFile, is_source
from streamshark.capture.packet_column import NONE, PacketColumn
from streamshark.capture.records import CaptureRecord, Reader, merged_records, reader_of
from streamshark.cli.output import complain
from streamshark.cli.packet_choice import (
    AllPackets,
    ConnectionPackets,
    PacketChoice,
    SelectedConnections,
    SelectedPackets,
)
from streamshark.cli.row_selection import RowSelection
from streamshark.cli.run import Ending
from streamshark.cli.short_filters import is_filtered
from streamshark.conversations.units import counted
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.flows.client_hello import MOST_FLOWS, ClientRandoms
from streamshark.flows.timers import Records
from streamshark.session import Session

_NUMBER_BITS = 32
"""A packet is one number: that of its file before these bits, which are its number there."""


def _check(given: dict[str, Any]) -> None:
    """Raise a usage error for a file that cannot be written."""
    name = given["write"]
    if name == "-" and given["shown"]:
        raise click.UsageError("-w - and rows cannot both go to standard output")
    sources = [*given["more"], *given["files"], *filter(None, [given["keylog"]])]
    if name != "-" and is_source(name, sources):
        raise click.UsageError(f"-w {name}: is one of the files that are read")


def _choice(given: dict[str, Any], selection: RowSelection | None) -> PacketChoice:
    """Return which packets the options choose."""
    if is_filtered(given) or given["read_filter"] or given["numbers"]:
        return SelectedConnections() if given["whole_flows"] else SelectedPackets()
    return AllPackets() if selection is None or selection.is_all else ConnectionPackets(selection)


class PacketOutput:
    """The copy of packets that one reading makes.

    Args:
        session: What is read.
        given: The options.
        selection: The rows of `--flow` and `--conversation`; None if packets are selected.
    """

    def __init__(
        self, session: Session, given: dict[str, Any], selection: RowSelection | None
    ) -> None:
        _check(given)
        self._session = session
        self._given = given
        self._choice = _choice(given, selection)
        self.select = self._choice.select
        self.select_packet = self._choice.select_packet
        self._flows = PacketColumn("i")
        """The connection of each packet."""
        self._completed = PacketColumn("q")
        """Of each fragment of IP: the packet that completed its datagram, as one number."""
        self._randoms = ClientRandoms()
        self._mask = SecretMask(session.layers)
        self._secretive: Counter[Hashable] = Counter()
        """Frames with secrets, by what their packets are chosen by."""
        self._spools: dict[int, IO[bytes]] = {}
        """By capture that can be read only once: its copy."""
        self._stack = ExitStack()
        self._is_all = isinstance(self._choice, AllPackets)
        self._is_direct = self._is_all and len(session.captures) == 1
        """Whether packets are copied while they are read."""
        self._copier = self._made(SecretsCopied())
        self._is_growing = self._is_direct and given["immediate"]

    def __enter__(self) -> Self:
        self._stack.callback(self._flows.close)
        self._stack.callback(self._completed.close)
        self._file = self._stack.enter_context(
            OutputFile(self._given["write"], growing=self._is_growing)
        )
        if self._is_direct:
            (capture,) = self._session.captures
            capture.on_window(partial(_copied, reader_of(capture), self._copier, self._file))
            return self
        for capture, name in zip(self._session.captures, self._names, strict=True):
            if not Path(name).is_file():
                spool = self._stack.enter_context(tempfile.TemporaryFile())
                self._spools[capture.file] = spool
                copier = PcapngCopier(SecretsCopied(), is_whole=True)
                capture.on_window(partial(_copied, reader_of(capture), copier, spool))
        if not self._is_all:
            self._session.dissector.on_packets(self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def see(self, row: Row) -> None:
        """Note whether a row of the captures has secrets."""
        group = self._choice.group(row)
        if (
            group is not None
            and self._has_secrets(row)
            and (group in self._secretive or len(self._secretive) < MOST_FLOWS)
        ):
            self._secretive[group] += 1

    def _has_secrets(self, row: Row) -> bool:
        if isinstance(row, FrameRow):
            return bool(self._mask.spans(row))
        return self._mask.row(row) is not row

    def finish(self, ending: Ending) -> None:
        """Write what is still to be written, and give the file its name."""
        if ending.failed or (ending.interrupted and not self._is_growing):
            return
        if not self._is_direct:
            self._copy()
        self._file.write(self._copier.end())
        self._file.commit()
        self._report()

    @property
    def _names(self) -> Sequence[str]:
        return (*self._given["more"], *self._given["files"])

    def _made(self, secrets: SecretsCopied) -> Copier:
        if self._given["file_format"] == "pcapng":
            return PcapngCopier(secrets, is_whole=self._is_all)
        return PcapCopier(nanoseconds=self._given["file_format"] == "nsecpcap")

    def _note(self, batch: PacketBatch, delivered: Records) -> None:
        """Note the connection of each packet, its fragments, and client randoms."""
        flows, fragmented = self._session.dissector.tracker.packet_flows()
        self._flows.add(batch.file, batch.first, flows)
        for (file, packet), at, flow in fragmented:
            self._flows.add(file, packet, (flow,))
            self._completed.add(file, packet, (batch.file << _NUMBER_BITS | batch.first + at,))
        self._randoms.take(delivered)

    def _copy(self) -> None:
        """Copy the chosen packets in a second pass."""
        self._choice.settle(self._flows.blocks())
        self._copier = self._made(SecretsCopied(None if self._is_all else self._chosen_randoms()))
        captures = [
            self._stack.enter_context(self._reopened(index, name))
            for index, name in enumerate(self._names)
        ]
        columns: dict[int, tuple[PacketBatch, Sequence[int], Sequence[int]]] = {}

        def is_chosen(record: CaptureRecord) -> bool:
            batch, has = record.batch, self._choice.has
            known = columns.get(batch.file)
            if known is None or known[0] is not batch:
                place = batch.file, batch.first, len(batch)
                known = columns[batch.file] = (
                    batch,
                    self._flows.of(*place),
                    self._completed.of(*place),
                )
            flow, completed = known[1][record.at], known[2][record.at]
            return has(batch.file, record.packet, flow) or (
                completed != NONE and has(*divmod(completed, 1 << _NUMBER_BITS), flow)
            )

        packets = 0
        for record in merged_records(captures, self._given["limit"]):
            if self._is_all or not record.packet or is_chosen(record):
                packets += bool(record.packet)
                self._file.write(self._copier.copy(record))
        if not self._is_all and not packets:
            raise StreamsharkError(f"{self._file.name}: not written, as it would have no packets")

    def _chosen_randoms(self) -> frozenset[bytes]:
        """Return the client randoms of the connections of chosen packets."""
        if not any(each.secrets for each in self._session.captures):
            return frozenset()
        has = self._choice.has
        return self._randoms.of(
            {
                flow
                for file, first, flows in self._flows.blocks()
                for number, flow in enumerate(flows, first)
                if has(file, number, flow)
            }
        )

    def _reopened(self, index: int, name: str) -> Capture:
        spool = self._spools.get(index)
        if spool is None:
            return open_capture(name, index)
        spool.seek(0)
        return open_capture(cast("BinaryIO", spool), index)

    def _report(self) -> None:
        """Name the secrets of the file, and what its format has left out."""
        secrets, found = self._copier.secrets, []
        frames = sum(
            count for group, count in self._secretive.items() if self._choice.has_group(group)
        )
        if secrets.connections:
            found.append(f"TLS keys of {counted(len(secrets.connections), 'connection')}")
        if secrets.others:
            found.append(counted(secrets.others, "block") + " of other keys")
        if frames:
            found.append(f"credentials in {counted(frames, 'frame')}")
        if found:
            complain(f"{self._file.name} contains secrets: {', '.join(found)}")
        if self._given["file_format"] != "pcapng" and any(
            each.comments or each.blocks or each.secrets for each in self._session.captures
        ):
            complain(f"{self._file.name}: comments, names and keys are left out; pcapng has them")


def _copied(
    reader: Reader, copier: Copier, file: OutputFile | IO[bytes], window: RecordWindow
) -> None:
    """Copy the records of a window."""
    file.write(b"".join(map(copier.copy, reader(window))))
