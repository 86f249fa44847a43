"""Streamshark: Wireshark for streaming protocols.

```python
import streamshark

for frame in streamshark.open("capture.pcapng"):
    print(frame.frame, frame.command, frame.fields)
```
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from streamshark.session import Session

__version__ = "0.1.0"


def open(*sources: str, **options: Any) -> "Session":  # noqa: A001 - reads as streamshark.open(...)
    """A session over one or several captures (paths, `-` for standard input), in time order.

    Iterating over it gives `streamshark.frames.frame.Frame` records; `options` are those of
    `streamshark.session.Session`. Raises StreamsharkError for what cannot be read at all.
    """
    from streamshark.session import Session  # noqa: PLC0415 - keeps `import streamshark` light

    return Session(sources, **options)
