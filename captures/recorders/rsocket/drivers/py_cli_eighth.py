"""Runs the command line of rsocket-py as a shell script does; prints what it counted."""

import json
import subprocess
import sys

CALLS = (
    ("--request", "-d", "status"),
    ("--request", "-d", '{"id": 4}', "--dataMimeType", "application/json"),
    ("--stream", "-d", "rows 9 A", "--limitRate", "3"),
    ("--stream", "-d", "ticks 40 B", "--take", "5"),
    ("--fnf", "-d", "note"),
    ("--request", "-d", "with metadata", "-m", "trace 17", "--metadataMimeType", "text/plain"),
    ("--request", "-r", "find.user", "-d", "routed"),
    ("--request", "-r", "find.user", "-u", "user:throwaway", "-d", "with a name"),
    ("--request", "--sd", "hello", "-d", "after data in SETUP"),
    ("--channel", "-d", "sample"),
)
counted = {"requests": 0, "failed": 0}
for options in CALLS:
    command = [sys.executable, "-m", "rsocket.cli.command", *options, "--timeout", "5"]
    done = subprocess.run(
        [*command, "tcp://broker:7000"], capture_output=True, text=True, timeout=20, check=False
    )
    counted["requests"] += 1
    counted["failed"] += done.returncode != 0
print(json.dumps(counted))
