"""The parts of programs that use Pravega, and how they fail."""

from typing import Final

from streamshark.findings.object_states import ObjectStates, states

PARTS: Final[tuple[ObjectStates, ...]] = ()
"""Read by the manual."""
