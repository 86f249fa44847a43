"""What python-liftbridge is made to do in the thirteenth round of the blind test."""

import json
import sys
import threading
import time

from python_liftbridge import Lift, Message, Stream

SERVER = "127.0.0.1:9292"
counted = {"published": 0, "not_published": 0, "pager": 0, "screen": 0, "subscriptions": 0}
over = threading.Event()


def reads(name: str, *, renews: bool) -> None:
    """Reads alarms; subscribes again when the subscription ends, or leaves it at that."""
    last = -1
    while not over.is_set():
        wanted = Stream(subject="alarms", name="alarms")
        wanted = (
            wanted.start_at_offset(last + 1) if last >= 0 else wanted.start_at_earliest_received()
        )
        try:
            counted["subscriptions"] += 1
            for message in Lift(ip_address=SERVER).subscribe(wanted):
                counted[name] += 1
                last = message.offset
        except Exception:  # noqa: BLE001
            if not renews:
                return
            time.sleep(0.6)


def publishes(seconds: float) -> None:
    """Publishes an alarm each 0.25 s."""
    lift, end, number = Lift(ip_address=SERVER), time.monotonic() + seconds, 0
    while time.monotonic() < end:
        try:
            lift.publish(Message(value=f"alarm {number} of door {number % 6}", stream="alarms"))
            counted["published"] += 1
            number += 1
        except Exception:  # noqa: BLE001
            counted["not_published"] += 1
        time.sleep(0.25)


renewed = sys.argv[1] != "subscription_not_renewed_py"
Lift(ip_address=SERVER).create_stream(Stream(subject="alarms", name="alarms"))
time.sleep(1)
for each, again in (("pager", renewed), ("screen", True)):
    threading.Thread(target=reads, args=(each,), kwargs={"renews": again}, daemon=True).start()
publishes(4)
print("RESTART lift-1", flush=True)
sys.stdin.readline()
publishes(13)
over.set()
print(json.dumps(counted), flush=True)
