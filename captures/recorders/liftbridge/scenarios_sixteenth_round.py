"""Faults and healthy programs of the sixteenth blind round: see docs/checking.md."""

import threading

from captures.recorders.liftbridge import clients
from captures.recorders.liftbridge.relay import Relay, through_a_relay
from captures.recorders.liftbridge.setup import APART, BUS, PYTHON, Facts
from captures.recorders.liftbridge.threads import Shown, called, fault, near_miss

DRIVER = "sixteenth_round"

SHOWS = "36 prices, an archive, and a shop that takes the newest price for each of 9 pages."
THREAD = "grpc/grpc-go#4159"
fault(
    "subscriptions_left_open",
    "A program subscribes for each page and ends no subscription",
    driver=DRIVER,
    server=APART,
    kind="leaks",
    thread=THREAD,
    shows=SHOWS,
    says="The shop subscribes to prices for each page, takes one message, and does not end the "
    "subscription: after 9 pages 9 are open, and each price is sent to the shop 9 times. It has "
    "to cancel each call when it has what it wants.",
    marks=(called("Subscribe", skip=2),),
)
near_miss(
    "subscriptions_ended_by_page",
    "A program subscribes for each page and ends the subscription",
    driver=DRIVER,
    server=APART,
    thread=THREAD,
    shows=SHOWS,
)
near_miss(
    "parcels_of_two_couriers",
    "Two members of a group, of which one joins later and one leaves in order",
    driver=DRIVER,
    server=APART,
    thread="a healthy program of a group",
    shows="64 parcels by key in three partitions, and two couriers of a group.",
)


def cuts(relay: Relay) -> None:
    """Resets all connections; of those of the next two seconds the first bytes alone are passed on.

    These are the settings of HTTP/2.
    """
    relay.most = 1
    relay.resets()
    threading.Timer(2, lambda: setattr(relay, "most", None)).start()


def stalled_channel_py() -> Facts:
    """By gRPC for Python."""
    python, script = clients.folder_of(PYTHON) / "bin/python", clients.DRIVERS / f"py_{DRIVER}.py"
    return through_a_relay("cut", cuts, str(python), str(script), "hall")


fault(
    "subscription_on_a_dead_channel_py",
    "A subscription on a channel that is dead waits for ever",
    peer=PYTHON,
    server=BUS,
    play=stalled_channel_py,
    kind="reconnecting",
    thread="bvis/aegis-hass#238",
    shows="67 departures, a hall that subscribes on a new channel after a cut, and a screen that "
    "subscribes on its old one, whose next connection carries nothing to the server.",
    says="After the reset the screen subscribes again. Its connection is dead: Subscribe is not "
    "answered, not even by headers, for 19 s until the end, while the hall gets each departure. "
    "The screen has neither a deadline nor keepalive: it has to ping, or to open a new channel.",
    marks=(
        Shown("a call of Subscribe", 'http2.headers.path matches "/Subscribe$"', skip=2, most=1),
    ),
)
