"""Faults, near misses and programs of the eleventh blind round: see docs/checking.md."""

from captures.recorders.nats.setup import Scenario, add
from captures.recorders.nats.threads import Mark, fault, library, near_miss, restarting

DRIVER = "eleventh_round"

SHOWS = "A setting each 0.65 s, requests to the service, and a restart of the server after 6 s."
fault(
    "watch_lost_at_a_restart",
    restarting("rust_next", "watch_lost_at_a_restart", DRIVER, after=6, down=1.5),
    "A watch is lost when the server restarts, by async-nats 0.48.0",
    peer="rust_next",
    kind="state lost at a reconnection",
    thread="nats-io/nats.rs#1596",
    shows=SHOWS,
    says="gateway handles a setting for 13 s while the server restarts. Its watch ends with missed "
    "heartbeats after that, and the consumer is never made again: the puts that follow are not "
    "delivered to it. The watch has to be opened again when it fails.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.CREATE\.KV_settings"),),
)
near_miss(
    "watch_goes_on_over_a_restart",
    restarting("rust_next", "watch_goes_on_over_a_restart", DRIVER, after=6, down=1.5),
    "A watch goes on when the server restarts, by async-nats 0.48.0",
    peer="rust_next",
    thread="nats-io/nats.rs#1596",
    shows=SHOWS,
)

SHOWS = "60 puts into a bucket that has no key of those that are watched."
fault(
    "watch_of_an_empty_bucket_ends",
    library("rust_next", "watch_of_an_empty_bucket_ends", DRIVER),
    "A watch of the history ends at once where there is no key, by async-nats 0.39.0",
    peer="rust_next",
    kind="storms and loops",
    thread="nats-io/nats.rs#1376",
    shows=SHOWS,
    says="watch_with_history of async-nats 0.39 ends when nothing is pending, and the dashboard "
    "watches again each 150 ms: a consumer is made and given up some fifty times and none ever "
    "waits for a key. The release has to be left, or watch_all used.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.CREATE\.KV_stations", skip=1),),
)
near_miss(
    "watch_of_an_empty_bucket_stays",
    library("rust_next", "watch_of_an_empty_bucket_stays", DRIVER),
    "A watch of the history waits where there is no key, by async-nats 0.48.0",
    peer="rust_next",
    thread="nats-io/nats.rs#1376",
    shows=SHOWS,
)

SHOWS = "An order each 0.23 s, and a restart of the server after 8 s."
fault(
    "pull_lost_at_a_restart",
    restarting("java", "pull_lost_at_a_restart", DRIVER, after=8, down=1.2),
    "A pull without an end is lost when the server restarts",
    peer="java",
    kind="state lost at a reconnection",
    thread="nats-io/nats.java#892",
    shows=SHOWS,
    says="clerk pulls ten and pulls again when it has got ten. The pull that is open when the "
    "server restarts is forgotten by the server, so nothing comes any more, and clerk waits "
    "for ever for the rest of its ten. A pull has to have an end (expires) and a heartbeat, and "
    "has to be sent again after a reconnection.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\.orders\.clerk"),),
)
near_miss(
    "fetches_over_a_restart",
    restarting("java", "fetches_over_a_restart", DRIVER, after=8, down=1.2),
    "Fetches with an end go on when the server restarts",
    peer="java",
    thread="nats-io/nats.java#892",
    shows=SHOWS,
)

SHOWS = "Five jobs, one each 0.55 s, and two workers that wait for them."
fault(
    "pulls_of_ten_milliseconds",
    library("java", "pulls_of_ten_milliseconds", DRIVER),
    "Two workers pull for ten milliseconds each time",
    peer="java",
    kind="storms and loops",
    thread="nats-io/nats-server#4460, nats-io/nats.net.v1#812",
    shows=SHOWS,
    says="Each worker asks for one message, for ten milliseconds, and asks again: hundreds of "
    "pulls for five jobs, nearly all end with 408, and a message that comes when a worker has "
    "given up waits for ack_wait. The pulls have to be open for seconds.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\.jobs\.crew"),),
)
near_miss(
    "pulls_of_a_second",
    library("java", "pulls_of_a_second", DRIVER),
    "Two workers pull for a second each time",
    peer="java",
    thread="nats-io/nats-server#4460",
    shows=SHOWS,
)

SHOWS = "152 puts, a watch of the prices in euros, and one of those in dollars."
fault(
    "watch_of_a_quoted_key",
    library("py", "watch_of_a_quoted_key", DRIVER),
    "A watch has the quotes of its configuration around its key",
    peer="py",
    kind="subjects and filters",
    thread="nats-io/nats.go#1608",
    shows=SHOWS,
    says='screen watches the key "001.>" with the quotes: no key has quotes, and > stands for '
    "nothing inside a token, so the filter matches none of the puts of 001.eur, for ever. The "
    "quotes have to go.",
    marks=(Mark(None, "client", rb'^PUB \$JS\.API\.CONSUMER\.CREATE\.KV_prices.*\\"001'),),
)
near_miss(
    "watch_of_a_key",
    library("py", "watch_of_a_key", DRIVER),
    "A watch has the key by which it is put",
    peer="py",
    thread="nats-io/nats.go#1608",
    shows=SHOWS,
)

SHOWS = "14 letters, one each 0.4 s, and requests to a service in between."
fault(
    "next_by_a_request",
    library("py", "next_by_a_request", DRIVER),
    "The next message is asked for by a request, whose answer the library cannot know",
    peer="py",
    kind="unanswered and abandoned",
    thread="nats-io/nats.py#192",
    shows=SHOWS,
    says="sorter asks for the next message by request(): what comes to the inbox has the subject "
    "of the letter, and the library looks for the token of the request in it and drops it. Every "
    "request times out, and no letter is acknowledged: the server delivers each six times. A "
    "pull subscription has to be used, or an inbox of its own.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\.letters\.sorter"),),
)
near_miss(
    "next_by_an_inbox_of_its_own",
    library("py", "next_by_an_inbox_of_its_own", DRIVER),
    "The next message is asked for by a request with an inbox of its own",
    peer="py",
    thread="nats-io/nats.py#192",
    shows=SHOWS,
)

SHOWS = "A bucket of thirty nodes, 60 puts, and a panel that looks for a node each 0.2 s."
fault(
    "bucket_listed_per_lookup",
    library("py", "bucket_listed_per_lookup", DRIVER),
    "All keys of a bucket are listed to look for one",
    peer="py",
    kind="storms and loops",
    thread="PasarGuard/panel#793",
    shows=SHOWS,
    says="panel lists the keys of the bucket for each lookup: a consumer is made, delivers the "
    "headers of all thirty keys, and is given up, five times a second. The panel has to ask for "
    "the key itself, or keep one watch.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.CREATE\.KV_node_state"),),
)
near_miss(
    "key_asked_for_per_lookup",
    library("py", "key_asked_for_per_lookup", DRIVER),
    "One key of a bucket is asked for to look for it",
    peer="py",
    thread="PasarGuard/panel#793",
    shows=SHOWS,
)

SHOWS = "An invoice each 0.21 s, a sign of life each 0.7 s, and a restart of the server after 7 s."
fault(
    "pulls_end_with_the_connection",
    restarting("js", "pulls_end_with_the_connection", DRIVER, after=7, down=1),
    "A program that pulls when its batch is done pulls no more after a reconnection",
    peer="js",
    kind="state lost at a reconnection",
    thread="nats-io/nats.node#590",
    shows=SHOWS,
    says="printer pulls twelve when it has printed twelve. It subscribes again after the "
    "reconnection, but the pull was lost with the server, and it does not pull again: it is "
    "alive, and prints nothing. It has to pull at the reconnection.",
    marks=(Mark(None, "client", rb"^PUB \$JS\.API\.CONSUMER\.MSG\.NEXT\.invoices\.printer"),),
)
near_miss(
    "pulls_after_the_reconnection",
    restarting("js", "pulls_after_the_reconnection", DRIVER, after=7, down=1),
    "A program that pulls when its batch is done pulls after a reconnection too",
    peer="js",
    thread="nats-io/nats.node#590",
    shows=SHOWS,
)

SHOWS = "Thirty measurements, each with a subject of its own."
fault(
    "published_before_it_is_subscribed",
    library("c", "published_before_it_is_subscribed", DRIVER),
    "A message is published before its subscription has reached the server",
    peer="c",
    kind="order of two connections",
    thread="nats-io/nats.c#923",
    shows=SHOWS,
    says="display subscribes the subject of a measurement, and sensor publishes it right after "
    "that on another connection, before the server has read the SUB: nobody is there to get it, "
    "and display waits in vain. display has to flush before the sensor is started.",
    marks=(Mark(None, "client", rb"^PUB measured\."),),
)
near_miss(
    "subscription_flushed_first",
    library("c", "subscription_flushed_first", DRIVER),
    "A message is published after its subscription has reached the server",
    peer="c",
    thread="nats-io/nats.c#923",
    shows=SHOWS,
)

add(
    Scenario(
        name="warehouse_c",
        play=(_warehouse := library("c", "warehouse", DRIVER)),
        title="A warehouse: streams, two kinds of consumers, and requests, by nats.c",
        peer="c",
        healthy=True,
        shows="Publishes one by one and in batches, a push and a pull consumer in two runs.",
    )
)
add(
    Scenario(
        name="workshop_rust",
        play=(_workshop := library("rust_next", "workshop", DRIVER)),
        title="A workshop: a work queue whose messages fail now and then, by async-nats 0.48.0",
        peer="rust_next",
        healthy=True,
        shows="Two runs of a worker that refuses some messages at first, and a file each run.",
    )
)
for _play in (_warehouse, _workshop):
    _play.__code__ = _play.__code__.replace(co_filename=__file__)
