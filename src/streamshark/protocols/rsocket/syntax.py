"""Words of RSocket in MIME types and texts: a redaction keeps them.

Source: RSocket protocol 1.0, extensions; rsocket-java 1.1.5, `WellKnownMimeType`.
"""

import re
from typing import Final

from streamshark.schema.syntax import Syntax, word_set

SYNTAX: Final = Syntax(
    names=re.compile(r"(?<![\w.])(message/x\.rsocket\.[a-z.-]+\.v\d)(?![\w])"),
    words=word_set(
        """
        setup stream connection lease keepalive resume resumption session rejected canceled
        disposed application metadata data frame payload mime type token version protocol"""
    ),
)
