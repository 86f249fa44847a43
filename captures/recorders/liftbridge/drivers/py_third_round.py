"""Plays the third round of the blind test by python-liftbridge; prints what it counted as JSON."""

import json
import sys
import threading
import time
from contextlib import suppress

import grpc
import python_liftbridge.api_pb2 as api
from python_liftbridge import Lift, Message, Stream

counted: dict[str, int] = {"read": 0}


def client() -> Lift:
    return Lift(ip_address="127.0.0.1:9292", timeout=5)


def made(name: str, subject: str = "") -> Lift:
    """A client that has created a stream."""
    own = client()
    own.create_stream(Stream(subject=subject or name, name=name))
    time.sleep(0.5)
    return own


def take(stream: Stream, number: int) -> None:
    """Reads so many messages, on a connection of its own."""
    left = number
    for each in client().subscribe(stream):
        left -= bool(each.value)
        counted["read"] += bool(each.value)
        if left <= 0:
            break


def subscribes_with_timeout() -> None:
    own, over = made("alarms"), threading.Event()

    def publish() -> None:
        publisher, sent = client(), 0
        while not over.wait(0.13):
            publisher.publish(Message(value=f"alarm {sent}", stream="alarms"))
            sent += 1
        counted["published"] = sent

    thread = threading.Thread(target=publish)
    thread.start()
    wanted = api.SubscribeRequest(stream="alarms", startPosition=api.NEW_ONLY)
    for _ in range(12):
        with suppress(grpc.RpcError):
            for each in own.stub.Subscribe(wanted, timeout=0.4):
                counted["read"] += bool(each.value)
        time.sleep(0.15)
    over.set()
    thread.join()


def since(unit: int, back: float) -> None:
    """Subscribes four times at a time some seconds ago, in a unit of so many a second."""
    own = made("events")
    for n in range(20):
        own.publish(Message(value=f"event {n}", stream="events"))
    time.sleep(0.5)
    for turn in range(4):
        time.sleep(1)
        began = time.time() - back
        for n in range(2):
            own.publish(Message(value=f"event {20 + turn * 2 + n}", stream="events"))
        stream = Stream(subject="events", name="events")
        stream.start_position = api.TIMESTAMP
        stream.start_timestamp = int(began * unit)
        take(stream, 22 + 2 * turn if unit == 1000 else 2)


def time_in_milliseconds() -> None:
    since(1000, 2)


def starts_seconds_ago() -> None:
    since(10**9, 0.2)


def name_taken_for_subject() -> None:
    own = made("orders-stream", subject="orders")
    for n in range(5):
        own.publish_to_subject(Message(value=f"order {n}", subject="orders"))
    other = client()
    for n in range(5, 17):
        other.publish_to_subject(Message(value=f"order {n}", subject="orders-stream"))
        time.sleep(0.1)
    take(Stream(subject="orders", name="orders-stream").start_at_earliest_received(), 5)


globals()[sys.argv[1]]()
print(json.dumps(counted))
