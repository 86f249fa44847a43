"""Plays the fifth round of the blind test by python-liftbridge; prints what it counted as JSON."""

import json
import sys
import time

from python_liftbridge import ErrStreamExists, Lift, Message, Stream

counted: dict[str, int] = {}


def connect() -> Lift:
    return Lift(ip_address="127.0.0.1:9292", timeout=5)


def publish(client: Lift, stream: str, text: str) -> None:
    client.publish(Message(value=text, stream=stream))
    counted["published"] = counted.get("published", 0) + 1
    time.sleep(0.05)


def replicas(*, adapts: bool) -> None:
    """Creates a stream of three replicas; with `adapts` of one after it was refused."""
    client = connect()
    for attempt in range(15):
        stream = Stream(subject="billing", name="billing")
        stream.replication_factor = 1 if adapts and attempt else 3
        try:
            client.create_stream(stream)
        except Exception:  # noqa: BLE001
            counted["refused"] = counted.get("refused", 0) + 1
            time.sleep(0.4)
            continue
        time.sleep(0.4)
        for number in range(20):
            publish(client, "billing", f"bill {number}")
        break


def runs(*, fixed: bool) -> None:
    """Runs of a program that creates its stream, under one name or a new one."""
    for run in range(8):
        client, name = connect(), "payments" if fixed else f"payments-{1764150000 + 37 * run}"
        try:
            client.create_stream(Stream(subject="payments", name=name))
        except ErrStreamExists:
            counted["existed"] = counted.get("existed", 0) + 1
        time.sleep(0.3)
        for number in range(6):
            publish(client, name, f"payment {number} of run {run}")
        client.channel.close()
        time.sleep(0.25)


match sys.argv[1]:
    case "replicas_of_production" | "replicas_adapted":
        replicas(adapts=sys.argv[1] == "replicas_adapted")
    case _:
        runs(fixed=sys.argv[1] == "stream_name_fixed")
print(json.dumps(counted))
