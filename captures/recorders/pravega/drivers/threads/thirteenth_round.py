"""What the Python client is made to do in the thirteenth round of the blind test: `PLAY`."""

import json
import os
import sys
import time

import pravega_client

counted: dict[str, int] = {}


def count(name: str) -> None:
    counted[name] = counted.get(name, 0) + 1


def bookings(*, aborted: bool) -> None:
    """A clerk books seats in a transaction each; an overseer may abort it in between."""
    manager = pravega_client.StreamManager("tcp://127.0.0.1:9090")
    manager.create_scope("theatre")
    manager.create_stream("theatre", "bookings", 1)
    manager.create_stream("theatre", "visits", 1)
    clerk = manager.create_transaction_writer("theatre", "bookings", 3)
    overseer = pravega_client.StreamManager("tcp://127.0.0.1:9090").create_transaction_writer(
        "theatre", "bookings", 4
    )
    other = manager.create_writer("theatre", "visits")
    for number in range(9):
        booking = clerk.begin_txn()
        booking.write_event(f"booking {number} begins", routing_key="hall")
        if aborted and number % 3 != 2:
            overseer.get_txn(booking.get_txn_id()).abort()
            time.sleep(0.35)
        for seat in range(5):
            try:
                booking.write_event(f"seat {seat} of booking {number}", routing_key="hall")
                count("written")
            except Exception:  # noqa: BLE001
                count("not_written")
            time.sleep(0.05)
        try:
            booking.commit()
            count("committed")
        except Exception:  # noqa: BLE001
            count("not_committed")
        other.write_event(f"visitor {number}", routing_key="door")
        other.flush()
        time.sleep(0.2)


bookings(aborted=sys.argv[1] == "written_after_the_abort")
print(json.dumps(counted), flush=True)
time.sleep(0.3)
os._exit(0)
