"""What the Python client is made to do in the seventeenth round of the blind test: `PLAY`."""

import json
import os
import sys
import time

import pravega_client

counted: dict[str, int] = {}


def count(name: str, number: int = 1) -> None:
    counted[name] = counted.get(name, 0) + number


def writes(writer: object, order: int) -> object:
    """A transaction with the lines of an order; it is committed."""
    transaction = writer.begin_txn()
    for line in range(4):
        transaction.write_event(f"order {order} line {line}", routing_key=f"order-{order}")
    transaction.commit()
    count("committed")
    return transaction


def orders(how: str) -> None:
    """Five orders, two of which are committed and written again, or whose status is asked for."""
    manager = pravega_client.StreamManager("tcp://127.0.0.1:9090")
    manager.create_scope("shop")
    manager.create_stream("shop", "orders", 1)
    writer = manager.create_transaction_writer("shop", "orders", 5)
    for order in range(5):
        transaction = writes(writer, order)
        time.sleep(1)
        if order in (1, 3) and how == "again":
            try:
                writer.get_txn(transaction.get_txn_id()).commit()
            except Exception:  # noqa: BLE001
                count("refused")
            writes(writer, order)
            time.sleep(0.7)
        elif order in (1, 3):
            count("open", int(transaction.is_open()))


orders(sys.argv[1])
print(json.dumps(counted), flush=True)
time.sleep(0.2)
os._exit(0)
