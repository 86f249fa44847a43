"""What a redaction replaces, and what it keeps: a policy, read from TOML."""

import tomllib
from pathlib import Path
from typing import Any, Final

from streamshark.errors import StreamsharkError
from streamshark.light_dataclass import record
from streamshark.schema.words import ROLES

KINDS: Final = {
    "body": "message bodies, and bytes that the schemas call data",
    "secret": "passwords, tokens and keys",
    "name": "names without a role of their own: queue groups, tags, keys of maps",
    "user": "users and accounts",
    "stream": "streams, segments and subjects",
    "reference": "names of clients, publishers and consumers",
    "host": "hosts, of other servers (host), of this one (server_host) and of clients",
    "address": "addresses of IPv4, IPv6 and Ethernet, in packets and in text",
    "text": "names, numbers and quoted words in error messages",
}
"""What a policy can keep."""
_HOSTS: Final = frozenset({"host", "server_host", "client_host"})

DEFAULT: Final = "\n".join(
    (
        "# What `streamshark redact` keeps, besides what is always kept.",
        "# Words for `keep`:",
        *(f"#   {word:<10} {sentence}" for word, sentence in KINDS.items()),
        "# and any role of fields (see docs/fields.md). Products and versions are kept.",
        "keep = []",
        "",
        "# Write the packets of unknown connections, and of other protocols than TCP, blanked.",
        "keep_unknown = false",
        "",
        "# Write decrypted TLS as plain TCP; otherwise its records are blanked.",
        "decrypted = false",
        "",
    )
)
"""The default policy, as a file."""


@record
class Policy:
    """What a redaction keeps; all else is replaced."""

    keep: frozenset[str] = frozenset()
    """Words of `KINDS`, or roles of fields, that are written as they are."""
    keep_unknown: bool = False
    """Whether packets of unknown connections are written, their bytes blanked."""
    decrypted: bool = False
    """Whether decrypted TLS is written as plain TCP."""

    def keeping(self, words: frozenset[str]) -> "Policy":
        """Return a policy that keeps more.

        Raises:
            StreamsharkError: A word is none of `KINDS`, and no role.
        """
        for word in sorted(words - KINDS.keys() - ROLES.keys()):
            known = ", ".join(KINDS)
            raise StreamsharkError(f"cannot keep {word!r}: known are {known}, and roles of fields")
        more = words | _HOSTS if "host" in words else words
        return Policy(self.keep | more, self.keep_unknown, self.decrypted)


def load_policy(path: str) -> Policy:
    """Read a policy.

    Raises:
        StreamsharkError: It cannot be read, or says something unknown.
    """
    try:
        values = tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise StreamsharkError(f"{path}: {error.strerror or error}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise StreamsharkError(f"{path}: not TOML: {error}") from None
    return _policy_of(path, values)


def _policy_of(path: str, values: dict[str, Any]) -> Policy:
    keep = values.pop("keep", [])
    flags = {name: values.pop(name, False) for name in ("keep_unknown", "decrypted")}
    for name in values:
        raise StreamsharkError(
            f"{path}: unknown setting {name!r}: known are keep, keep_unknown and decrypted"
        )
    if not isinstance(keep, list) or not all(isinstance(each, str) for each in keep):
        raise StreamsharkError(f"{path}: keep must be a list of words")
    for name, flag in flags.items():
        if not isinstance(flag, bool):
            raise StreamsharkError(f"{path}: {name} must be true or false")
    try:
        return Policy(frozenset(), **flags).keeping(frozenset(keep))
    except StreamsharkError as error:
        raise StreamsharkError(f"{path}: {error}") from None
