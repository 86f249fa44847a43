# Plays the thirteenth round of the blind test by the command line of NATS; prints what it counted as JSON.
# Usage: cli_thirteenth_round.sh PROGRAM PLAY
nats() { "$program" --server nats://127.0.0.1:4222 "$@" </dev/null >> cli.log 2>&1; }
program=$1
export HOME=$PWD NO_COLOR=1
done=0 failed=0
run() { if nats "$@"; then done=$((done + 1)); else failed=$((failed + 1)); fi; }

# An operator adds consumers to a work queue until there is one for activities; $1 is the filter of the first.
work_queue() {
    run stream add SWYTCH --subjects 'swytch.>' --retention work --storage memory --defaults
    run consumer add SWYTCH orders --pull --filter "$1" --deliver all --ack explicit --defaults
    for number in 1 2 3 4 5; do
        run publish swytch.orders.new "order $number" --jetstream
        run publish swytch.activity.login "user $number" --jetstream
        nats consumer info SWYTCH activity || run consumer add SWYTCH activity --pull \
            --filter 'swytch.activity.>' --deliver all --ack explicit --defaults
        run consumer next SWYTCH orders --count 1
        run consumer next SWYTCH activity --count 1 --timeout 400ms
        sleep 0.7
    done
    run stream info SWYTCH
}

work_queue_filters_overlap() { work_queue 'swytch.>'; }
work_queue_filters_apart() { work_queue 'swytch.orders.>'; }

"$2"
echo "{\"done\": $done, \"failed\": $failed}"
