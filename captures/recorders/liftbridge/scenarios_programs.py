"""Programs that work as they should, of kinds that a rule had accused or no round has."""

from captures.recorders.liftbridge.setup import ONE
from captures.recorders.liftbridge.threads import near_miss

near_miss(
    "cursor_set_by_a_tool",
    "A tool sets the cursor of a partition, while a program reads the other one",
    driver="programs",
    server=ONE,
    thread="a program: liftbridge-cli set-cursor",
    shows="Each command has a connection of its own: publishes, a cursor, metadata.",
)
