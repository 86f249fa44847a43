"""What a redaction replaces, and what it keeps: a policy, read from TOML."""

from typing import Final

from streamshark.light_dataclass import record

KINDS: Final = {
    "body": "message bodies, keys and headers of applications, and bytes that nothing decodes",
    "secret": "passwords, tokens and keys",
    "name": "names without a role: subscribers, queue groups, domains, ...",
    "user": "users and accounts",
    "stream": "streams, segments, scopes, subjects, partitions and their replicas",
    "reference": "names that clients give to publishers, consumers and connections",
    "host": "names of hosts",
    "address": "addresses of IPv4, IPv6 and Ethernet, in headers and in text",
    "text": "names, numbers and quotes in error messages and descriptions",
}
"""What can be kept, by the word of a policy."""


@record
class Policy:
    """What a redaction keeps; all else is replaced."""

    keep: frozenset[str] = frozenset()
    """Words of `KINDS`, or roles of fields, that are written as they are."""
    keep_unknown: bool = False
    """Whether packets of unknown connections are written, their bytes blanked."""
    decrypted: bool = False
    """Whether decrypted TLS is written as plain TCP."""
