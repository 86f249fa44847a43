"""Packets to ordered segments, gaps and connection events."""

from streamshark.flows.link_layer import UnsupportedLinkType, link_name
from streamshark.flows.segment import Flow, FlowEvent, Gap, Segment
from streamshark.flows.tls import TlsFlows
from streamshark.flows.tracker import Counters, FlowTracker
from streamshark.flows.trouble import Trouble

__all__ = [
    "Counters",
    "Flow",
    "FlowEvent",
    "FlowTracker",
    "Gap",
    "Segment",
    "TlsFlows",
    "Trouble",
    "UnsupportedLinkType",
    "link_name",
]
