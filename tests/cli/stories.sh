#!/usr/bin/env bash
# stories.sh LINCHPIN -- the report explains a wrong result by the states of the specification along the closest order.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
examples=$(cd "$here/../../examples" && pwd)

expect 1 check "$examples/bug_treiber.c"
out_has "closest: [] -> push(1) -> [1] -> pop() = 1 -> []; then pop() would return empty, not 1"
expect 1 check --json "$examples/bug_treiber.c"
json_has '"states":["[]","[1]","[]"]'
# A call that could return its result, but has no place for another reason: the report names the reason.
expect 1 check --sync rid "$examples/hwqueue.c"
out_has "closest: [] -> enqueue(1) -> [1]; then enqueue(2), which does not synchronise with enqueue(1)"; out_lacks "would return"
# Under sc an old value was read before it was replaced; under other models perhaps later.  The last such read has a star.
expect 1 check --model sc "$here/../../zoo/seqlock.c" -- -DLOOK_ONCE
out_has "  * 9  T2  seqlock.c:40"; out_has "<- initial value, before step 5"
expect 1 check "$examples/bug_arraystack.c"
out_has "  * 5  T2  bug_arraystack.c:15  pop   load item[0] = 0 (seq_cst)  <- initial value, not step 2"

expect 1 check "$examples/bug_elimination.c"
out_has "-> pop() = 2 -> [1]; then pop() would return 1, not 2"
expect 1 check "$examples/bug_lazylist.c"
out_has "-> {2}; then insert(2) would return false, not true"

# A counter: the value that it would return is in no state, and was not an argument.
cat >counter.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_long n;
LP_SPEC("counter")
LP_METHOD(increment_fetch) { long seen = atomic_load(&n); atomic_store(&n, seen + 1); return seen + 1; }
C
expect 1 check counter.c
out_has "closest: 0 -> increment_fetch() = 1 -> 1; then increment_fetch() would return 2, not 1"

# The same for violations that `states` finds; an open call may have taken effect.
sed -e 's/"counter"/"counter:k=4"/' -e 's/seen + 1/(seen + 1) % 4/g' counter.c >wrapping.c
expect 1 states wrapping.c
out_has "closest: 0 -> increment_fetch() = 1 -> 1; then increment_fetch() would return 2, not 1"
cat >open.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_long value, late;
LP_SPEC("register")
LP_ARGS("write 1 2")
LP_METHOD(write, v) { value = v; late = v; return LP_VOID; }
LP_METHOD(read) { return late ? late : value; }
C
expect 1 states open.c
out_has "why: no order of the calls gives these results"
out_has "; then read() would return"

# A user's specification: the words of its state, or the text that it shows.
own() { # FIELDS
	cat <<C
#include <linchpin.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_long highest;
static void begin(struct lp_state *s, const int64_t *param) { (void)param; lp_state_push(s, 0); lp_state_push(s, 7); }
static enum lp_answer raise_it(struct lp_state *s, const struct lp_spec_call *c)
{
	if (c->arg[0] <= s->at[0])
		return lp_answers(c, 0);
	s->at[0] = c->arg[0];
	return lp_answers(c, 1);
}
static void show(const struct lp_state *s, const int64_t *param, char *out, size_t size)
{
	(void)param;
	snprintf(out, size, "highest %d", (int)s->at[0]);
}
static const struct lp_method methods[] = { { "raise", 1, LP_TRUTH, 0, raise_it } };
static const struct lp_kind kind = { .name = "maximum", .about = "", .methods = methods, .method_count = 1, .begin = begin $1 };
void *const unused = (void *)show;
LP_SPEC_OWN(kind)
LP_ARGS("1 2")
LP_METHOD(raise, v) { if (atomic_load(&highest) >= v) return 0; atomic_store(&highest, v); return 1; }
C
}
own '' >words.c
expect 1 check words.c
out_has "closest: [0, 7] -> raise(1) = true -> [1, 7]; then raise(1) would return false, not true"
own ', .show = show' >shown.c
expect 1 check shown.c
out_has "closest: highest 0 -> raise(1) = true -> highest 1; then raise(1) would return false, not true"

# A lock that two threads acquire.
cat >lock.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int taken;
LP_SPEC("lock")
LP_METHOD(trylock) { if (atomic_load(&taken)) return 0; atomic_store(&taken, 1); return 1; }
C
expect 1 check lock.c
out_has "closest: free -> trylock() = true -> held; then trylock() would return false, not true"

# There is one more state than there are calls; and a call without a place would have returned something else.
for file in "$examples"/bug_*.c; do
	timeout 60 "$linchpin" check --json --time 20 "$file" >.out 2>.err
	command_line="check --json $file"
	python3 - <<'P' || fail "the story is wrong"
import json
client = json.load(open(".out")).get("violation", {}).get("client", {})
if "states" in client:
    assert len(client["states"]) == len(client["closest"]) + 1, client
for i, call in enumerate(client.get("calls", [])):
    if "instead" in call:
        assert i not in client["closest"] and call["instead"] != call.get("result"), call
P
done

# The same for states: the order keeps real time, lacks at least one call that has returned, and no order has more calls.  (The test
# tries all orders, with a queue, a counter or a register of its own.)
zoo=$(cd "$here/../../zoo" && pwd)
while read -r file flags; do
	expect 1 states --json --threads 2 "$zoo/$file" -- $flags
	python3 - "$file" <<'P' || fail "the story is wrong"
import itertools, json, re, sys
client = json.load(open(".out"))["violation"]["client"]
calls, closest = client["calls"], client["closest"]
open_ = [c["state"] != "returned" for c in calls]
before = lambda a, b: not open_[a] and calls[a]["end"] <= calls[b]["start"]
assert len(client["states"]) == len(closest) + 1, client
assert all(not before(b, a) for i, a in enumerate(closest) for b in closest[i + 1:]), client
assert all(a in closest for b in closest for a in range(len(calls)) if before(a, b)), client
assert any(not o and i not in closest for i, o in enumerate(open_)), client


def step(state, call):
    """The next state; None if the result is another."""
    name, args = re.match(r"(\w+)\((.*)\)", call["call"]).groups()
    result = call.get("result") if call["state"] == "returned" else "any"
    if name in ("write", "read"):
        return args if name == "write" else state if result in (str(state), "any") else None
    if name == "enqueue":
        return state + (args,)
    if name == "dequeue":
        return (state[1:] if result in (state[0], "any") else None) if state else (state if result in ("empty", "any") else None)
    sys.exit(77)


first = "0" if any(c["call"].startswith(("write", "read")) for c in calls) else ()
most = 0
for length in range(len(calls) + 1):
    for order in itertools.permutations(range(len(calls)), length):
        if any(before(a, b) and a not in order[:order.index(b)] for b in order for a in range(len(calls))):
            continue
        state = first
        for i in order:
            state = None if state is None else step(state, calls[i])
        if state is not None:
            most = max(most, sum(not open_[i] for i in order))
assert most == sum(not open_[i] for i in closest), (most, client)
P
done <<'L'
kregister.c -DK=3 -DBUG=1
kregister.c -DBUG=2
arrayqueue.c
L
finish
