"""construct, without what it imports for its debugger, its compiler and its checksums."""

from typing import Final

from streamshark.lazy_imports import postponed

with postponed("hashlib", "pdb", "pickle", "traceback"):
    import construct as _construct

construct: Final = _construct
