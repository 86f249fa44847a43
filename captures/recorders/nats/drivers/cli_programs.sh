# Plays programs by the command line of NATS; prints what it counted as JSON.
# Usage: cli_programs.sh PROGRAM PLAY
nats() { "$program" --server nats://127.0.0.1:4222 "$@" </dev/null >> cli.log 2>&1; }
program=$1
export HOME=$PWD NO_COLOR=1
done=0 failed=0
run() { if nats "$@"; then done=$((done + 1)); else failed=$((failed + 1)); fi; }

# A script that calls the command line for each message and each question.
commands_in_a_loop() {
    nats reply help "answer {{Count}}" & replier=$!
    sleep 0.6
    for number in $(seq 18); do run publish jobs.report "report $number"; done
    for number in $(seq 12); do run request help "question $number"; done
    kill $replier
}

# Three programs, each with a durable consumer of its own, set up and looked at by an operator.
consumers_of_three_programs() {
    run stream add ORDERS --subjects 'orders.>' --storage memory --defaults
    run publish orders.new "order {{Count}}" --count 12 --jetstream
    for name in billing shipping audit; do
        run consumer add ORDERS $name --pull --deliver all --ack explicit --defaults
        for number in 1 2 3; do run consumer next ORDERS $name --count 2; done
        run consumer info ORDERS $name
    done
    run consumer ls ORDERS
    run stream info ORDERS
}

# A benchmark publishes atomic batches, and each has the id of the one before.
batches_of_one_id() {
    run stream add BENCH --subjects 'bench.>' --storage memory --allow-batch --defaults
    run bench js pub atomic bench.a --stream BENCH --msgs 120 --batch 10 --clients 2 --size 16 \
        --no-progress
    run bench js ordered --stream BENCH --msgs 120 --no-progress
}

# Settings and files are stored, watched, conflict, and are removed.
settings_and_files() {
    run kv add settings --history 4 --storage memory
    nats kv watch settings & watcher=$!
    sleep 0.5
    for number in 1 2 3 4; do run kv put settings "page.$((number % 2))" "colour $number"; done
    run kv get settings page.1
    run kv create settings lock here
    nats kv create settings lock there
    run kv history settings page.0
    run kv revert settings page.1 1 --force
    run kv del settings page.0 --force
    run object add files --storage memory
    head -c 9000 /dev/zero | tr '\0' 'a' > page.txt
    run object put files page.txt --no-progress --chunk-size 4096
    run object get files page.txt --output copy.txt --no-progress
    run object ls files
    run object del files page.txt --force
    kill $watcher
    run kv del settings --force
}

# Two instances of a service, one of which stops, and an operator who looks.
services_looked_at() {
    nats service serve demo & first=$!
    nats service serve demo & second=$!
    sleep 0.8
    run service ls
    run service info demo
    run service stats demo
    run service ping
    for number in 1 2 3 4 5 6; do run request demo.echo "hello $number"; done
    kill $second
    sleep 0.5
    run service ls
    for number in 1 2 3; do run request demo.echo "hello again $number"; done
    kill $first
}

"$2"
echo "{\"done\": $done, \"failed\": $failed}"
