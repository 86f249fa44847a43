"""Healthy programs that a rule had accused: see docs/checking.md, "Healthy programs"."""

import threading
import time

from captures.recorders.rsocket import clients
from captures.recorders.rsocket.setup import Facts, Scenario, add

DRIVER = "healthy"


def coroutines_kotlin() -> Facts:
    """Questions at once, reports that are asked for again after a second, flows and channels."""
    with clients.serving("websocket", driver=DRIVER) as served:
        driven = clients.drive("kotlin", driver=DRIVER)
    return driven | served


def workers_js() -> Facts:
    """Ten processes of one machine start one after another."""
    results: list[dict[str, object]] = []

    def works() -> None:
        results.append(clients.drive("js", driver=DRIVER))

    with clients.serving("tcp", driver=DRIVER) as served:
        threads = [threading.Thread(target=works) for _ in range(10)]
        for each in threads:
            each.start()
            time.sleep(0.4)
        for each in threads:
            each.join()
    return {"workers": len(results)} | served


add(
    Scenario(
        "coroutines_kotlin",
        coroutines_kotlin,
        "Coroutines with limits of time, flows and channels, by rsocket-kotlin",
        "kotlin",
        healthy=True,
        server="java",
        shows="Four questions at once; a report that takes 1.4 s is given up after 1 s, and asked "
        "for again once, when it is ready; a stream that is left after five items; uploads.",
    )
)
add(
    Scenario(
        "workers_js",
        workers_js,
        "Workers of one machine, each of which asks for its settings and waits, by rsocket-js",
        "js",
        healthy=True,
        server="java",
        shows="Ten connections with one request each, which stay open.",
    )
)
