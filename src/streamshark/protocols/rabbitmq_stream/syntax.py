"""Words of RabbitMQ Streams in names, maps and texts: a redaction keeps them.

Source: PROTOCOL.adoc of rabbitmq-server v4.3.0; `rabbit_stream_manager.erl`, `osiris.erl`.
"""

import re
from typing import Final

from streamshark.schema.syntax import Syntax

SYNTAX: Final = Syntax(
    names=re.compile(r"^(amq)(?=\.)"),
    words=frozenset({"ok", "unknown", "frame", "virtual", "host", "closed", "user", "deleted"}),
    keys={
        "product": "product", "version": "product", "platform": "product", "copyright": "product",
        "information": "product", "language": "product", "rabbitmq-version": "product",
        "connection_name": "reference", "cluster_name": "host", "node": "host", "id": "reference",
        "advertised_host": "server_host", "advertised_port": "keyword", "*_port": "keyword",
        "name": "reference", "super-stream": "stream", "single-active-consumer": "keyword",
        "match-unfiltered": "keyword", "chunk_selector": "keyword", "filter.*": "name",
        "max-length-bytes": "keyword", "max-age": "keyword", "queue-leader-locator": "keyword",
        "stream-max-segment-size-bytes": "keyword", "initial-cluster-size": "keyword",
        "stream-filter-size-bytes": "keyword", "stream-initial-offset": "keyword",
        "leader-locator": "keyword",
        "committed_offset": "keyword", "committed_chunk_id": "keyword", "readers": "keyword",
        "first_chunk_id": "keyword", "last_chunk_id": "keyword", "segments": "keyword",
    },
)  # fmt: skip
