"""What python-liftbridge is made to do in the sixteenth round of the blind test."""

import json
import subprocess
import sys
import threading
import time

from python_liftbridge import Lift, Message, Stream

SERVER = "127.0.0.1:9292"
counted = {"published": 0, "screen": 0, "hall": 0, "subscriptions": 0}
over = threading.Event()


def reads(name: str, wait: float, *, anew: bool) -> None:
    """Reads departures; subscribes again when the subscription ends, over a new channel or not."""
    last, lift = -1, Lift(ip_address=SERVER)
    while not over.is_set():
        wanted = Stream(subject="departures", name="departures")
        wanted = (
            wanted.start_at_offset(last + 1) if last >= 0 else wanted.start_at_earliest_received()
        )
        try:
            counted["subscriptions"] += 1
            for message in lift.subscribe(wanted):
                counted[name] += 1
                last = message.offset
        except Exception:  # noqa: BLE001
            time.sleep(wait)
            lift = Lift(ip_address=SERVER) if anew else lift


def publishes(seconds: float) -> None:
    """Publishes a departure each 0.3 s."""
    lift, end = Lift(ip_address=SERVER), time.monotonic() + seconds
    while time.monotonic() < end:
        number = counted["published"]
        lift.publish(Message(value=f"train {number} at platform {number % 5}", stream="departures"))
        counted["published"] += 1
        time.sleep(0.3)


if sys.argv[1] == "screen":
    threading.Thread(
        target=reads, args=("screen", 0.5), kwargs={"anew": False}, daemon=True
    ).start()
    sys.stdin.readline()
    print(json.dumps(counted), flush=True)
    sys.exit()
Lift(ip_address=SERVER).create_stream(Stream(subject="departures", name="departures"))
time.sleep(1)
screen = subprocess.Popen(
    [sys.executable, __file__, "screen"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
)
threading.Thread(target=reads, args=("hall", 3.5), kwargs={"anew": True}, daemon=True).start()
time.sleep(0.3)
publishes(4)
print("cut", flush=True)
sys.stdin.readline()
time.sleep(4)
publishes(16)
over.set()
said, _ = screen.communicate("\n")
print(json.dumps(json.loads(said) | counted | {"screen": json.loads(said)["screen"]}), flush=True)
