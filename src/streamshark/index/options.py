"""Options of an index.

What reads captures is imported when it is used: whoever opens an index passes the options on to the
process that builds it, and starts that first.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from streamshark.index import cache

if TYPE_CHECKING:
    from streamshark.capture.source import Source
    from streamshark.dissector import KnownProtocols
    from streamshark.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexOptions:
    """Options of the reading that change its rows."""

    paths: tuple[str, ...] = ()
    """Folders with further protocols."""
    decode_as: Mapping[int, str] = field(default_factory=dict)
    dialects: Mapping[str, str] = field(default_factory=dict)
    limit: int | None = None
    """Most packets."""
    keylog: str | None = None
    names_files: bool = False
    """Whether standard input names the captures, a line each, which are still being written."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Return the options whose `plain` values these are."""
        ports = {int(port): name for port, name in options["decode_as"].items()}
        return cls(**{**options, "paths": tuple(options["paths"]), "decode_as": ports})

    def known(self) -> "KnownProtocols":
        """Return the protocols that are known."""
        from streamshark.dissector import KnownProtocols  # noqa: PLC0415 - as above
        from streamshark.protocols.catalog import carriers, catalog, formats  # noqa: PLC0415

        return KnownProtocols.of(
            catalog(self.paths), self.decode_as, self.dialects, formats(self.paths),
            carriers(self.paths),
        )  # fmt: skip

    def session(
        self,
        sources: Sequence[str],
        *,
        follows: bool = False,
        notice: Callable[[str], object] = lambda _loss: None,
    ) -> "Session":
        """Return a session over captures.

        Args:
            sources: The captures.
            follows: Whether it waits at the end of files, for more and for further files of a ring
                or folder.
            notice: Called with a sentence about files that were lost meanwhile.
        """
        from streamshark.capture import open_capture  # noqa: PLC0415 - as above
        from streamshark.protocols.catalog import carriers, catalog, formats  # noqa: PLC0415
        from streamshark.session import Session  # noqa: PLC0415

        session = Session(
            () if follows else sources,
            protocols=catalog(self.paths),
            carriers=carriers(self.paths),
            formats=formats(self.paths),
            decode_as=self.decode_as,
            dialects=self.dialects,
            limit=self.limit,
            keylog=self.keylog,
            live=follows or cache.STDIN in sources,
        )
        for number, source in enumerate(sources if follows else ()):
            session.captures.append(open_capture(self._followed(source, notice), number))
        return session

    def _followed(self, source: str, notice: Callable[[str], object]) -> "Source":
        """Return a source that waits for what is appended, or for further files.

        Raises:
            StreamsharkError: It cannot be read.
        """
        from streamshark.capture.followed_file import FollowedFile  # noqa: PLC0415 - as above
        from streamshark.capture.followed_files import FollowedFiles  # noqa: PLC0415
        from streamshark.capture.growing_files import GrowingFiles  # noqa: PLC0415
        from streamshark.capture.ring_names import ring_name  # noqa: PLC0415

        if self.names_files:
            return GrowingFiles(sys.stdin.buffer)
        if Path(source).is_dir() or ring_name(Path(source).name):
            return FollowedFiles(source, notice)
        return FollowedFile(source)

    def plain(self) -> dict[str, Any]:
        """Return the options as JSON shows them."""
        return {
            "paths": list(self.paths),
            "decode_as": {str(port): name for port, name in self.decode_as.items()},
            "dialects": dict(self.dialects),
            "limit": self.limit,
            "keylog": self.keylog,
            "names_files": self.names_files,
        }
