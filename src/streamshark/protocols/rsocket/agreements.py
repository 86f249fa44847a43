"""What a connection agrees: all of it is said by the client's SETUP, or by its RESUME.

A resumed connection keeps what the SETUP of its session said, which stands in another connection:
of it only the version and the token are known.
"""

from typing import Final

from streamshark.frames.wire import Agreement

SAID: Final = (False,)
"""No frame has a response bit."""

AGREEMENTS: Final = (
    Agreement(
        "version", "setup", "major_version", "Major version; the minor one stands in SETUP.", SAID
    ),
    Agreement("version", "resume", "major_version", "Major version, said again.", SAID),
    Agreement(
        "metadata_mime_type",
        "setup",
        "metadata_mime_type",
        "MIME type of metadata; it chooses what reads it.",
        SAID,
    ),
    Agreement(
        "data_mime_type",
        "setup",
        "data_mime_type",
        "MIME type of data; it chooses what reads it.",
        SAID,
    ),
    Agreement(
        "keepalive",
        "setup",
        "time_between_keepalive_frames",
        "Time in milliseconds between the client's KEEPALIVE frames.",
        SAID,
    ),
    Agreement(
        "max_lifetime",
        "setup",
        "max_lifetime",
        "Time in milliseconds without an answer to KEEPALIVE after which a peer is given up.",
        SAID,
    ),
    Agreement("lease", "setup", "flags.lease", "Requests need a LEASE first.", SAID),
    Agreement("resume", "setup", "flags.resume_enable", "The session may be resumed.", SAID),
    Agreement(
        "resume_identification_token",
        "setup",
        "resume_identification_token",
        "Token by which the session is resumed.",
        SAID,
    ),
    Agreement(
        "resume_identification_token",
        "resume",
        "resume_identification_token",
        "Token of the session that is resumed.",
        SAID,
    ),
)
