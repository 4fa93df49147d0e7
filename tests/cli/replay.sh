#!/usr/bin/env bash
# replay.sh LINCHPIN -- traces: a replay finds the same error, and no other.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
root=$here/../..

# again ARGUMENT...: finds a violation, and replays it.
again() {
	expect 1 "$@" --trace found.trace --json
	cp .out first
	expect 1 replay found.trace --json
	if command -v python3 >/dev/null; then
		python3 - first .out <<'P' || fail "the replay differs"
import json, re, sys
# The addresses of globals differ between processes; a seed is named only if random numbers were drawn.
read = lambda f: json.loads(re.sub(r"0x[4-7][0-9a-f]{8,}", "ADDRESS", open(f).read()))
a, b = (read(f) for f in sys.argv[1:])
same = [a[k] == b[k] for k in ("verdict", "kind", "model", "prop")]
same.append(a["text"].startswith(b["text"]))
steps = lambda r: [s for s in r["violation"]["steps"] if s["action"] != "end"]
sys.exit(not (all(same) and steps(a) == steps(b) and a["violation"].get("client") == b["violation"].get("client")))
P
	fi
}

for program in ring_bug; do
	again run "$root/examples/$program.c"
done
for program in cond_lost_wakeup sb_release_acquire mutex_forgotten race_memcpy use_after_free_threads \
	spin_mcs_relaxed semaphore_deadlock null_raced; do
	again run "$root/tests/programs/bug/$program.c"
	again run "$root/tests/programs/bug/$program.c" --model rc11 -j 2
done
again run "$root/tests/regress/halves_set_up.c"
again run "$root/tests/programs/bug/sb_relaxed.c" --model tso
again run "$root/tests/programs/bug/counter_load_store.c" --random 1000

cat >counter.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int n;
LP_SPEC("counter")
LP_METHOD(increment) { atomic_store(&n, atomic_load(&n) + 1); return LP_VOID; }
LP_METHOD(read) { return atomic_load(&n); }
C
again check counter.c
again check counter.c --model sc --prop sequential --ops 4
again check counter.c --client 'increment(); read() | increment(); read()'
mkdir elsewhere
(cd elsewhere && "$linchpin" replay ../found.trace >../.out) ; [ $? = 1 ] || fail "not from elsewhere"

# Every step, with its call and its line.
# Files that were written with the trace are not written again.
expect 1 check counter.c --trace found.trace --lcov found.info --junit found.xml --sarif found.sarif --html found.html
rm found.info found.xml found.sarif found.html
expect 1 replay found.trace
ls found.* | grep -vx found.trace && fail "a replay writes files"
expect 1 check counter.c --client 'increment(); read() | increment(); read()' --trace found.trace
expect 1 replay found.trace --steps; err_empty
out_has "T1  increment()  load n = 0 (seq_cst)  <- initial value"
out_has "counter.c:5: LP_METHOD(increment) { atomic_store(&n, atomic_load(&n) + 1); return LP_VOID; }"
grep -qE '^ +[0-9]+  T1  read\(\) .* <- step [0-9]+ \(T[12] counter.c:5\)' .out || fail "no second call"
[ "$(grep -cE '^ +[0-9]+  T[0-9]' .out)" = "$(grep -cE '^ +counter.c:[56]: LP_METHOD' .out)" ] || fail "a step without its line"
out_has "=> not linearizable"
expect 1 replay found.trace --steps -q; [ "$(wc -l <.out)" = 1 ] || fail "more than the verdict"
expect 1 replay found.trace --steps --json; json_has '"call":0'
expect 1 run "$root/examples/ring_bug.c" --trace ring.trace
expect 1 replay ring.trace --steps; out_has "ring_bug.c:19: atomic_store_explicit(&tail, t + 1"
out_has "T0  take  load tail = 1 (acquire)  <- step 6 (T1 ring_bug.c:19)"; out_has "=> assertion"
expect 2 replay ring.trace --steps 5; says "one trace is expected"
expect 2 report ring.trace --steps -o x.html; says "option '--steps' is not supported by 'linchpin report'"

# If the source has changed, replay says so, and the answer is about the new source.
expect 1 check counter.c --trace found.trace
sed -i 's/atomic_store(&n, atomic_load(&n) + 1)/atomic_fetch_add(\&n, 1)/' counter.c
expect 3 replay found.trace; err_has "has changed since"; out_has "something else at step"

# The same for a file that it includes.
printf '#include "inner.h"\nint main(void) { inner(); }\n' >outer.c
printf '#include <assert.h>\nstatic void inner(void) { assert(0); }\n' >inner.h
expect 1 run outer.c --trace outer.trace
expect 1 replay outer.trace; err_empty
echo '/* another one */' >>inner.h
expect 1 replay outer.trace; err_has "inner.h' has changed since"

# Files that are not traces.
expect 2 replay; says "one trace is expected"
expect 2 replay nothing.trace; says "cannot read 'nothing.trace'"
expect 2 replay counter.c; says "counter.c:1: not a trace"
head -n 5 found.trace >short.trace
expect 2 replay short.trace; says "'end' is missing"
sed 's/^step 0 /step x /' found.trace >bad.trace
expect 2 replay bad.trace; says "a step is"
sed 's/^call 1 increment/call 1 frobnicate/' found.trace >bad.trace
expect 2 replay bad.trace; says "makes no sense: frobnicate"
expect 0 check counter.c --trace none.trace; [ ! -e none.trace ] || fail "a trace of nothing"
finish
