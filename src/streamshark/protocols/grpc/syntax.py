"""Words of gRPC in metadata and texts: a redaction keeps them.

Source: grpc v1.65, `doc/PROTOCOL-HTTP2.md`.
"""

from typing import Final

from streamshark.schema.syntax import Syntax, word_set

SYNTAX: Final = Syntax(
    words=word_set(
        """
        deadline exceeded unavailable unimplemented cancelled canceled permission denied
        unauthenticated internal transport method service rpc stream call"""),
    keys={
        ":method": "keyword", ":scheme": "keyword", ":path": "keyword", ":status": "keyword",
        ":authority": "host", "host": "host", "content-type": "keyword", "te": "keyword",
        "user-agent": "product", "server": "product", "grpc-message": "text",
        "grpc-status-details-bin": "body", "grpc-trace-bin": "body", "grpc-tags-bin": "body",
        "grpc-*": "keyword", "accept-encoding": "keyword", "content-length": "keyword",
        "content-encoding": "keyword", "accept": "keyword", "date": "keyword", "trailer": "keyword",
    },
)  # fmt: skip
