"""Writes docs/tui.md, the page of the terminal interface; its keys are those of the program.

    python -m docs.tui_page [--check] [FOLDER]

With `--check` nothing is written: a stale page is named, and the exit code is 1.
"""

import sys
from pathlib import Path

from streamshark.tui.keys import ANYWHERE, KeyAction, KeyMap, shown
from streamshark.views.generated_files import GeneratedFiles

NAME = "tui.md"
INTRODUCTION = """\
# The terminal interface

```sh
streamshark tui capture.pcapng
streamshark tui -Y 'rmqstream.stream == "orders"' capture.pcapng
tcpdump -i any -U --immediate-mode -w - port 5552 | streamshark tui -
```

shows captures on five screens. Another process reads them into an [index](captures.md) meanwhile: what has been read is there at once, and the next start takes no reading.
`?` shows the keys, `:` takes a command, `Ctrl+P` searches for one, `q` goes back.

| screen | what it shows |
|---|---|
| Frames | all rows, as `read` shows them; the fields of the selected one, as `read -V` does; its bytes |
| Conversations | calls, publishers, subscriptions, streams; one of them as a ladder of both sides |
| Connections | who talks with whom, what was negotiated, what each side sent, findings |
| Findings | what `check` finds, the worst first, with cause, fix and evidence |
| Statistics | frames, rates, failures, bytes and response times of each command |

## From a finding to its bytes

`F5` lists the findings. `Enter` shows the frame that is to blame, with its fields and bytes; `]f` and `[f` go through the other frames that prove it.
`F` shows the conversation of that frame as a ladder: an arrow for each frame, waits of a second and more, credit and messages in flight at the right, findings and missing responses at their arrow.
`L` adds conversations of other connections that are linked with it.

## Rows, fields and bytes

The field that is selected has its bytes marked, and a byte that is selected, or clicked, selects its field.
Bytes that were unpacked or reassembled are tabs of the pane: `t` shows the next.
A letter before a row is the worst that is wrong with it: `E`, `W` and `N` for findings, `!` for a malformed frame, `?` for a request without a response.
Below 100 columns, a row shows its direction and no addresses: `→` is sent by the client.

## Filters

`/` takes a [display filter](filters.md): the bar is green if it is valid, red if not, and yellow if no row can satisfy it. `Tab` completes fields, values and operators, `Up` and `Down` recall earlier filters.
Rows appear as they are found; `Esc` stops.

## What the screen does not show

Passwords and tokens are masked in lines, fields and bytes unless you start with `--show-secrets` ([secrets](secrets.md)).
Text from the wire is escaped: no control character reaches the terminal.
`NO_COLOR` turns colours off; everything that has a colour also has a letter or a mark.
"""
KEYS = """\
## Keys

Numbers before a key count: `5j` moves down five lines, `120G` goes to frame 120.
Each action is also a command: `:goto 120`, or `:120`. The beginning of a command suffices.

| where | keys | command | what it does |
|---|---|---|---|
"""


def page() -> str:
    """Return the page."""
    rows = "".join(map(_row, KeyMap().actions))
    return f"{INTRODUCTION}\n{KEYS}{rows}"


def _row(action: KeyAction) -> str:
    """Return the row of an action."""
    where = "" if action.where == (ANYWHERE,) else ", ".join(action.where)
    keys = " ".join(f"`{shown(each)}`".replace("|", "\\|") for each in action.keys)
    argument = f" {action.argument}" if action.argument else ""
    return f"| {where} | {keys} | `:{action.command}{argument}` | {action.doc} |\n"


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` compare it; return the exit code."""
    made = GeneratedFiles({NAME: page()}, (NAME,))
    return made.main(arguments, Path(__file__).parent, "docs.tui_page")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
