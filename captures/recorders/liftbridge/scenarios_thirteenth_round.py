"""Faults and near misses of the thirteenth blind round: see docs/checking.md."""

from captures.recorders.liftbridge.setup import APART, ONE, PYTHON
from captures.recorders.liftbridge.threads import called, fault, near_miss

DRIVER = "thirteenth_round"
SHOWS = "An alarm each 0.25 s, a pager and a screen that read them, and a restart of the server."

fault(
    "subscription_not_renewed_py",
    "A pager does not subscribe again after the server was restarted, by python-liftbridge",
    driver=DRIVER,
    peer=PYTHON,
    server=APART,
    kind="recovery",
    thread="liftbridge-io/go-liftbridge#117",
    shows=SHOWS,
    says="The restart ends the subscriptions of the pager and of the screen. The screen subscribes "
    "again behind the last message that it has; the pager does not, and gets none of the alarms of "
    "the next twelve seconds. A subscription has to be made again when its stream ends.",
    marks=(called("Subscribe"),),
)
near_miss(
    "subscriptions_renewed_py",
    "A pager and a screen subscribe again after the server was restarted, by python-liftbridge",
    driver=DRIVER,
    peer=PYTHON,
    server=APART,
    thread="liftbridge-io/go-liftbridge#117",
    shows=SHOWS,
)

SHOWS = "15 pictures of a gate of up to 11,700 bytes, events, and a screen that reads both."
fault(
    "pictures_too_large",
    "Pictures are larger than replication carries",
    driver=DRIVER,
    server=ONE,
    kind="limits",
    thread="liftbridge-io/liftbridge-api#49",
    shows=SHOWS,
    large=8192,
    says="clustering.replication.max.bytes is 8192, and every second picture is larger: the server "
    "refuses it (TOO_LARGE), and the camera publishes the same picture twice more, in vain. "
    "It has to send pictures in parts, or the limit has to be higher.",
    marks=(called("PublishAsync"),),
)
near_miss(
    "pictures_in_parts",
    "Pictures are published in parts that replication carries",
    driver=DRIVER,
    server=ONE,
    thread="liftbridge-io/liftbridge-api#49",
    shows=SHOWS,
    large=8192,
)
