"""JSON arrays, item by item."""


class JsonArray:
    """A JSON array that is written item by item, one per line."""

    START = "["

    def __init__(self) -> None:
        self._between = "\n"

    def item(self, text: str) -> str:
        """Return an item after its separator."""
        between, self._between = self._between, ",\n"
        return between + text

    def skip(self) -> None:
        """Note that another writer has written an item."""
        self._between = ",\n"

    @property
    def end(self) -> str:
        """The end of the array."""
        return "]" if self._between == "\n" else "\n]"
