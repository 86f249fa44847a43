"""An index as the screens show it: rows without secrets, their lines, fields and neighbours."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from streamshark.decoding.payloads import PayloadReaders
from streamshark.dissection.masking import SecretMask
from streamshark.dissection.row import EventRow, FrameRow, Row
from streamshark.errors import StreamsharkError
from streamshark.fields.registry import Fields
from streamshark.filters.completion import Completion, complete
from streamshark.filters.error import FilterError
from streamshark.filters.filter import Filter
from streamshark.filters.predicate import EVENTS, RowKind
from streamshark.filters.row_fields import RowFields
from streamshark.findings.finding import Severity
from streamshark.index.reader import Index
from streamshark.tui.details import Details
from streamshark.tui.entry import Verdict
from streamshark.tui.pieces import PiecePalette
from streamshark.views.display_options import BODIES
from streamshark.views.escaping import printable
from streamshark.views.findings import MARKS
from streamshark.views.payload_tree import PayloadTree
from streamshark.views.text import TextRows
from streamshark.views.times import NS, Clock
from streamshark.views.tree_nodes import Subtrees

if TYPE_CHECKING:
    from streamshark.conversations.conversation import Conversation
    from streamshark.findings.finding import Finding

MOST_ROWS: Final = 2048
"""Most rows that are kept decoded."""
