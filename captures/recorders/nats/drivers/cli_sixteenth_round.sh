# Plays the sixteenth round of the blind test by the command line of NATS; prints what it counted as JSON.
# Usage: cli_sixteenth_round.sh PROGRAM PLAY
nats() { "$program" --server nats://127.0.0.1:$port "$@" </dev/null >> cli.log 2>&1; }
program=$1 port=4222
export HOME=$PWD NO_COLOR=1
done=0 failed=0
run() { if nats "$@"; then done=$((done + 1)); else failed=$((failed + 1)); fi; }

# A film is read over a slow line, by the default time limit.
object_read_cut_short() {
    for n in $(seq 1 1500); do printf 'frame %s of a film about the sea, ' $n; done > film
    run object add films --storage memory
    run object put films film --no-progress --force
    port=4223
    run object get films film --output copy --no-progress --force
    counted=$(stat -c %s copy 2>/dev/null || echo 0)
    port=4222
    run object ls films
}

"$2"
cat cli.log >&2
echo "{\"done\": $done, \"failed\": $failed, \"bytes_read\": $counted, \"bytes\": $(stat -c %s film)}"
