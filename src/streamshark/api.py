"""The public Python API, fast to import: heavy modules are loaded on first use."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from streamshark.session import Session


def open(*sources: str, **options: Any) -> "Session":  # noqa: A001, ANN401 - streamshark.open(...)
    """Open one or several captures (paths, `-` for standard input) as one session, in time order.

    Iterating over the session yields `streamshark.dissection.row.Frame` records; `options` are
    those of `streamshark.session.Session`. Passwords and tokens are hidden in `fields` and `data`
    unless `show_secrets=True`.

    Raises:
        StreamsharkError: A capture cannot be read at all.
    """
    from streamshark.session import Session  # noqa: PLC0415 - keeps `import streamshark` light

    return Session(sources, **options)
