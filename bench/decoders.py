"""The decoders alone, on typical frames."""

import random
import time
from collections.abc import Callable

from generator import SEED, bodies, confirm, credit, deliver, handshake, publish

from streamshark.protocols.catalog import catalog, find
from streamshark.schema import Head, reference

MOST_AT_ONCE = 20
"""Calls between two looks at the clock."""


def frames() -> dict[str, tuple[str, bytes]]:
    """Title to name of the frame and its bytes."""
    source = random.Random(SEED)  # noqa: S311 - must be the same each time
    messages = bodies(100, source)
    opening = [data for _, data in handshake("client")]
    return {
        "credit": ("credit", credit()),
        "declare_publisher": ("declare_publisher", opening[10]),
        "declare_publisher_response": ("declare_publisher_response", opening[11]),
        "peer_properties": ("peer_properties", opening[0]),
        "publish_confirm, 100 ids": ("publish_confirm", confirm(0, 100)),
        "publish, 1 message": ("publish", publish(messages[:1], 0)),
        "publish, 100 messages": ("publish", publish(messages, 0)),
        "deliver, 1 message": ("deliver", deliver(messages[:1], 0)),
        "deliver, 100 messages": ("deliver", deliver(messages, 0)),
    }


def microseconds(call: Callable[[], object], seconds: float) -> float:
    """Time of one call: the best of several spells, some `seconds` in all."""
    call()
    best = float("inf")
    end = time.perf_counter() + seconds
    while (start := time.perf_counter()) < end:
        for _ in range(MOST_AT_ONCE):
            call()
        best = min(best, (time.perf_counter() - start) / MOST_AT_ONCE)
    return best * 1e6


def decoder_rows(seconds: float) -> list[list[str]]:
    """Frame, bytes, microseconds of each decoder, rate of the shallow one."""
    table = find("rabbitmq_stream", catalog()).wire.table()
    rows = []
    for title, (name, data) in frames().items():
        [decoder] = [
            each
            for each in table.all
            if each.tree.prefix == f"rmqstream.{name}" and each.tree.schema.version in (None, 1)
        ]
        schema, head = decoder.tree.schema, decoder.tree.head
        if not isinstance(head, Head):
            raise TypeError(name)
        times = [
            microseconds(lambda: reference.parse(schema, head, data), seconds),  # noqa: B023
            microseconds(lambda: decoder.careful(data), seconds),  # noqa: B023
            microseconds(lambda: decoder.fast(data), seconds),  # noqa: B023
            microseconds(lambda: decoder.shallow(data), seconds),  # noqa: B023
        ]
        rate = f"{len(data) / times[-1]:.0f}"
        rows.append([title, str(len(data)), *(f"{each:.2f} us" for each in times), rate])
    return rows
