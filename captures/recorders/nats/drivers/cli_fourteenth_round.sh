# Plays the fourteenth round of the blind test by the command line of NATS; prints what it counted as JSON.
# Usage: cli_fourteenth_round.sh PROGRAM PLAY
nats() { "$program" --server nats://127.0.0.1:4222 "$@" </dev/null >> cli.log 2>&1; }
program=$1
export HOME=$PWD NO_COLOR=1
done=0 failed=0
run() { if nats "$@"; then done=$((done + 1)); else failed=$((failed + 1)); echo "failed: $*" >> failed.log; fi; }

# An operator backs a stream up, restores it, pauses a consumer for a while, edits, copies and purges.
backup_and_restore() {
    run stream add INVOICES --subjects 'invoices.>' --storage file --defaults
    run consumer add INVOICES mailer --pull --deliver all --ack explicit --defaults
    run publish invoices.new 'invoice {{Count}} of {{Random 20 60}}' --count 40 --jetstream
    run consumer next INVOICES mailer --count 15
    run consumer pause INVOICES mailer 2s --force
    run stream backup INVOICES backup
    run publish invoices.paid 'invoice {{Count}} paid' --count 10 --jetstream
    sleep 2.2
    run consumer next INVOICES mailer --count 12
    run stream rm INVOICES --force
    run stream restore backup
    run consumer next INVOICES mailer --count 5
    run stream edit INVOICES --max-age 10d --force
    run stream copy INVOICES ARCHIVE --subjects 'archive.>'
    run kv add settings --history 5 --storage memory
    for number in 1 2 3; do run kv put settings language "language $number"; done
    run kv history settings language
    run kv get settings language --raw
    run stream get INVOICES 3
    run stream purge INVOICES --subject invoices.paid --force
    run stream report
    run consumer report INVOICES
    run account info
    run rtt
    run consumer rm INVOICES mailer --force
    run stream rm ARCHIVE --force
}

"$2"
echo "{\"done\": $done, \"failed\": $failed}"
[ -s failed.log ] && cat failed.log >&2
true
