"""Plays the seventh round of the blind test by python-liftbridge; prints what it counted."""

import json
import sys
import threading
import time

import python_liftbridge.api_pb2 as api
from python_liftbridge import Lift, Message, Stream

counted = {"published": 0, "read": 0, "refused": 0}
SERVERS = [f"127.0.0.1:{port}" for port in (9292, 9293, 9294)]


def leader_of(client: Lift, name: str) -> str:
    """The address of the server that leads the first partition."""
    answer = client.stub.FetchMetadata(api.FetchMetadataRequest(), timeout=5)
    stream = next(each for each in answer.metadata if each.name == name)
    leader = stream.partitions[0].leader
    return next(f"{each.host}:{each.port}" for each in answer.brokers if each.id == leader)


def read(address: str, attempts: int) -> None:
    """Subscribes at this server until that goes well, or so many times."""
    client = Lift(ip_address=address, timeout=5)
    for _ in range(attempts):
        try:
            for message in client.subscribe(
                Stream("visits", "visits").start_at_earliest_received()
            ):
                counted["read"] += bool(message.value)
        except Exception:  # noqa: BLE001
            counted["refused"] += 1
            time.sleep(0.4)
        else:
            break


admin = Lift(ip_address=SERVERS[0], timeout=5)
admin.create_stream(Stream(subject="visits", name="visits"))
time.sleep(1)
leader = leader_of(admin, "visits")
own = leader if sys.argv[1] == "leader_subscribed" else next(s for s in SERVERS if s != leader)
threading.Thread(target=read, args=(own, 12), daemon=True).start()
writer = Lift(ip_address=leader, timeout=5)
for number in range(30):
    writer.publish(Message(value=f"visit {number}", stream="visits"))
    counted["published"] += 1
    time.sleep(0.17)
time.sleep(0.6)
print(json.dumps(counted), flush=True)
