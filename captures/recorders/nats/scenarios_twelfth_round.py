"""Faults and near misses of the twelfth blind round: see docs/checking.md."""

from captures.recorders.nats import peers
from captures.recorders.nats.scenarios_servers import SYSTEM, node, seed
from captures.recorders.nats.setup import Facts, Play
from captures.recorders.nats.threads import Mark, library, pair, restarting

DRIVER = "twelfth_round"
USERS = "APP: { users: [ { user: app, password: throwaway } ] },"

pair(
    "everything_again_at_each_run",
    "durable_for_all_runs",
    title="Each run of a program reads the whole stream again",
    title_of_twin="Each run of a program reads on where the one before it ended",
    played=lambda name: library("go", name, DRIVER),
    peer="go",
    kind="positions",
    thread="ThreeDotsLabs/watermill#389",
    shows="Four runs of an importer, 18 items before each, and requests for prices.",
    says="importer subscribes without a durable name and with DeliverAll: each run makes a new "
    "consumer and gets every item again that earlier runs have acknowledged. It needs a durable "
    "consumer, or deliver_policy new.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.CREATE\.cata", across=True, skip=1),),
)
pair(
    "acknowledgements_never_sent",
    "acknowledgements_sent",
    title="A source never acknowledges what it reads from an explicit consumer, "
    "by async-nats 0.48.0",
    title_of_twin="A source acknowledges what it reads from an explicit consumer, "
    "by async-nats 0.48.0",
    played=lambda name: library("rust_next", name, DRIVER),
    peer="rust_next",
    kind="acknowledgements",
    thread="risingwavelabs/risingwave#25679",
    shows="48 rides, one each 0.14 s, a source that reads them, and requests for the fare.",
    says="source takes its consumer for one without acknowledgements, but ack_policy is explicit "
    "by default: every ride is delivered again each 2.2 s, for ever, and ends up in the tables "
    "again. The source has to acknowledge, or to say ack_policy none.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.(DURABLE\.)?CREATE\.rides"),),
)
pair(
    "stream_in_memory_lost_at_a_restart",
    "stream_in_a_file_over_a_restart",
    title="A stream in memory is gone after a restart, and nothing makes it again",
    title_of_twin="A stream in a file is there after a restart",
    played=lambda name: restarting("java", name, DRIVER, after=7, down=1.0),
    peer="java",
    kind="state lost at a reconnection",
    thread="nats-io/nack#202, centrifugal/centrifugo#972",
    shows="A ticket each 0.27 s, a consumer, and a restart of the server after 7 s.",
    says="The stream tickets is in memory, so the restart removes it with its consumer. desk goes "
    "on to publish and gets 503 (no responders) for each ticket, and hall pulls from a consumer "
    "that is gone. Somebody has to create both again after a reconnection, or the stream needs "
    "storage in a file.",
    marks=(Mark(None, "server", rb"^HMSG .*NATS/1.0 503"),),
)
pair(
    "filters_that_overlap",
    "filters_that_do_not_overlap",
    title="A controller repeats an update that the server refuses",
    title_of_twin="A controller updates a consumer once",
    played=lambda name: library("transport_node", name, DRIVER),
    peer="transport_node",
    kind="subjects and filters",
    thread="nats-io/nack#150",
    shows="60 pieces, a worker, and a controller that looks at its consumer each 0.55 s.",
    says="The filters work.weld.> and work.weld.brass overlap, so the server refuses the update "
    "(10138) each time the controller repeats it, and crew keeps its old filter: no welding is "
    "ever delivered. The second of the two has to go.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.(DURABLE\.)?CREATE\.work\..*brass"),),
)
pair(
    "delivered_once_at_most",
    "delivered_up_to_five_times",
    title="Messages of a work queue stay for ever after the only delivery",
    title_of_twin="Messages of a work queue are delivered again after a failure",
    played=lambda name: library("c", name, DRIVER),
    peer="c",
    kind="acknowledgements",
    thread="nats-io/nats-server#6905, #6538",
    shows="45 repairs, and a bench that fails at each fifth.",
    says="bench fails at some repairs and does not acknowledge them; max_deliver is 1, so they are "
    "never delivered again, and stay in the work queue for ever: nine of 45. max_deliver has to "
    "allow another delivery, or the failure has to end with +TERM.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.(DURABLE\.)?CREATE\.repairs"),),
)


def surveyed(name: str) -> Play:
    """A play against two servers of a cluster, with a system account."""

    def play() -> Facts:
        users = SYSTEM.replace(
            "SYS: {", "APP: { users: [ { user: app, password: throwaway } ] }, SYS: {"
        )
        with peers.servers(
            *(node(each, seed(0) if each else "") + users for each in (0, 1)), settle=0.8
        ):
            return peers.drive("go", name, driver=DRIVER)

    return play


pair(
    "more_servers_expected",
    "as_many_servers_as_there_are",
    title="A surveyor waits for more servers than there are",
    title_of_twin="A surveyor waits for the servers that there are",
    played=surveyed,
    peer="go",
    kind="mismatch between sides",
    thread="nats-io/nats-surveyor#37",
    shows="Eleven polls of the servers of a cluster, and orders in between.",
    says="surveyor expects three servers, but two answer: each poll waits for the third until its "
    "time is up, and its figures are late each time. The number has to be that of the servers.",
    marks=(Mark(None, "client", rb"^PUB \$SYS\.REQ\.SERVER\.PING"),),
)
