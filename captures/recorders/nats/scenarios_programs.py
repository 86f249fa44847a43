"""Programs that work as they should, of kinds that a rule had accused or no round has."""

from captures.recorders.nats import peers
from captures.recorders.nats.scenarios_clients import PLAIN, STORED
from captures.recorders.nats.setup import NEW, NEWEST, Facts, Scenario, add

DRIVER = "programs"


def command_line(
    name: str, title: str, shows: str, *, version: str = NEW, configuration: str = STORED
) -> None:
    """A play of the command line of NATS."""

    def play() -> Facts:
        with peers.servers(configuration, version=version):
            return peers.drive("cli", name.removesuffix("_cli"), driver=DRIVER)

    play.__code__ = play.__code__.replace(co_filename=__file__)
    add(
        Scenario(
            name=name,
            play=play,
            title=title,
            peer="cli",
            healthy=True,
            server=version,
            shows=shows,
        )
    )


command_line(
    "commands_in_a_loop_cli",
    "A script calls the command line for each message",
    "Eighteen publishes and twelve requests, each by a process of its own.",
    configuration=PLAIN,
)
command_line(
    "consumers_of_three_programs_cli",
    "An operator makes a durable consumer for each of three programs",
    "Three consumers of one stream, what each has, and fetches from each.",
)
command_line(
    "batches_of_one_id_cli",
    "A benchmark publishes atomic batches, each with the id of the one before",
    "Twelve batches of ten messages by two clients, and an ordered consumer.",
    version=NEWEST,
)
command_line(
    "settings_and_files_cli",
    "Settings and files by the command line",
    "A bucket that is watched, a conflict, a file of three chunks.",
)
command_line(
    "services_looked_at_cli",
    "Two instances of a service, one of which stops, and an operator who looks",
    "Discovery before and after, statistics, and requests.",
    configuration=PLAIN,
)
