"""CONNECT: a client, or a server that connects to another, says who it is.

The first line of a client, after INFO (and TLS). Passwords, tokens, keys and signatures are
masked; so are unknown members, for a misspelt name may hold one.

Spec: docs.nats.io, Client Protocol, CONNECT; nats-server v2.12.2, server/client.go, ClientOpts,
server/route.go, connectInfo, server/leafnode.go, leafConnectInfo.
"""

from streamshark.schema import FrameKind, FrameSchema, JsonLine, Sender, member

_MEMBERS = (
    member("verbose", "boolean", "Whether each line is answered by +OK; absent means yes."),
    member("pedantic", "boolean", "Whether subjects are checked strictly; absent means yes."),
    member("tls_required", "boolean", "Whether the client insists on TLS."),
    member("nkey", "text", "Public nkey of the user.", secret=True),
    member("jwt", "text", "Token that says what the user may.", secret=True),
    member("sig", "text", "The signed nonce of INFO.", secret=True, role="chance"),
    member("auth_token", "text", "Token in place of user and password.", secret=True),
    member("user", "text", "Name of the user.", role="user"),
    member("pass", "text", "Password.", secret=True),
    member("name", "text", "Name of the client; of a server its id.", role="reference"),
    member("lang", "text", "Language of the client library.", role="product"),
    member(
        "version", "text", "Version of the client library; of a server its own.", role="product"
    ),
    member("protocol", "integer", "1: the client takes INFO at any time."),
    member(
        "echo", "boolean", "Whether the client gets what it publishes itself; absent means yes."
    ),
    member("account", "text", "Account to be bound to.", role="user"),
    member("new_account", "boolean", "Whether that account must be new."),
    member("headers", "boolean", "Whether the client knows HPUB and HMSG."),
    member(
        "no_responders",
        "boolean",
        "Whether the client wants no-responders messages; needs headers.",
    ),
    member("import", "json", "Subjects that a peer may send."),
    member("export", "json", "Subjects that a peer may get."),
    member("remote_account", "text", "Account at the other end.", role="user"),
    member("proxy_sig", "text", "Nonce signed by a proxy.", secret=True),
    member("server_id", "text", "Id of a leaf node's server.", role="chance"),
    member("domain", "text", "JetStream domain of a leaf node."),
    member("is_hub", "boolean", "Whether a leaf node takes the part of the hub."),
    member("cluster", "text", "Cluster of the server that connects."),
    member("cluster_dynamic", "boolean", "Whether the cluster's name was made up."),
    member("lnoc", "boolean", "Whether it knows the origin cluster of leaf nodes."),
    member("lnocu", "boolean", "Whether its LS- has the origin cluster."),
    member("ln", "boolean", "Whether LS+ and LS- name leaf nodes without a cluster too."),
    member("jetstream", "boolean", "Whether a leaf node has JetStream."),
    member("deny_pub", "tokens", "Subjects that a leaf node must not get."),
    member("isolate", "boolean", "Whether a leaf node wants nothing of other leaf nodes."),
    member("compress_mode", "text", "Compression that a leaf node wants.", role="keyword"),
    member("gateway", "text", "Cluster of the gateway that connects; empty on routes."),
)

FRAMES = (
    FrameSchema(
        name="connect",
        key="connect",
        kind=FrameKind.COMMAND,
        sender=Sender.CLIENT,
        doc="Says who connects, and what it wants.",
        spec="docs.nats.io, Client Protocol, CONNECT",
        negotiates=True,
        body=(JsonLine("CONNECT", *_MEMBERS, hides_other=True),),
        shows=(
            "name={name} user={user} {lang} {version} {verbose?verbose} {headers?headers} "
            "cluster={cluster} gateway={gateway}"
        ),
    ),
)
