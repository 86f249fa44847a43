"""How to mend what each rule finds: for `check --explain-rule` and the page of rules.

An id without its letter is for all meanings of a rule that have no line of their own.
"""

from typing import Final

_FIXES: Final = {
    "PRV-P1": "Send HELLO as the first command of each connection.",
    "PRV-P2": "Use a client and a segment store of neighbouring releases.",
    "PRV-P3": "Guard the connection with one lock for a whole command, and check the length of the "
    "command before these bytes.",
    "PRV-P34": "Limit commands to 8 MiB less 8 bytes for peers before 0.6.",
    "PRV-P4": "Compare the type code with those of the peer's release.",
    "PRV-P35": "Choose commands by the version of the peer's HELLO.",
    "PRV-P45": "Leave out members that are newer than the version of the peer's HELLO.",
    "PRV-P36": "Use the type code of the request, or of the reply, for its own direction.",
    "PRV-P25": "Write no version after an empty table key.",
    "PRV-P5": "Write the layout of the version that both sides have.",
    "PRV-P6": "Send SETUP_APPEND on each connection, and wait for APPEND_SETUP, before appending.",
    "PRV-P6b": "Read the reply to SETUP_APPEND; ask the controller for the segment again.",
    "PRV-P7": "Send APPEND_BLOCK_END of the same writer before any other command.",
    "PRV-P8": "Count the bytes of whole events in the block, and fill it with zeros after PADDING.",
    "PRV-P49": "Send APPEND_BLOCK before APPEND_BLOCK_END.",
    "PRV-P9": "Count the events of the append; an empty append counts as one.",
    "PRV-P33": "Count every event of the append, as load statistics and scaling rely on it.",
    "PRV-P11": "Continue a split event in APPEND_BLOCK_END exactly where the block was full.",
    "PRV-P10": "Resend events only after SETUP_APPEND, from the number that APPEND_SETUP returns.",
    "PRV-P18": "Stop at the end-of-segment mark, and ask the controller for the successors.",
    "PRV-P19": "On SEGMENT_IS_SEALED, ask the controller for the successors and resend there.",
    "PRV-P47": "Take the bytes that come with the end-of-segment mark before stopping.",
    "PRV-P48": "Look at the writer's own error: the append fails before it is sent.",
    "PRV-P21": "Add the delegation token to every request.",
    "PRV-P39": "Renew the token at the controller before it expires; compare the clocks.",
    "PRV-P51": "Ask the controller for a token for this segment; compare the signing keys.",
    "PRV-P22": "Ask the controller for a new token after a refusal.",
    "PRV-P41": "Send KEEP_ALIVE while waiting.",
    "PRV-P24": "Write modified UTF-8: surrogates as three bytes each, U+0000 as two bytes.",
    "PRV-P27": "Write 0 or 1.",
    "PRV-P28": "Use scale type 0 (fixed), 1 (bytes) or 2 (events), and a rate of 0 or more.",
    "PRV-P29": "Merge a segment into another one.",
    "PRV-P43": "Write the event with its type code and length inside CONDITIONAL_APPEND.",
    "PRV-P31": "Continue above the number that APPEND_SETUP returned; let one writer have one id.",
    "PRV-P32": "Upgrade a client before 0.6, or the server's peer of it.",
    "PRV-P50": "Connect to the segment store's port, with TLS if the server has it.",
    "PRV-P52": "Wait for APPEND_SETUP before the first block.",
    "PRV-P53": "Send begin, middle and end of one message before the next begin.",
    "PRV-P53c": "Send the last part before closing.",
    "PRV-P54": "Send events between the beginning and the end of a block.",
    "PRV-P55": "Count the bytes of the block's events, and write them in EndAppendBlock.",
    "PRV-P55b": "Announce the bytes that are sent before EndAppendBlock.",
    "PRV-P56": "Begin each block before ending it.",
    "PRV-P57": "End the block before other messages.",
    "PRV-P58": "Count all bytes of the connection.",
    "PRV-P60": "Treat the end of reading as the end of the connection, and connect again.",
}

FIXES: Final = tuple(_FIXES.items())
"""Rule and what to change."""
