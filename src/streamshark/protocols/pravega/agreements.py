"""What a connection agrees: which version each side speaks, said by its HELLO."""

from typing import Final

from streamshark.frames.wire import Agreement

AGREEMENTS: Final = (
    Agreement(
        "version",
        "hello",
        "high_version",
        "Newest version that the side speaks that said HELLO last, which is the server.",
        (False,),
    ),
)
