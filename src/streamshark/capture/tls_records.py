"""What goes to whoever decrypts TLS, and what comes back."""

from typing import NamedTuple

TLS_KEY_LOG = 0x544C534B
"""Type of a pcapng Decryption Secrets Block that holds lines of a TLS key log."""


class TlsRecord(NamedTuple):
    """One TLS record of a connection."""

    flow: int
    """Number of the connection."""
    from_client: bool
    """Whether the side that sent the ClientHello sent it."""
    data: bytes
    """The whole record, its header of five bytes included."""


class Opened(NamedTuple):
    """What was inside of a record."""

    content: bytes
    """Application data; empty when it held something else, or could not be decrypted."""
    is_open: bool
    """Whether it is known what it held."""


CLOSED = Opened(b"", is_open=False)
"""Of a record that could not be decrypted, or that was not encrypted."""
