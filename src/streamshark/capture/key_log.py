"""TLS key logs: the lines that some connections need.

Format: draft-ietf-tls-keylogfile: label, client random or another identifier, secret.
"""

from collections.abc import Container

RANDOM = 32
"""Bytes of a client random."""
_PARTS = 3


def lines_of(log: bytes, randoms: Container[bytes]) -> list[bytes]:
    """Return the lines of a key log that the connections with these client randoms need.

    Lines with other identifiers (`RSA`) say nothing of the connection that they are for: they are
    kept.
    """
    lines = []
    for line in log.splitlines():
        parts = line.split()
        if len(parts) < _PARTS or line.startswith(b"#"):
            continue
        random = random_of(line)
        if random is None or random in randoms:
            lines.append(line)
    return lines


def random_of(line: bytes) -> bytes | None:
    """Return the client random of a line; None if it has another identifier."""
    parts = line.split()
    if len(parts) < _PARTS or len(parts[1]) != 2 * RANDOM:
        return None
    try:
        return bytes.fromhex(parts[1].decode())
    except ValueError:
        return None
