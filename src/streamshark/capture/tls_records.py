"""TLS records, as passed to a decryptor, and their contents."""

from typing import NamedTuple

TLS_KEY_LOG = 0x544C534B
"""Type of a pcapng Decryption Secrets Block that holds lines of a TLS key log."""


class TlsRecord(NamedTuple):
    """One TLS record of a connection."""

    flow: int
    """Number of the connection."""
    from_client: bool
    """True if the side that sent the ClientHello sent it."""
    data: bytes
    """The whole record, its header of five bytes included."""


class Opened(NamedTuple):
    """The content of a record."""

    content: bytes
    """Application data; empty if it held something else, or could not be decrypted."""
    is_open: bool
    """True if the type of its content is known: it was decrypted."""


CLOSED = Opened(b"", is_open=False)
"""Content of a record that could not be decrypted, or that was not encrypted."""
