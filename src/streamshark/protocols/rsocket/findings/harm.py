"""What proves that a peer, or who uses it, is harmed: by it notes become warnings."""

from typing import Final

from streamshark.findings.harm import Harm
from streamshark.protocols.rsocket.exchanges import TIMED_OUT

_TIMED_OUT: Final = Harm(
    rules={"RSK-B54": "RSK-B54e", "RSK-B54b": "RSK-B54f"},
    when=TIMED_OUT,
    so="calls of the requester time out, each after the same time",
    title="as they time out",
)
"""Requests are given up by a timeout, and not since their answers are no longer wanted."""

_CUT_BY_ITSELF: Final = Harm(
    rules={"RSK-B43": "RSK-B43b"},
    when="twin.own_cuts >= OWN_CUTS and hasty.flow == twin.cut_flow and t - hasty.t_of < CUT_PAUSE",
    so="a single request that is late interrupts all streams: {twin.own_cuts} times in a row the "
    "client closed the connection itself, the last time {hasty.waited:time} after a request that "
    "had no answer yet",
    title="as its client closes the connection for a late answer",
    evidence="hasty.waited_n",
)
"""The client ends its own streams, and needs them."""

_NEVER_ENDED: Final = Harm(
    rules={"RSK-B86": "RSK-B86b"},
    when="stream.state == 'requester_done' and unended.items == stream.items and "
    "unended.times + 1 >= UNENDED",
    so="the requester, which has completed its side, waits for an end that never comes: "
    "{unended.times} channels before stopped after as many",
    title="each time",
    evidence="unended.latest_n",
)
"""Each channel stops after as many payloads, so that there are no more events to wait for."""

HARM: Final = (_TIMED_OUT, _CUT_BY_ITSELF, _NEVER_ENDED)
"""Part of `all_rules`."""
