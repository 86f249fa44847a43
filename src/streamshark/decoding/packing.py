"""Packs bytes by the codecs of slots: what `codecs.unpack` reads."""

from streamshark.decoding.codecs import CODECS
from streamshark.schema.bytes_and_text import RAW


def pack(codec: str, data: bytes) -> bytes | None:
    """Return packed bytes; None where the codec is not known.

    >>> pack("none", b"ab"), pack("7", b"ab")
    (b'ab', None)
    """
    if codec == RAW:
        return data
    if codec not in CODECS:
        return None
    import cramjam  # noqa: PLC0415 - most frames pack nothing

    return bytes(getattr(cramjam, codec).compress(data))
