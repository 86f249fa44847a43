"""Words of Pravega in names of segments and in texts: a redaction keeps them.

Source: pravega v0.13.0, `shared/protocol/.../NameUtils.java`.
"""

import re
from typing import Final

from streamshark.schema.syntax import Syntax, word_set

SYNTAX: Final = Syntax(
    names=re.compile(
        r"(#epoch)\.(\d+)|(#transaction)\.([0-9a-f]{1,32}(?:-[0-9a-f]{4}){0,3}(?:-[0-9a-f]{12})?)"
        r"|(?<![^/])(_system|_tables|_RG|_MARK|_requeststream|_abortstream|_commitStream|"
        r"_scaleStream|containers|_retention)(?=[/#.]|\Z|[A-Z])"
        r"|(?<=[^/])(_kvtable)(?=[/.#]|\Z)"
        r"|(\$(?:index|attributes)(?:\.\w+)?)|(?<=/)(\d+)(?=\.#)"
    ),
    bodies=re.compile(rb"\x00{5}[\x00-\x7f][\x00-\xff]{2}"),  # the head of an event
    words=word_set(
        """
        segment stream scope transaction sealed exists does not exist found already truncated
        token expired invalid wrong host owner container offset index"""
    ),
)
