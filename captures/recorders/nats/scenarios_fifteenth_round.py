"""Faults and healthy programs of the fifteenth blind round: see docs/checking.md."""

from captures.recorders.nats import peers
from captures.recorders.nats.line import line
from captures.recorders.nats.scenarios_clients import STORED
from captures.recorders.nats.setup import OLD, Facts, Scenario, add
from captures.recorders.nats.threads import Mark, fault, library, near_miss, pair, restarting

DRIVER = "fifteenth_round"
OUTAGE = {"after": 4, "down": 3}


def fetch_over_at_once_c() -> Facts:
    """An archive that is 40 ms away from the server, and a line that is beside it."""
    with peers.servers(STORED), line(4223, 4222, delay=0.04):
        return peers.drive("c", "fetch_over_at_once", driver=DRIVER)


SHOWS = "Files that are uploaded, a store, a search index, and a server that is away for 3 s."
fault(
    "gives_up_reconnecting_go",
    restarting("go", "gives_up_reconnecting", DRIVER, **OUTAGE),
    "A program gives up reconnecting",
    peer="go",
    kind="reconnecting",
    thread="owncloud/ocis#7056",
    shows=SHOWS,
    says="The store tries to reconnect three times while the server is away, and then never again: "
    "the others are back after 3 s, the store keeps no file and answers no request any more. It "
    "has to reconnect without a limit, or to end so that it is started again.",
    marks=(Mark(None, "client", rb"^CONNECT .*\"name\":\"store\""),),
)
near_miss(
    "reconnects_for_ever_go",
    restarting("go", "reconnects_for_ever", DRIVER, **OUTAGE),
    "A program reconnects after an outage of three seconds",
    peer="go",
    thread="owncloud/ocis#7056",
    shows=SHOWS,
)
pair(
    "requests_not_answered_js",
    "requests_answered_late_js",
    title="A worker takes requests and does not answer them any more",
    title_of_twin="A worker takes some time to answer, and says why it cannot do a job",
    played=lambda name: library("js", name.removesuffix("_js"), DRIVER),
    peer="js",
    kind="requests",
    thread="nats-io/nats.node#540",
    shows="26 requests for a thumbnail with 0.9 s each, and news of an album.",
    says="After 14 thumbnails the worker still gets each request of thumbnail.make and answers "
    "none: the web server waits 0.9 s for each in vain. The worker has to answer, if only by an "
    "error, or to end its subscription so that the request fails at once.",
    marks=(Mark(None, "server", rb"^MSG thumbnail\.make ", skip=14),),
)
SHOWS = "A printer that fetches six letters at a time within 0.8 s; two come each 3 s."
fault(
    "fetch_leaves_a_request_py",
    library("py_2_14", "fetch_leaves_a_request", DRIVER),
    "A fetch that times out leaves a pull request open",
    peer="py_2_14",
    kind="pull requests",
    thread="nats-io/nats.py#933",
    shows=SHOWS,
    says="When a fetch is over (408), the client asks for six messages once more and gives up in "
    "the same moment: nobody waits for that request. It stays open for 0.8 s, and takes the "
    "letters for which the next fetch asks; that one waits for the rest until it times out.",
    marks=(Mark(None, "client", rb'^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\.[^}]*"expires": \d+\}'),),
)
pair(
    "published_by_both_java",
    "published_by_one_java",
    title="A program with two connections publishes each message on both",
    title_of_twin="A program with two connections publishes on one and subscribes on the other",
    played=lambda name: library("java", name.removesuffix("_java"), DRIVER),
    peer="java",
    kind="duplicates",
    thread="nats-io/nats.java#157",
    shows="40 positions of a robot with two connections, and a screen.",
    says="robot-eth0 and robot-wlan0 are connections of one program to one server, and both "
    "publish each position: the screen gets each twice, and the robot itself four times. One "
    "connection has to publish.",
    marks=(Mark(None, "client", rb"^PUB robots\.position", again=rb'"step": \d+', across=True),),
)
fault(
    "pull_lost_in_a_restart_rust",
    restarting("rust_next", "pull_lost_in_a_restart", DRIVER, after=4.5, down=1),
    "A pull request is lost in a restart, and is not repeated",
    peer="rust_next",
    kind="pull requests",
    thread="nats-io/nats.rs#224",
    shows="Lorries each half second, a scale that asks for one at a time without a time limit, "
    "and a restart while it waits.",
    says="The scale waits for the answer to a pull request that went to the server before its "
    "restart. The new server does not know it, the scale does not ask again: it has subscribed "
    "its inbox again, and gets none of the later messages. It has to pull again when it has "
    "reconnected, or to give the request a time limit.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\.weighings\.scale"),),
)
fault(
    "fetch_over_at_once_c",
    fetch_over_at_once_c,
    "A fetch takes the timeout of the one before for its own",
    peer="c",
    kind="pull requests",
    thread="nats-io/nats.c#634",
    shows="An archive that fetches five records within 0.3 s, 40 ms away; one comes each 1.9 s.",
    says="The 408 of a pull request comes when its fetch is over; the next fetch takes it for the "
    "answer to its own request, ends at once and sends another one: requests follow each other "
    "without the 0.3 s that they are to wait, and stay open in numbers.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\.records\.archive"),),
)


def consumer_without_its_settings_cli() -> Facts:
    """An operator makes a consumer from the description of another one."""
    with peers.servers(STORED, version=OLD):
        return peers.drive("cli", "consumer_without_its_settings", driver=DRIVER)


add(
    Scenario(
        name="bug_consumer_without_its_settings_cli",
        play=consumer_without_its_settings_cli,
        title="A consumer is to be made without the settings of its description",
        peer="cli",
        server=OLD,
        healthy=False,
        shows="A work queue, six parcels, a consumer that is deleted and made again.",
        fault="The saved description has the settings below config, one level deeper than they "
        "are looked for: the request to create drivers has none of them, neither the ack policy "
        "nor the filter. The server refuses it (10084), the consumer is gone, and parcels stay.",
        kind="settings",
        thread="nats-io/natscli#692",
        marks=(Mark(None, "client", rb"^H?PUB \$JS\.API\.CONSUMER\.DURABLE\.CREATE\.PARCELS"),),
    )
)
near_miss(
    "incidents_day_py",
    restarting("py", "incidents_day", DRIVER, after=6, down=0.8),
    "Three desks resolve incidents over a restart",
    peer="py",
    thread="a healthy program of several workers",
    shows="90 incidents with an id each, three desks that pull, naks with a delay, synchronous "
    "acks, a status bucket, a panel, a restart, and connections that are drained.",
)
near_miss(
    "museum_day_rust",
    restarting("rust_next", "museum_day", DRIVER, after=5, down=1),
    "A museum with tickets, objects and keys over a restart",
    peer="rust_next",
    thread="a healthy program of many parts",
    shows="70 tickets with an id each, two doors that pull with heartbeats, three objects, a "
    "bucket, a restart, and connections that are drained.",
)
