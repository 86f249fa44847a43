"""Values that a connection negotiates and the frames that carry them; kept for all later frames."""

from typing import Final

from streamshark.framing.wire_format import NegotiatedValue

REQUEST: Final = (False,)
RESPONSE: Final = (True,)

AGREEMENTS: Final = (
    NegotiatedValue(
        "client_properties",
        "peer_properties",
        "peer_properties",
        "What the client says of itself: `product`, `version`, `connection_name`, ...",
        REQUEST,
    ),
    NegotiatedValue(
        "server_properties",
        "peer_properties",
        "peer_properties",
        "What the server says of itself: `product`, `version`, `cluster_name`, ...",
        RESPONSE,
    ),
    NegotiatedValue(
        "mechanism", "sasl_authenticate", "mechanism", "SASL mechanism of the client.", REQUEST
    ),
    NegotiatedValue(
        "frame_max",
        "tune",
        "frame_max",
        "Largest frame, without its size; 0 for no limit. The server proposes, the client's answer "
        "holds; a broker that enforces it takes the smaller of the two that is not 0.",
    ),
    NegotiatedValue(
        "heartbeat",
        "tune",
        "heartbeat",
        "Longest silence in seconds; 0 for none. The server proposes, the client's answer holds.",
    ),
    NegotiatedValue("virtual_host", "open", "virtual_host", "Virtual host of the client.", REQUEST),
    NegotiatedValue(
        "connection_properties",
        "open",
        "connection_properties",
        "Where this node is reached: `advertised_host` and `advertised_port`.",
        RESPONSE,
    ),
    NegotiatedValue(
        "client_command_versions",
        "exchange_command_versions",
        "commands",
        "Commands as the client speaks them; the greatest version of Deliver chooses its layout.",
        REQUEST,
    ),
    NegotiatedValue(
        "server_command_versions",
        "exchange_command_versions",
        "commands",
        "Commands as the server speaks them.",
        RESPONSE,
    ),
)
