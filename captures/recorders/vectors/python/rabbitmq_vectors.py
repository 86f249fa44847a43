"""Vectors from rstream's encoders, and the few frames that only a newer broker writes."""

import importlib.metadata

from rstream import encoding, schema
from rstream.compression import CompressionHelper, CompressionType
from rstream.constants import OffsetType

from vectors import NULL, emit

RSTREAM = f"rstream {importlib.metadata.version('rstream')}, "
EXCHANGED = (
    "exchanged with a RabbitMQ 4.0.5 broker, "
    "or made with the codec of RabbitMQ 4.3.5 or osiris 1.10.3"
)


def rabbitmq(file: str, name: str, source: str, data: bytes, expect: dict, **facts: object) -> None:
    """One vector of the RabbitMQ Streams folder; the file's name tells command and kind."""
    if file != "chunk":
        facts["command"] = file.removesuffix("_response")
    if file.endswith("_response"):
        facts["kind"] = "response"
    emit(f"rabbitmq_stream/{file}", name, source, data, expect, **facts)


def rstream() -> None:
    """Publish in both versions and with sub-batches, and the versions of offset specifications."""
    bodies = [b"hello", b"", bytes(range(200))]
    for version in (1, 2):
        # For no filter value rstream writes an empty text where others write null.
        filters = [None, None, None] if version == 1 else ["invoices", "", ""]
        messages = [schema.Message(i, filters[i] or None, body) for i, body in enumerate(bodies)]
        expect = [
            {
                "publishing_id": i,
                **({"filter_value": filters[i]} if version == 2 else {}),
                "body": body.hex(),
            }
            for i, body in enumerate(bodies)
        ]
        data = encoding.encode_publish(schema.Publish(9, messages), version)
        rabbitmq(
            "publish",
            f"rstream_v{version}",
            RSTREAM + "encoding.encode_publish",
            data,
            {"publisher_id": 9, "messages": expect},
            version=version,
        )
    for kind in (CompressionType.No, CompressionType.Gzip):
        records = [b"a", b"bc", b""]
        codec = CompressionHelper.compress(records, kind)
        frame = schema.PublishSubBatching(
            publisher_id=9,
            number_of_root_messages=1,
            publishing_id=2**64 - 1,
            compress_type=0x80 | kind.value << 4,
            subbatching_message_count=codec.messages_count(),
            uncompressed_data_size=codec.uncompressed_size(),
            compressed_data_size=codec.compressed_size(),
            messages=codec.data(),
        )
        entry = {
            "publishing_id": 2**64 - 1,
            "compression": kind.value,
            "record_count": 3,
            "uncompressed_data_size": 15,
            "records": [{"body": each.hex()} for each in records],
        }
        rabbitmq(
            "publish",
            f"rstream_sub_batch_{kind.name.lower()}",
            RSTREAM + "encoding.encode_frame(PublishSubBatching)",
            encoding.encode_frame(frame),
            {"publisher_id": 9, "messages": [entry]},
            version=1,
            note="compressed data is given by what it unpacks to",
        )
    specification = schema.OffsetSpec.from_params(OffsetType.FIRST, None)
    frame = schema.Subscribe(
        correlation_id=1,
        subscription_id=255,
        stream="st",
        offset_spec=specification,
        credit=65535,
        properties=[],
    )
    rabbitmq(
        "subscribe",
        "rstream_first_empty_properties",
        RSTREAM + "encoding.encode_frame(Subscribe)",
        encoding.encode_frame(frame),
        {
            "correlation_id": 1,
            "subscription_id": 255,
            "stream": "st",
            "offset_specification": {"offset_type": 1},
            "credit": 65535,
            "properties": [],
        },
        version=1,
        note="a map of count 0, where others leave it out",
    )
    frame = schema.ConsumerUpdateServerResponse(
        correlation_id=3, response_code=1, offset_specification=schema.OffsetSpecification(1, 0)
    )
    data = encoding.encode_frame(frame)
    rabbitmq(
        "consumer_update_response",
        "rstream_first_with_eight_bytes",
        RSTREAM + "encoding.encode_frame(ConsumerUpdateServerResponse)",
        data,
        {"correlation_id": 3, "response_code": 1, "offset_specification": {"offset_type": 1}},
        version=1,
        note="rstream always appends eight bytes; the broker ignores them for types 0 to 3",
    )


def newer_brokers() -> None:
    """Frames that the codec of 3.10.8 does not have; their size is put in front here."""
    header = {
        "magic": 5,
        "version": 0,
        "num_entries": 1,
        "num_records": 1,
        "timestamp": 1700000000000,
        "epoch": 1,
    }
    tracked = [
        {"type": 0, "reference": "prod", "value": 7},
        {"type": 1, "reference": "cons", "value": 40},
    ]
    frames = [
        (
            "publish",
            "v2_filter_then_null",
            "00020002010000000200000000000000650008696e766f696365730000000568656c6c6f0000000000000066ffff000000026e66",
            {
                "publisher_id": 1,
                "messages": [
                    {"publishing_id": 101, "filter_value": "invoices", "body": b"hello".hex()},
                    {"publishing_id": 102, "filter_value": NULL, "body": b"nf".hex()},
                ],
            },
            2,
        ),
        (
            "consumer_update",
            "active",
            "001a0001000000000101",
            {"correlation_id": 0, "subscription_id": 1, "active": 1},
            1,
        ),
        (
            "consumer_update_response",
            "none",
            "801a00010000000000010000",
            {"correlation_id": 0, "response_code": 1, "offset_specification": {"offset_type": 0}},
            1,
        ),
        (
            "consumer_update_response",
            "offset",
            "801a00010000000000010004000000000000000f",
            {
                "correlation_id": 0,
                "response_code": 1,
                "offset_specification": {"offset_type": 4, "offset": 15},
            },
            1,
        ),
        (
            "resolve_offset_spec_response",
            "offset",
            "801f00010000000100010004000000000000002a",
            {
                "correlation_id": 1,
                "response_code": 1,
                "offset_specification": {"offset_type": 4, "offset": 42},
            },
            1,
        ),
        (
            "deliver",
            "v2_length_but_no_trailer",
            "000800020300000000000000035000000200000002000001a1fafcd15500000000000000010000000000000000beaf09890000000d0000000e000000000000000568656c6c6f00000000",
            {
                "subscription_id": 3,
                "committed_chunk_id": 3,
                "chunk": {
                    **header,
                    "chunk_type": 0,
                    "num_entries": 2,
                    "num_records": 2,
                    "timestamp": 0x1A1FAFCD155,
                    "chunk_id": 0,
                    "entries": [{"body": b"hello".hex()}, {"body": ""}],
                },
            },
            2,
        ),
        (
            "close",
            "server_unknown_frame",
            "0016000100000001000d000d756e6b6e6f776e206672616d65",
            {"correlation_id": 1, "closing_code": 13, "closing_reason": "unknown frame"},
            1,
        ),
        (
            "tune",
            "client_response_form",
            "80140001001000000000000a",
            {"frame_max": 1048576, "heartbeat": 10},
            1,
        ),
    ]
    for file, name, body, expect, version in frames:
        data = bytes.fromhex(body)
        rabbitmq(
            file, name, EXCHANGED, len(data).to_bytes(4, "big") + data, expect, version=version
        )
    chunks = [
        (
            "on_disk_with_bloom",
            (
                "50000002000000020000018bcfe56800000000000000000100000000"
                "0000002a5554a3430000000e0000001c10000000"
                "00000000008000000000000000010000"
                "00000001780000000568656c6c6f"
                "000470726f6400000000000000070104636f6e730000000000000028"
            ),
            {
                **header,
                "chunk_type": 0,
                "num_entries": 2,
                "num_records": 2,
                "chunk_id": 42,
                "bloom": "00000000008000000000000000010000",
                "entries": [{"body": "78"}, {"body": b"hello".hex()}],
                "trailer": tracked,
            },
            "on disk; a Deliver carries neither the bloom bytes nor, by default, the trailer",
        ),
        (
            "tracking_snapshot",
            "50020001000000010000018bcfe568000000000000000001000000000000002de0bf60fc000000280000000000000000000000240104636f6e730000000000000028000470726f64000000000000002a0000000000000007",
            {
                **header,
                "chunk_type": 2,
                "chunk_id": 45,
                "entries": [
                    {
                        "tracking": [
                            {"type": 1, "reference": "cons", "value": 40},
                            {"type": 0, "reference": "prod", "chunk_id": 42, "value": 7},
                        ]
                    }
                ],
            },
            "",
        ),
    ]
    for name, body, expect, note in chunks:
        rabbitmq("chunk", name, EXCHANGED, bytes.fromhex(body), expect, bare=True, note=note)


if __name__ == "__main__":
    rstream()
    newer_brokers()
