# Plays the fifteenth round of the blind test by the command line of NATS; prints what it counted as JSON.
# Usage: cli_fifteenth_round.sh PROGRAM PLAY
nats() { "$program" --server nats://127.0.0.1:4222 "$@" </dev/null >> cli.log 2>&1; }
program=$1
export HOME=$PWD NO_COLOR=1
done=0 failed=0
run() { if nats "$@"; then done=$((done + 1)); else failed=$((failed + 1)); fi; }

# An operator makes a consumer from the saved description of another one; its settings are not where the request has them.
consumer_without_its_settings() {
    run stream add PARCELS --subjects 'parcels.>' --storage memory --retention work --defaults
    run consumer add PARCELS drivers --pull --deliver all --ack explicit --wait 12s --max-pending 60 --filter 'parcels.north' --defaults
    run publish parcels.north 'parcel {{Count}}' --count 6 --jetstream
    "$program" --server nats://127.0.0.1:4222 consumer info PARCELS drivers --json </dev/null > drivers.json
    run consumer rm PARCELS drivers --force
    run request '$JS.API.CONSUMER.DURABLE.CREATE.PARCELS.drivers' '{"stream_name": "PARCELS", "config": {"durable_name": "drivers"}}'
    run consumer next PARCELS drivers --count 1 --timeout 1s
    run stream report
}

"$2"
echo "{\"done\": $done, \"failed\": $failed}"
