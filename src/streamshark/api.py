"""The public Python API, light to import: what is heavy is loaded when it is used."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from streamshark.session import Session


def open(*sources: str, **options: Any) -> "Session":  # noqa: A001, ANN401 - streamshark.open(...)
    """A session over one or several captures (paths, `-` for standard input), in time order.

    Iterating over it gives `streamshark.dissection.row.Frame` records; `options` are those of
    `streamshark.session.Session`: passwords and tokens are hidden in `fields` and `data` unless
    `show_secrets=True` asks for them. Raises StreamsharkError for what cannot be read at all.
    """
    from streamshark.session import Session  # noqa: PLC0415 - keeps `import streamshark` light

    return Session(sources, **options)
