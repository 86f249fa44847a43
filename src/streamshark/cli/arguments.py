"""Arguments that are a file, `-` for standard input, or what is meant itself."""

import sys
from pathlib import Path

from streamshark.errors import StreamsharkError


def is_file(text: str) -> bool:
    """Return whether an argument names something that exists."""
    try:
        return bool(text) and Path(text).exists()
    except (OSError, ValueError):
        return False


def read(text: str) -> tuple[str, bytes]:
    """Return the name for messages and the bytes of a file, or of standard input (`-`)."""
    if text == "-":
        return "standard input", sys.stdin.buffer.read()
    try:
        return text, Path(text).read_bytes()
    except OSError as error:
        raise StreamsharkError(f"{text}: cannot read: {error.strerror or error}") from None


def text_of(data: bytes, name: str, instead: str) -> str:
    """Return bytes as text; an error for other bytes says what to do `instead`."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise StreamsharkError(f"{name}: not text; {instead}")
    return text
