"""How many files this process may have open, and connections with it."""

import resource
from typing import Final

OTHERS: Final = 100
"""Open files besides connections: listeners, the recording, pipes, libraries."""
PER_CONNECTION: Final = 2
"""Sockets of a relayed connection."""


def connections_allowed(wanted: int) -> int:
    """Raise the limit of open files for so many relayed connections; return how many it allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = PER_CONNECTION * wanted + OTHERS
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    allowed = needed if hard == resource.RLIM_INFINITY or hard >= needed else hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return min(wanted, max((allowed - OTHERS) // PER_CONNECTION, 1))
