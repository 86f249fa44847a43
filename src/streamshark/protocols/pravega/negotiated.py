"""What a connection agrees: the version that both sides speak, as their HELLOs say."""

from typing import Final

from streamshark.framing.wire_format import NegotiatedValue

AGREEMENTS: Final = (
    NegotiatedValue(
        "version",
        "hello",
        "high_version",
        "Newest version that both sides speak; until the second HELLO that of the first.",
        (False,),
        least=True,
    ),
)
