"""Names given files that are too large for a repository; captures have a rule of their own."""

import sys
from pathlib import Path

LARGEST = 256 * 1024

large = [
    name
    for name in sys.argv[1:]
    if not name.startswith("captures/") and Path(name).stat().st_size > LARGEST
]
for name in large:
    print(f"{name}: larger than {LARGEST} bytes")  # noqa: T201
sys.exit(bool(large))
