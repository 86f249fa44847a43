"""What is odd about the descriptions of services, and about the metadata of objects.

Source: ADR-32 (services), ADR-20 (object store): members, names, and how an object's name and
digest are written.
"""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from streamshark.protocols.nats.jetstream_members import LONGEST_READ, object_of

Values = Mapping[str, Any]

_OBJECT_NAME: Final = re.compile(rb"\$O\.[^.\s\"]{1,256}\.M\.([A-Za-z0-9+/_=-]{1,1024})")
_DIGEST_BYTES: Final = 32
_NAME: Final = re.compile(r"[a-zA-Z0-9_-]+")
_VERSION: Final = re.compile(r"\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")


def is_odd_description(row: Values) -> str:
    """Return what is odd about the answer of a service to PING, INFO or STATS."""
    body = object_of(row["payload"])
    if body is None:
        return "it is not a JSON object"
    lacks = next((e for e in ("name", "id", "version") if not isinstance(body.get(e), str)), "")
    if lacks:
        return f"it has no {lacks}"
    asked = (row["served.asked"] or "").split(".")[1].lower()
    type_ = f"io.nats.micro.v1.{asked}_response"
    if asked in ("ping", "info", "stats") and body.get("type") != type_:
        return f"its type is {_shown(body.get('type'))}, not {type_}"
    if not _NAME.fullmatch(body["name"]):
        return f"the name {_shown(body['name'])} has other characters than A-Z, a-z, 0-9, - and _"
    if not _VERSION.fullmatch(body["version"]):
        return f"the version {_shown(body['version'])} is no semantic version"
    return ""


def is_odd_object(row: Values) -> str:
    """Return what is odd about the message that names and describes an object."""
    body = object_of(row["payload"])
    if body is None:
        return ""
    tokens: list[str] = [*str(row["subject"] or "").split("."), "", "", "", ""]
    bucket, name = tokens[1], tokens[3]
    if isinstance(body.get("bucket"), str) and body["bucket"] != bucket:
        return f"its bucket is {_shown(body['bucket'])}, but its subject is that of {bucket}"
    encoded = base64.urlsafe_b64encode(str(body.get("name")).encode()).decode()
    if isinstance(body.get("name"), str) and name != encoded:
        return f"its subject ends in {name}, not in its name {_shown(body['name'])} as base64url"
    digest = body.get("digest")
    if isinstance(digest, str) and digest and not _is_digest(digest):
        return f"its digest is {_shown(digest)}, not SHA-256= and 32 bytes as base64url"
    return ""


def is_odd_object_name(row: Values) -> str:
    """Return the name of an object in a request that is not in base64url with its padding."""
    for text in (str(row["subject"] or ""), (row["payload"] or b"")[:LONGEST_READ]):
        data = text.encode() if isinstance(text, str) else text
        for found in _OBJECT_NAME.finditer(data):
            name = found[1].decode()
            if len(name) % 4 or "+" in name or "/" in name:
                return name
    return ""


def is_odd_trace(row: Values) -> str:
    """Return a traceparent that is not of the form of Trace Context."""
    value = next((e["value"] for e in row["headers"] or () if e["key"] == "traceparent"), None)
    return "" if value is None or _is_trace(value.strip()) else _shown(value)


def _is_trace(value: str) -> bool:
    parts = value.split("-")
    sizes = [len(each) for each in parts[:4]]
    if sizes != [2, 32, 16, 2] or (parts[0] == "00" and len(parts) > 4):  # noqa: PLR2004 - parts
        return False
    is_hex = all(re.fullmatch(r"[0-9a-f]+", each) for each in parts[:4])
    return is_hex and parts[0] != "ff" and bool(parts[1].strip("0") and parts[2].strip("0"))


def _is_digest(digest: str) -> bool:
    prefix, separator, value = digest.partition("=")
    is_named = prefix.upper() == "SHA-256" and bool(separator)
    return is_named and len(_decoded(value) or b"") == _DIGEST_BYTES


def _decoded(text: str) -> bytes | None:
    """Return what base64url, with its padding or without, stands for."""
    if "+" in text or "/" in text:
        return None
    try:
        return base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
    except (binascii.Error, ValueError):
        return None


def _shown(value: Any) -> str:  # noqa: ANN401 - any value
    """Return a value as JSON, cut to what a sentence can hold."""
    return json.dumps(value)[:60]
