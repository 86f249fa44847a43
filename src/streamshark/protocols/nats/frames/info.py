"""INFO: a server says what it is and what it asks for.

The first line of every connection but that of a soliciting peer, and again at any time: after
CONNECT, when the cluster changes, before the server stops. Where it says `tls_required`, TLS begins
after it. nats-server 2.12.2 sends every client a second one after CONNECT. Between servers both
sides send it; on a link of a leaf node with S2 there is one each way, and CONNECT comes packed.

Spec: docs.nats.io, Client Protocol, INFO; nats-server v2.12.2, server/server.go, type Info.
"""

from streamshark.protocols.nats.codes import GatewayCommand
from streamshark.schema import FrameKind, FrameSchema, JsonLine, Sender, member

_MEMBERS = (
    member("server_id", "text", "Id of the server, made anew at each start.", role="chance"),
    member("server_name", "text", "Name of the server."),
    member(
        "version", "text", "Version of the server; empty in what gateways gossip.", role="product"
    ),
    member(
        "proto",
        "integer",
        "Version of the protocol: 1 of clients knows later INFOs.",
    ),
    member("git_commit", "text", "Commit that the server was built from.", role="product"),
    member("go", "text", "Version of Go that it was built with.", role="product"),
    member("host", "text", "Address that it listens on.", role="host"),
    member("port", "integer", "Port that it listens on.", role="port"),
    member("headers", "boolean", "Whether it knows HPUB and HMSG."),
    member("auth_required", "boolean", "Whether clients must say who they are."),
    member("tls_required", "boolean", "Whether TLS begins after this line."),
    member("tls_verify", "boolean", "Whether clients need a certificate."),
    member("tls_available", "boolean", "Whether TLS may begin after this line."),
    member(
        "max_payload", "integer", "Most bytes of headers and payload of a message.", unit="bytes"
    ),
    member("jetstream", "boolean", "Whether the server has JetStream."),
    member(
        "ip",
        "text",
        "Address of the connection's other end, for gossip between servers.",
        role="address",
    ),
    member("client_id", "integer", "Number of this connection at the server.", role="chance"),
    member("client_ip", "text", "Address of the client as the server sees it.", role="client_host"),
    member("nonce", "text", "What a client with an nkey is to sign.", role="chance"),
    member("cluster", "text", "Name of the server's cluster."),
    member("cluster_dynamic", "boolean", "Whether the cluster's name was made up."),
    member("domain", "text", "JetStream domain of the server."),
    member(
        "connect_urls", "tokens", "Other servers of the cluster, for clients.", role="host address"
    ),
    member("ws_connect_urls", "tokens", "The same for clients in WebSocket.", role="address"),
    member("ldm", "boolean", "Lame duck mode: the server is about to stop, clients are to leave."),
    member(
        "compression",
        "text",
        "Compression of the link that it is ready for: off, accept, s2_auto, ...",
        role="keyword",
    ),
    member("connect_info", "boolean", "Whether this answers CONNECT."),
    member("remote_account", "text", "Account that the other side is bound to.", role="user"),
    member("acc_is_sys", "boolean", "Whether that is the system account."),
    member("api_lvl", "integer", "Level of the JetStream API."),
    member("import", "json", "Subjects that a peer may send."),
    member("export", "json", "Subjects that a peer may get."),
    member("lnoc", "boolean", "Whether it knows the origin cluster of leaf nodes."),
    member("lnocu", "boolean", "Whether its LS- has the origin cluster."),
    member("ln", "boolean", "Whether LS+ and LS- name leaf nodes without a cluster too."),
    member("info_on_connect", "boolean", "Whether it answers CONNECT with another INFO."),
    member("route_pool_size", "integer", "Routes that the server keeps to each other one."),
    member("route_pool_idx", "integer", "Place of this route among them; absent for the first."),
    member(
        "route_account",
        "text",
        "The one account of this route, which verbs do not repeat.",
        role="user",
    ),
    member("route_acc_add_reqid", "text", "Asks for a route of this account."),
    member("gossip_mode", "integer", "Address under which the server is announced to others."),
    member("gateway", "text", "Name of the gateway's cluster."),
    member("gateway_urls", "tokens", "Gateways of that cluster.", role="address"),
    member("gateway_url", "text", "Gateway of this server.", role="address"),
    member("gateway_cmd", "integer", "What is to be done.", names=GatewayCommand),
    member("gateway_cmd_payload", "text", "Account that it is about, in base64."),
    member("gateway_nrp", "boolean", "Whether it knows the newer prefix of mapped replies."),
    member("gateway_iom", "boolean", "Whether it goes to interest-only mode for all accounts."),
    member("leafnode_urls", "tokens", "Where leaf nodes may link to.", role="address"),
    member("xkey", "text", "Public key for encryption to the server."),
)

FRAMES = (
    FrameSchema(
        name="info",
        key="info",
        kind=FrameKind.COMMAND,
        sender=Sender.SERVER,
        doc="Says what a server is and what it asks for.",
        spec="docs.nats.io, Client Protocol, INFO",
        negotiates=True,
        body=(JsonLine("INFO", *_MEMBERS),),
        shows=(
            "{server_name} {version} max_payload={max_payload:size} {headers?headers} "
            "{tls_required?tls} {auth_required?auth} {jetstream?jetstream} cluster={cluster} "
            "{ldm?lame_duck} account={route_account} gateway={gateway} command={gateway_cmd}"
        ),
    ),
)
