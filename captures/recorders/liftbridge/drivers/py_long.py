"""Works for half a minute by python-liftbridge; prints what it counted as JSON."""

import json
import threading
import time
from collections import Counter

from python_liftbridge import Lift, Message, Stream

END = time.monotonic() + 25
counted: Counter[str] = Counter()


def connect() -> Lift:
    return Lift(ip_address="127.0.0.1:9292", timeout=5)


def publisher() -> None:
    client = connect()
    while time.monotonic() < END:
        client.publish(Message(value=f"message {counted['published']}", stream="py-stream"))
        counted["published"] += 1
        if counted["published"] % 40 == 0:
            client.fetch_metadata()
        time.sleep(0.15)


def whole() -> None:
    """Reads what is there, from the beginning, several times."""
    client = connect()
    for want in (5, 20, 40, 80):
        while counted["published"] < want:
            time.sleep(0.2)
        stream = Stream(subject="py", name="py-stream").start_at_earliest_received()
        for got, _ in enumerate(client.subscribe(stream), 1):
            counted["read"] += 1
            if got == want:
                break


def new() -> None:
    """Reads what is new."""
    client = connect()
    for _ in client.subscribe(Stream(subject="py", name="py-stream").start_at_latest_received()):
        counted["new"] += 1
        if time.monotonic() > END - 1:
            break


connect().create_stream(Stream(subject="py", name="py-stream"))
time.sleep(0.5)
threads = [threading.Thread(target=each) for each in (publisher, whole, new)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps(counted))
