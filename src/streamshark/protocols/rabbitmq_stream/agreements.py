"""What a connection agrees, and which frames say it; remembered for all its later frames."""

from typing import Final

from streamshark.frames.wire import Agreement

REQUEST: Final = (False,)
RESPONSE: Final = (True,)

AGREEMENTS: Final = (
    Agreement(
        "client_properties",
        "peer_properties",
        "peer_properties",
        "What the client says of itself: `product`, `version`, `connection_name`, ...",
        REQUEST,
    ),
    Agreement(
        "server_properties",
        "peer_properties",
        "peer_properties",
        "What the server says of itself: `product`, `version`, `cluster_name`, ...",
        RESPONSE,
    ),
    Agreement(
        "mechanism", "sasl_authenticate", "mechanism", "SASL mechanism of the client.", REQUEST
    ),
    Agreement(
        "frame_max",
        "tune",
        "frame_max",
        "Largest frame, without its size; 0 for no limit. The server proposes, the client's answer "
        "holds; a broker that enforces it takes the smaller of the two that is not 0.",
    ),
    Agreement(
        "heartbeat",
        "tune",
        "heartbeat",
        "Longest silence in seconds; 0 for none. The server proposes, the client's answer holds.",
    ),
    Agreement("virtual_host", "open", "virtual_host", "Virtual host of the client.", REQUEST),
    Agreement(
        "connection_properties",
        "open",
        "connection_properties",
        "Where this node is reached: `advertised_host` and `advertised_port`.",
        RESPONSE,
    ),
    Agreement(
        "client_command_versions",
        "exchange_command_versions",
        "commands",
        "Commands as the client speaks them; the greatest version of Deliver chooses its layout.",
        REQUEST,
    ),
    Agreement(
        "server_command_versions",
        "exchange_command_versions",
        "commands",
        "Commands as the server speaks them.",
        RESPONSE,
    ),
)
