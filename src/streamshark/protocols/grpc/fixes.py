"""How to mend what each rule finds: for `check --explain-rule` and the page of rules."""

from typing import Final

_FIXES: Final = {
    "GRPC-G1": "Read the status and its message; retry only what the status allows.",
    "GRPC-G1b": "Send valid credentials, or give the caller the permission.",
    "GRPC-G2": "Give the call more time, or find out what the service waits for.",
    "GRPC-G4": "Call again if the code allows it; look at the log of the server.",
}

FIXES: Final = tuple(_FIXES.items())
"""Rule and what to change."""
