"""Streamshark: Wireshark for streaming protocols.

```python
import streamshark

for frame in streamshark.open("capture.pcapng"):
    print(frame.frame, frame.command, frame.fields)
```
"""

from streamshark.api import amend, encode, open  # noqa: A004 - reads as streamshark.open(...)

__all__ = ["amend", "encode", "open"]
__version__ = "0.1.0"
