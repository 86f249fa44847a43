"""The public Python API, fast to import: heavy modules are loaded on first use."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from streamshark.dissection.row import Frame
    from streamshark.schema.encoding import Changes
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


def encode(
    protocol: str,
    command: str,
    fields: Mapping[str, Any],
    *,
    kind: str | None = None,
    version: int | None = None,
    dialect: str = "",
) -> bytes:
    """Encode one frame; `fields` are those of `Frame.fields`, `protocol` is an id or short name.

    `kind` and `version` choose where a command has several frames; the first one otherwise.
    Lengths, counts and checksums that are left out are computed, and so is the head.

    Raises:
        StreamsharkError: There is no such frame, a value does not fit, or the frame would be
            malformed.
    """
    from streamshark.framing.frame_names import FrameName, decoders_of  # noqa: PLC0415
    from streamshark.protocols.catalog import catalog, find  # noqa: PLC0415
    from streamshark.schema.encoding import encoded  # noqa: PLC0415

    wire = find(protocol, catalog()).wire
    found = decoders_of(wire, FrameName(command, kind, None, version), dialect)
    return encoded(found[0].tree, dict(fields))


def amend(frame: "Frame", changes: "Changes") -> bytes:
    """Return the bytes of a frame with some values changed, all others as they were.

    `changes` are new values by path, such as `{("streams", 0, "leader"): 2}`. Lengths, counts and
    checksums that follow from them are computed. The frame is one of a session opened with
    `show_secrets=True`: the bytes of another have no secrets.

    Raises:
        StreamsharkError: A path names no field, a value does not fit, or the frame would be
            malformed.
    """
    from streamshark.decoding.amending import amended  # noqa: PLC0415
    from streamshark.framing.frame_names import FrameName, decoders_of  # noqa: PLC0415
    from streamshark.protocols.catalog import catalog, find  # noqa: PLC0415

    wire = find(frame.protocol, catalog()).wire
    name = FrameName(frame.command or "", frame.kind, frame.key, frame.version)
    forms = (False, True) if wire.bare else (False,)
    found = [each for form in forms for each in decoders_of(wire, name, bare=form)]
    fields = frame.fields
    return amended(
        min(found, key=lambda one: one.read(frame.data)[0] != fields), frame.data, changes
    )
