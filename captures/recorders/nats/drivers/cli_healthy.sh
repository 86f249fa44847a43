# Plays healthy programs by the command line of NATS; prints what it counted as JSON.
# Usage: cli_healthy.sh PROGRAM PLAY
nats() { timeout 6 "$program" --server nats://127.0.0.1:4222 "$@" </dev/null >> cli.log 2>&1; }
program=$1
export HOME=$PWD NO_COLOR=1
done=0 failed=0
run() { if nats "$@"; then done=$((done + 1)); else failed=$((failed + 1)); fi; }

# The benchmarks of its documentation, small.
benchmarks() {
    run bench pub bench.core --msgs 400 --size 64 --clients 2 --no-progress
    nats bench sub bench.fan --msgs 300 --clients 3 --no-progress & subs=$!
    sleep 0.6
    run bench pub bench.fan --msgs 300 --size 32 --no-progress
    wait $subs
    nats bench service serve bench.svc --clients 2 --no-progress & serve=$!
    sleep 0.6
    run bench service request bench.svc --msgs 60 --clients 2 --no-progress
    kill $serve
    run stream add benchstream --subjects bench.js --storage memory --defaults
    run bench js pub sync bench.js --msgs 60 --size 40 --no-progress
    run bench js pub async bench.js --msgs 300 --batch 50 --size 40 --no-progress
    run bench js ordered --msgs 200 --no-progress
    run bench js get sync --msgs 60 --no-progress
    run bench js consume --msgs 200 --clients 2 --batch 50 --no-progress
    run bench js fetch --msgs 200 --clients 2 --batch 50 --no-progress
    run bench kv put --msgs 60 --clients 2 --storage memory --no-progress
    run bench kv get --msgs 60 --clients 2 --no-progress
}

$2
echo "{\"done\": $done, \"failed\": $failed}"
