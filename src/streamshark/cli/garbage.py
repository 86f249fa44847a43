"""Collection of garbage, which the command line switches off while it imports modules."""

import gc
from functools import cache


def collect_from_now_on() -> None:
    """Collect garbage from now on; what was imported is left out, so that this takes little."""
    _freeze()
    gc.enable()


@cache
def _freeze() -> None:
    """Exclude imported objects from garbage collection; done once, as it keeps garbage too."""
    gc.freeze()
