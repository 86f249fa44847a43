"""Where the rules of Liftbridge come from: its server and its client in Go."""

from typing import Final

SERVER: Final = "liftbridge-io/liftbridge v1.9.0, server"
API: Final = f"{SERVER}/api.go"
PARTITION: Final = f"{SERVER}/partition.go"
CLIENT: Final = "liftbridge-io/go-liftbridge v2.3.0"
