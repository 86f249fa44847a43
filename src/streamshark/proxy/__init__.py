"""The proxy: relays connections to servers and records what passes."""

from streamshark.proxy.proxy import Proxy

__all__ = ["Proxy"]
