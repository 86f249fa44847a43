"""Documents and files of the broker that rules name as their sources."""

from typing import Final

DOC: Final = "PROTOCOL.adoc"
CORE: Final = "rabbitmq-server v4.3.5, rabbit_stream_core.erl"
READER: Final = "rabbitmq-server v4.3.5, rabbit_stream_reader.erl"
UTILS: Final = "rabbitmq-server v4.3.5, rabbit_stream_utils.erl"
OSIRIS: Final = "rabbitmq/osiris 1.10.3, osiris_log.erl"
