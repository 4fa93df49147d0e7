#!/usr/bin/env bash
# plan.sh LINCHPIN -- --plan: the expected cost of an exploration.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
programs=$(realpath "$here/../../bench/programs")
examples=$(realpath "$here/../../examples")

# number FIELD [MEMBER]: prints a number from the JSON output.
number() { python3 -c 'import json,sys; j=json.load(open(".out"))[sys.argv[1]]; print(j[sys.argv[2]] if len(sys.argv) > 2 else j)' "$@"; }

# Small clients are explored, and the numbers are exact.
expect 0 run $programs/kernels/ainc.c --no-symmetry --plan -- -DN=5
out_has "plan for $programs/kernels/ainc.c: all executions were visited"; out_has "executions:  120"
out_has "nothing is verified by a plan"; err_empty
expect 0 run $programs/kernels/ainc.c --no-symmetry --plan --json -- -DN=5; json_has '"exact":true'
[ "$(number executions about)" = 120 ] || fail "not 120 executions"
for jobs in 1 2; do
	expect 0 check $examples/treiber.c --plan --json --ops 4 -j $jobs; json_has "\"jobs\":$jobs"
	planned=$(number executions about) clients=$(number clients)
	[ "$clients" = "$(number sampled)" ] || fail "not all clients were tried"
	expect 0 check $examples/treiber.c --json --ops 4 -j $jobs
	[ "$planned" = "$(number executions)" ] || fail "planned $planned executions"
	out_has "($clients most parallel ones)"
done

# Large clients are estimated, within the time limit; the true number is 525,630.
limit=30
expect 0 run $programs/kernels/fib.c --plan --time 1 --json -- -DN=6; json_has '"exact":false'
python3 - <<'PY' || fail "a strange estimate"
import json
e = json.load(open(".out"))["executions"]
assert 0 < e["low"] < e["about"] < e["high"], e
assert 8149079 / 30 < e["about"] < 8149079 * 30, e
PY
expect 0 run $programs/kernels/fib.c --plan --time 0.5 -j 2 -- -DN=6; out_has "from a sample"; out_has "with -j 2"; out_has "core hours:"

# If a limit is reached, samples estimate the total, too.  The true number is 27 * 2^22, and the estimate of the walk itself is 10,000 times as large.
expect 3 run $programs/kernels/lastzero.c --time 6 --json -- -DN=24
[ "$(number estimate | cut -d. -f1)" -lt $((100 * 27 << 22)) ] || fail "$(number estimate) executions are too many"

# More clients than can be tried.
expect 0 check $examples/lazylist.c --plan --time 60 --ops 6; out_has "were sampled"

# If an error is found, the plan mentions it, and gives no verdict.
expect 0 check $examples/bug_arraystack.c --plan; out_has "sampling found an error"; out_lacks "executions:"

for other in "--random 5" "--model sc --preemptions 1"; do
	expect 2 run $programs/kernels/ainc.c --plan $other; says "--plan cannot be combined with --"; alone
done
expect 2 check $examples/treiber.c --plan --ops 99; says "--ops 99"; alone
expect 2 states $examples/treiber.c --plan; says "--plan"; alone

finish
