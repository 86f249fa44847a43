"""Contexts of TLS: towards servers, and towards clients with certificates of the own authority."""

import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from streamshark.errors import StreamsharkError

MOST_CONTEXTS: Final = 1000
"""Most contexts that are kept for names that clients ask for."""


@dataclass(frozen=True, slots=True)
class TlsOptions:
    """How servers are verified."""

    authorities: str | None = None
    """File with the authorities of servers; None for those of the system."""
    insecure: bool = False
    """Whether any certificate is accepted."""
    certificate: str | None = None
    """File with a certificate and its key, for servers that ask for one."""


class TlsContexts:
    """Makes the ends of TLS connections; all their keys go to one log.

    Raises:
        StreamsharkError: A file of the options is missing or malformed.
    """

    def __init__(self, folder: Path, options: TlsOptions, names: Iterable[str]) -> None:
        from streamshark.proxy.authority import Authority  # noqa: PLC0415 - cryptography is large

        self.authority = Authority(folder)
        self._options, self._names = options, tuple(names)
        self._temporary = TemporaryDirectory(prefix="streamshark-", ignore_cleanup_errors=True)
        self._log = Path(self._temporary.name) / "keys"
        self._log.touch(0o600)
        self._read = 0
        self._is_stirred = False
        self._servers: dict[tuple[str | None, str | None], ssl.SSLContext] = {}
        try:
            self.client_context()
        except StreamsharkError:
            self.close()
            raise

    def client_context(self, protocols: Iterable[str] = ()) -> ssl.SSLContext:
        """Return the context of connections to servers."""
        options = self._options
        try:
            context = ssl.create_default_context(cafile=options.authorities)
        except (OSError, ssl.SSLError) as error:
            raise _unreadable(options.authorities, error) from None
        if options.insecure:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        if options.certificate is not None:
            try:
                context.load_cert_chain(options.certificate, password=str)
            except (OSError, ssl.SSLError) as error:
                raise _unreadable(options.certificate, error) from None
        if listed := list(protocols):
            context.set_alpn_protocols(listed)
        context.keylog_filename = str(self._log)
        return context

    def server_context(self, name: str | None, protocol: str | None) -> ssl.SSLContext:
        """Return the context of connections of clients that ask for a name and a protocol."""
        found = self._servers.get((name, protocol))
        if found is None:
            found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            names = [each for each in (name, *self._names) if each]
            self.authority.load(found, names, Path(self._temporary.name))
            if protocol is not None:
                found.set_alpn_protocols([protocol])
            found.keylog_filename = str(self._log)
            if len(self._servers) < MOST_CONTEXTS:
                self._servers[name, protocol] = found
        return found

    def stir(self) -> None:
        """Take note that there may be new keys."""
        self._is_stirred = True

    def new_keys(self) -> bytes:
        """Return the lines of the key log since the last call."""
        if not self._is_stirred:
            return b""
        self._is_stirred = False
        if self._log.stat().st_size <= self._read:
            return b""
        with self._log.open("rb") as file:
            file.seek(self._read)
            lines = file.read().rpartition(b"\n")
        found = lines[0] + lines[1]
        self._read += len(found)
        kept = (each for each in found.splitlines(keepends=True) if not each.startswith(b"#"))
        return b"".join(kept)

    def close(self) -> None:
        """Delete the key log."""
        self._temporary.cleanup()


def _unreadable(path: str | None, error: Exception) -> StreamsharkError:
    is_content = isinstance(error, ssl.SSLError) or not getattr(error, "strerror", None)
    reason = (
        "not a PEM file, or its key is missing or encrypted"
        if is_content
        else getattr(error, "strerror", "")
    )
    return StreamsharkError(f"{path}: cannot be used for TLS: {reason}")
