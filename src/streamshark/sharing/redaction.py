"""Write a capture without secrets, names and addresses."""

from collections.abc import Sequence

from streamshark.light_dataclass import record
from streamshark.sharing.policy import Policy


@record
class RedactionReport:
    """What a redaction did."""

    packets: int
    """Packets written."""
    dropped: int
    """Packets of unknown connections, and of other protocols than TCP, that were left out."""
    notes: tuple[str, ...] = ()
    """What a user must know besides, a sentence each."""


def redact(paths: Sequence[str], out: str, policy: Policy, key: bytes) -> RedactionReport:
    """Write captures to `out`, a pcapng, with everything replaced that the policy does not keep.

    Values are replaced by others of the same length; equal values by equal ones, over all captures
    that are redacted with the same key.

    Raises:
        StreamsharkError: A capture cannot be read at all, or the file cannot be written.
    """
    raise NotImplementedError
