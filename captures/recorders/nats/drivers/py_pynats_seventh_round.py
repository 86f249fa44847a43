"""What nats-python is made to do in the seventh round of the blind test; prints what it counted."""

import json
import threading
import time

from pynats import NATSClient

URL = "nats://127.0.0.1:4222"
done = [0, 0, 0]


def worker(number: int) -> None:
    """Works until the program ends; the library cannot read on after a timeout."""
    client = NATSClient(URL, name=f"resizer-{number}", socket_timeout=60)

    def resize(message: object) -> None:
        del message
        done[number] += 1

    client.connect()
    client.subscribe("jobs.resize", callback=resize, queue="resizers")
    client.wait()


threads = [threading.Thread(target=worker, args=(n,), daemon=True) for n in range(3)]
for thread in threads:
    thread.start()
time.sleep(0.7)
with NATSClient(URL, name="uploader") as client:
    for number in range(30):
        client.publish("jobs.resize", payload=b"picture %d" % number)
        if number % 4 == 0:
            client.publish("uploads.seen", payload=b"%d" % number)
        time.sleep(0.11)
    time.sleep(0.5)
print(json.dumps({"published": 30, "done": sum(done), "busiest": max(done)}), flush=True)
