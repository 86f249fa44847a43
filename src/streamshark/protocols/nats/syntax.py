"""Words of NATS and JetStream in subjects, texts and bodies: a redaction keeps them.

Source: nats-server v2.12.2, `server/jetstream_api.go`, `server/consumer.go`, `server/errors.go`,
`server/stream.go`; ADR-1, ADR-2, ADR-8, ADR-20, ADR-32.
"""

import re
from typing import Final

from streamshark.schema.syntax import Syntax, word_set

_END: Final = r"(?![^.\s\"'\]),])"
"""After the last character of a token of a subject."""
_START: Final = r"(?<![^\s\"'\[(,:])"
"""Before the first character of a subject."""
_API: Final = (
    "API|INFO|STREAM|CREATE|UPDATE|NAMES|LIST|DELETE|PURGE|SNAPSHOT|RESTORE|MSG|GET|NEXT|PEER|"
    "REMOVE|EVACUATE|CANCEL_MOVE|MOVE|LEADER|STEPDOWN|TEMPLATE|CONSUMER|DURABLE|PAUSE|UNPIN|RESET|"
    "DIRECT|META|RESCUE|SERVER|ACCOUNT"
)
_EVENTS: Final = (
    "ADVISORY|METRIC|CREATED|DELETED|MODIFIED|UPDATED|ACTION|MAX_DELIVERIES|MSG_TERMINATED|"
    "MSG_NAKED|ACK|SNAPSHOT_CREATE|SNAPSHOT_COMPLETE|RESTORE_CREATE|RESTORE_COMPLETE|"
    "LEADER_ELECTED|QUORUM_LOST|PINNED|UNPINNED|DOMAIN|OUT_OF_STORAGE|REMOVED|BATCH_ABANDONED"
)
_SYSTEM: Final = (
    "REQ|SERVER|ACCOUNT|PING|STATSZ|VARZ|CONNZ|SUBSZ|ROUTEZ|GATEWAYZ|LEAFZ|ACCOUNTZ|JSZ|HEALTHZ|"
    "PROFILEZ|EXPVARZ|IDZ|CLAIMS|LOOKUP|UPDATE|CONNECT|DISCONNECT|CONNS|SUBS|LIST|PACK|DELETE|"
    "SHUTDOWN|LAMEDUCK|CLIENT|AUTH|ERR|USER|INFO|STATS|SCHEMA|DEBUG|LATENCY|M2"
)

NAMES: Final = re.compile(
    rf"{_START}(\$JS\.ACK)\.(?:[^.\s]+\.){{2,4}}(\d+)\.(\d+)\.(\d+)\.(\d+)\.(\d+)(?:\.[^.\s]+)?{_END}"
    rf"|{_START}(\$JS)(?:\.(?!API)[^.\s]+)?((?:\.(?:{_API}){_END})+)"
    rf"|{_START}(\$JS\.(?:EVENT|FC|SNAPSHOT|ACK)(?:\.(?:{_EVENTS}|{_API}){_END})*)"
    rf"|{_START}(\$O)\.[^.\s]+\.([CM]){_END}"
    rf"|{_START}(\$(?:SYS|SRV|KV|O|G|GR|NRG|GNR|LDS|MQTT|JSC|NATS)(?:\.(?:{_SYSTEM}){_END})*)"
    rf"|(?<![^\s\"'\[(,:.])(_INBOX|_GR_|_R_|_LR_){_END}"
    r"|(?<![^\s\"'\[(,:.])(KV|OBJ)(?=_)"
    r"|(?<![\w-])(Nats-[A-Z][A-Za-z-]*|NATS/1\.0)(?![\w-])"
    r"|(?<![\w.])(io\.nats\.(?:jetstream|micro|server)\.[a-z0-9_.]+)"
    r"|(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))"
)

MEMBERS: Final = word_set(
    """
        type error code err_code description total offset limit streams consumers missing offline
    config created state messages bytes first_seq first_ts last_seq last_ts num_subjects subjects
    num_deleted deleted lost consumer_count cluster mirror sources alternates ts did_create success
    purged name subjects_filter deleted_details retention max_consumers max_msgs max_bytes
    discard discard_new_per_subject max_age max_msgs_per_subject max_msg_size storage num_replicas
    no_ack template_owner duplicate_window placement sealed deny_delete deny_purge allow_rollup_hdrs
    allow_direct mirror_direct republish subject_transform subject_transforms compression metadata
    consumer_limits inactive_threshold max_ack_pending allow_msg_ttl subject_delete_marker_ttl
    allow_msg_counter allow_atomic allow_msg_schedules persist_mode first_seq src dest headers_only
    stream_name durable_name deliver_policy opt_start_seq opt_start_time ack_policy ack_wait
    max_deliver backoff filter_subject filter_subjects replay_policy rate_limit_bps sample_freq
    max_waiting max_batch max_expires max_request_batch max_request_expires
    max_request_max_bytes deliver_subject deliver_group flow_control idle_heartbeat
    mem_storage direct pause_until paused pause_remaining priority_groups priority_policy
    priority_timeout delivered ack_floor consumer_seq stream_seq last_active num_ack_pending
    num_redelivered num_waiting num_pending push_bound leader replicas current active lag peer
    raft_group leader_since system_account traffic_account external api deliver filter_subject
    expires batch no_wait heartbeat min_pending min_ack_pending id group priority delay
    stream seq duplicate domain message subject data hdrs time last_by_subj next_by_subj
    multi_last up_to_seq up_to_time start_time keep filter memory storage tiers limits
    reserved_memory reserved_storage accounts levels total total_size api inflight errors level
    max_memory max_storage max_ack_pending memory_max_stream_bytes storage_max_stream_bytes
    max_bytes_required action pedantic timestamp deliveries reason client server acc svc rtt
    start stop user host ver tags jetstream flags account lang kind client_type
    endpoints version num_requests num_errors last_error processing_time average_processing_time
    started queue_group endpoint options nuid mtime size chunks digest max_chunk_size bucket
    headers link
    interest workqueue none all explicit instant original file s2 old new last
    last_per_subject by_start_sequence by_start_time overflow pinned_client prioritized default
    async create update true false null auto val"""
)

WORDS: Final = word_set(
    """
        authorization violation authentication timeout expired revoked permissions for publish to
    subscription using queue invalid subject maximum payload connections exceeded subscriptions
    unknown protocol operation stale connection slow consumer parser error control line
    client parse no responders message size is push pull based batch completed request
    heartbeat idle flow leadership change deleted policy max waiting ack pending msg
    headers not supported account user password credentials required secure tls attempted
    to connect route leafnode gateway port websocket websockets bad available replies
    stream name already in use found key wrong last sequence id msgid
    insufficient resources storage server shutdown busy system eos"""
)

SYNTAX: Final = Syntax(
    names=NAMES,
    words=WORDS,
    control=re.compile(
        rb"\$JS\.(?!ACK\.)|\A(?i:h?pub)[ \t]+\$JS\.ACK\.|io\.nats\.|\$SYS\.|\$SRV\."
        rb'|\{"stream":\s*"[^"]*",[^{}]*"seq":\s*\d+|"err_code":\s*\d+|\$O\.[^.\s]+\.M\.'
    ),
    members=MEMBERS,
    bodies=re.compile(rb"(?:\+ACK|\+OK|\+WPI|\+NXT|\+TERM|-NAK)(?=[\s{]|\Z)"),
    keys={
        "nats-msg-id": "reference", "nats-expected-last-msg-id": "reference",
        "nats-expected-stream": "stream", "nats-stream": "stream", "nats-subject": "stream",
        "nats-consumer-stalled": "stream", "nats-stream-source": "stream",
        "nats-trace-dest": "stream", "nats-reply-to": "stream", "nats-schedule-target": "stream",
        "nats-service-error": "text", "nats-request-info": "name", "nats-*": "keyword",
        "status": "keyword", "description": "text",
    },
)  # fmt: skip
