"""One line per row: number and packet, time, addresses, protocol, command, arguments, problems.

Columns only ever grow, so that a list does not jump. What many rows share (the addresses of a side,
the name and arguments of a schema) is formatted once.
"""

from collections.abc import Callable, Sequence
from typing import Any

from streamshark.conversations.units import shortened
from streamshark.decoding.decoder import Decoder
from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.info_words import InfoWords
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.schema import Problem, nodes
from streamshark.schema.info_template import REFUSAL
from streamshark.schema.nodes import Tree
from streamshark.views.annotations import all_derived, ending, marks
from streamshark.views.colour import Palette
from streamshark.views.display_options import MOST_ENDS
from streamshark.views.escaping import printable
from streamshark.views.info_column import InfoColumn, plain
from streamshark.views.payload_json import problems_inside
from streamshark.views.problems import field_of, message_of
from streamshark.views.reassembly import sentence
from streamshark.views.times import Clock

MOST_PROBLEMS = 3
"""Most problems written in a line."""
LONGEST_MESSAGE = 120
"""Most characters of a problem's message in a line."""
LONGEST_REASON = 100
"""Most characters of an event's argument in a line."""

PROTOCOL = 9
"""Width of the column of the protocol."""

_Shared = tuple[str, InfoWords, frozenset[int], Callable[[FrameRow], bool] | None]


class TextRows:
    """A view of rows as lines, without their ends. `files` are the names of several captures."""

    shows_annotations = True

    def __init__(  # noqa: PLR0913 - everything that defines the lines
        self,
        clock: Clock,
        palette: Palette,
        *,
        secrets: bool = False,
        files: Sequence[str] = (),
        loose: bool = False,
        layers: PayloadReaders | None = None,
        strict: bool = False,
        derived: bool = False,
    ) -> None:
        self.derived = derived
        """Whether lines show all derived values, or only those marked for lines."""
        self.layers = layers
        """Decodes payloads; if None, they are not inspected."""
        self.strict = strict
        """Whether payloads are checked for problems."""
        self.malformed_bodies = 0
        """Number of rows so far with malformed payloads."""
        self.clock = clock
        self.palette = palette
        self.secrets = secrets
        self.files = [printable(name) for name in files]
        self.loose = loose
        self._widths = [4, 5, 15]
        """Widths of number, packet and address."""
        self._form = self._made_form()
        self._ends: dict[tuple[int, int, str | None, str], str] = {}
        self._shared: dict[Decoder, _Shared] = {}
        self._marks = {
            True: palette.paint("error", "[E]"),
            False: palette.paint("warning", "[W]"),
        }

    def row(self, row: Row) -> str:
        """Return the line of a row."""
        if isinstance(row, FrameRow):
            return self._start(row, row.number, row.connection.wire.short) + self.frame(row)
        protocol = row.protocol if isinstance(row, EventRow) else ""
        return self._start(row, 0, protocol) + self.event(row)

    def frame(self, row: FrameRow, *, annotated: bool = True) -> str:
        """Return command, arguments, annotations and problems of a frame."""
        if row.decoder is None:
            return self._unknown(row) + self.problems(row.problems, None, frozenset())
        name, words, secrets, refuses = self._of(row.decoder)
        if refuses is not None and refuses(row):
            name = self.palette.paint("error", f"{REFUSAL} {row.name}")
        annotation = row.annotation if annotated else None
        line = name + (words(row) if annotation is None else words(row, annotation.context))
        if annotated:
            line += self._annotations(row)
        if row.piece:
            line += self.palette.paint("generated", f" [{sentence(row)}]")
        problems = row.problems
        if (
            self.strict
            and self.layers is not None
            and (inside := problems_inside(self.layers, row))
        ):
            self.malformed_bodies += 1
            problems = [*problems, *inside]
        if problems:
            line += self.problems(problems, row.decoder.tree, secrets)
        return line

    def _annotations(self, row: FrameRow) -> str:
        """Return what the conversation engine has found out about a frame."""
        line, annotation = "", row.annotation
        if annotation is not None and (
            annotation.request_frame or annotation.response_frame or annotation.unanswered
        ):
            line += self.palette.paint("generated", ending(annotation))
        if getattr(row, "derived", ()):
            line += self.palette.paint("generated", (all_derived if self.derived else marks)(row))
        if annotation is not None and annotation.findings:
            line += " " + self.palette.paint("error", f"[{', '.join(annotation.findings)}]")
        return line

    def event(self, row: Row) -> str:
        """Return name and facts of an event."""
        if not isinstance(row, EventRow):
            raise TypeError(row)
        facts = "".join(
            f" {name}={plain(value, LONGEST_REASON)}"
            for name, value in row.fields.items()
            if value is not None and name != "sender"
        )
        line = self.palette.paint("event", row.name) + facts
        return line + self.problems(row.problems, None, frozenset()) if row.problems else line

    def problems(
        self, problems: Sequence[Problem], tree: Tree | None, secrets: frozenset[int]
    ) -> str:
        """Return the first problems, each `[E] code field: message`; W if decoding continued."""
        out = "".join(
            " " + self.problem(each, tree, secrets, LONGEST_MESSAGE)
            for each in problems[:MOST_PROBLEMS]
        )
        more = len(problems) - MOST_PROBLEMS
        return f"{out} [{more} more problems]" if more > 0 else out

    def problem(
        self, problem: Problem, tree: Tree | None, secrets: frozenset[int], most: int
    ) -> str:
        """Return one problem."""
        field = field_of(problem, tree)
        where = f" {field.split('.', 2)[-1]}" if field else ""
        message = message_of(problem, secrets)
        message = shortened(message, most)
        return f"{self._marks[problem.code.stops]} {problem.code.word}{where}: {message}"

    # Parts of a line

    def _of(self, decoder: Decoder) -> _Shared:
        shared = self._shared.get(decoder)
        if shared is None:
            tree, palette = decoder.tree, self.palette
            name = palette.paint("command", tree.prefix.partition(".")[2])
            secrets = frozenset[int]() if self.secrets else nodes.secrets(tree)
            words = InfoColumn(
                tree,
                secrets=self.secrets,
                layers=self.layers,
                paint=palette.paint if palette.enabled else None,
            ).words
            shared = name, words, secrets, words.refuses if words.may_refuse else None
            self._shared[decoder] = shared
        return shared

    def _unknown(self, row: FrameRow) -> str:
        facts: list[Any] = []
        if row.selector is not None:
            key = row.selector.key
            facts.append(f"key={f'{key:#x}' if isinstance(key, int) else plain(key)}")
        facts += [f"version={row.version}"] if row.version is not None else []
        facts.append(f"length={len(row.data)}")
        return " ".join([self.palette.paint("command", "unknown"), *facts])

    def _start(self, row: Row, number: int, protocol: str) -> str:
        """Return everything before the command."""
        if self.loose:
            return f"{number or '':>{self._widths[0]}} {protocol:<{PROTOCOL}} "
        if number > self._most or row.packet > self._most_packet:
            self._widths[0] = max(self._widths[0], len(str(number)))
            self._widths[1] = max(self._widths[1], len(f"p{row.packet}"))
            self._form = self._made_form()
        key = (row.connection.flow.number, row.side, row.sender, protocol)
        ends = self._ends.get(key)
        if ends is None:
            ends = self._ends_of(row, key)
        time = self.clock(row.time_ns)
        if self.palette.enabled:
            time = self.palette.paint("time", time)
        start = self._form % (number or "", row.packet, time, ends)
        return f"{self.files[row.file]}: {start}" if self.files else start

    def widen(self, packet: int, address: int) -> None:
        """Make the columns as wide as a packet number and an address that are shown elsewhere."""
        self._widths[1] = max(self._widths[1], len(f"p{packet}"))
        self._form = self._made_form()
        if address > self._widths[2]:
            self._widths[2] = address
            self._ends.clear()

    def _made_form(self) -> str:
        """Return the format of the columns up to the protocol; set the largest numbers that fit."""
        number, packet, _ = self._widths
        self._most, self._most_packet = 10**number - 1, 10 ** (packet - 1) - 1
        return f"%{number}s p%-{packet - 1}d %s %s"

    def _ends_of(self, row: Row, key: tuple[int, int, str | None, str]) -> str:
        """Return source, destination and protocol; long ones widen the columns from here on."""
        widths, (src, dst) = self._widths, row.addresses
        width = max(widths[2], len(src), len(dst))
        if width > widths[2]:
            widths[2] = width
            self._ends.clear()
        if len(self._ends) > MOST_ENDS:
            self._ends.clear()
        ends = self.palette.paint(row.sender, f"{src:<{width}} -> {dst:<{width}}")
        text = self._ends[key] = f"{ends} {key[-1]:<{PROTOCOL}} "
        return text
