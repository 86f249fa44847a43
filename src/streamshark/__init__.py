"""Streamshark: Wireshark for streaming protocols.

```python
import streamshark

for frame in streamshark.open("capture.pcapng"):
    print(frame)
for finding in streamshark.check("capture.pcapng"):
    print(finding.severity, finding.rule, finding.message)
```
"""

from streamshark.api import (
    amend,
    check,
    encode,
    open,  # noqa: A004 - reads as streamshark.open(...)
    read_conversations,
)

__all__ = ["amend", "check", "encode", "open", "read_conversations"]
__version__ = "0.1.0"
