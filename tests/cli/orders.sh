#!/bin/bash
# `linchpin orders`, and --order of other commands: the orders that are found, names, messages.
here=$(realpath "$(dirname "$0")")
. "$here/lib.sh"
examples=$here/../../examples
zoo=$here/../../zoo

# ---- what is found

cat >flag.c <<'END'
#include <linchpin.h>
#include <stdatomic.h>

static atomic_int flag, unused;
static long value;

static void put(long v)
{
	value = v;
	atomic_store(&flag, 1);
}

static long get(void)
{
	if (!atomic_load(&flag))
		return LP_NIL;
	if (value > 100)
		return atomic_load(&unused);
	return value;
}

LP_SPEC("register:init=nil")
LP_SETUP { atomic_store(&unused, 1); }
LP_ROLE("write")
LP_ARGS("7")
LP_METHOD(write, v) { put(v); return LP_VOID; }
LP_METHOD(read) { return get(); }
END
expect 0 orders flag.c --ops read=2,write=1
out_has "verified: with the orders below, 'flag.c' is a linearizable register"
out_has "flag.c:10  store flag   seq_cst  release  relaxed: race at flag.c:17 with flag.c:9, "
out_has "flag.c:15  load flag    seq_cst  acquire  relaxed: race at flag.c:17 with flag.c:9, "
out_has "flag.c:18  load unused  seq_cst  ?        not reached by these clients"
out_lacks "flag.c:24" # LP_SETUP is the harness'
out_has "2 of 3 orders can be weaker; cost (generic): 7 now, 2 then"
out_has "  linchpin check flag.c --ops read=2,write=1 --order flag.c:10=relaxed,flag.c:15=acquire"
expect 0 orders flag.c --ops read=2,write=1 --json
json_has '"minimal":[{"cost":2,"order":"flag.c:10=release,flag.c:15=acquire"}],"all":true'
json_has '"state":"not reached"'
expect 0 orders flag.c --ops read=2,write=1 -q
[ "$(wc -l <.out)" = 1 ] || fail "not one line"
# On x86 only seq_cst stores are expensive.
expect 0 orders flag.c --ops read=2,write=1 --cost x86
out_has "cost (x86): 20 now, 0 then"
# Under tso loads and stores keep their order, so no order is needed.
expect 0 orders flag.c --ops read=2,write=1 --model tso --json
json_has '"minimal":[{"cost":0,"order":"flag.c:10=relaxed,flag.c:15=relaxed"}]'

# Several assignments that cannot be weakened: a fence, or orders.
cat >either.c <<'END'
#include <linchpin.h>
#include <stdatomic.h>

static atomic_int flag;
static long value;

LP_SPEC("register:init=nil")
LP_ROLE("write")
LP_ARGS("7")
LP_METHOD(write, v)
{
	value = v;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&flag, 1, memory_order_release);
	return LP_VOID;
}
LP_METHOD(read)
{
	return atomic_load_explicit(&flag, memory_order_acquire) ? value : LP_NIL;
}
END
expect 0 orders either.c --ops read=1,write=1 --json
json_has '"minimal":[{"cost":2,"order":"either.c:13=none"},{"cost":4,"order":"either.c:14=relaxed"}],"all":true'
expect 0 check either.c --ops read=1,write=1 --order 13=none
out_has "overridden   memory orders: 13=none"
expect 1 check either.c --ops read=1,write=1 --order 13=none,14=relaxed --trace t
expect 1 replay t
out_has "store flag = 1 (relaxed)"

# The patch, and changes that it cannot write.
cat >plus.c <<'END'
#include <linchpin.h>
#include <stdatomic.h>

static atomic_int n;

LP_SPEC("counter")
LP_METHOD(increment)
{
	if (!n)
		n++;
	else
		atomic_fetch_add(&n, 1);
	return LP_VOID;
}
LP_METHOD(read) { return atomic_load(&n); }
END
expect 0 orders plus.c --ops 2 --patch p
out_has "the patch is in 'p'"
out_has "  it lacks plus.c:10: it is an operator, or comes from a macro"
grep -qF -- "+		atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);" p || fail "no such line in the patch"
grep -qF -- "--- a/plus.c" p || fail "not the name of the file"
expect 0 orders plus.c --ops 2 --patch p --json
json_has '"patch":"p","unpatched":[{"name":"plus.c:9","reason":"it is an operator, or comes from a macro"},'
expect 2 orders plus.c --patch nowhere/p
says "cannot write 'nowhere/p'"

# An order that is a parameter belongs to the place where it is passed.
expect 0 orders "$examples/treiber.c" --ops 3 --json
json_has '"name":"treiber.c:61","operation":"compare-exchange","variable":"s->top"'
out_lacks "treiber.c:47"

if command -v gdb >/dev/null; then # which is given a program without inlining, where it can
	expect 1 check "$examples/treiber.c" --ops 3 --order 61=relaxed --trace t
	expect 0 replay t --gdb -- -batch
	out_has "step 1 of 5: T1  push(1)"
fi

# Because of reductions, some code is reached only with certain orders; its orders do not remain unchanged.
expect 0 orders "$here/../orders/seq_cst_queue.c" --ops 4
out_has "15 of 15 orders can be weaker; cost (generic): 45 now, 9 then"
out_has "seq_cst_queue.c:28          compare-exchange tail        seq_cst  release  relaxed: race"
out_lacks "?"

# Operations written as instructions have no order to choose.
cat >instruction.c <<'END'
#include <linchpin.h>
#include <stdatomic.h>

static atomic_int n;

LP_SPEC("counter")
LP_METHOD(increment)
{
	__asm__ volatile("mfence" ::: "memory");
	atomic_fetch_add(&n, 1);
	return LP_VOID;
}
LP_METHOD(read) { return atomic_load(&n); }
END
expect 0 orders instruction.c --ops 2
out_lacks "instruction.c:9 "
out_has "instruction.c:10  fetch_add n  seq_cst  relaxed"

# ---- violations

# If the object is wrong, the violation is shown, and the fixes.
expect 1 orders "$examples/bug_treiber.c" --ops 4
out_has "violation: not linearizable"
out_has "fix: it is wrong under sc, too: not a question of memory order"
expect 1 orders "$examples/bug_treiber.c" --ops 4 --model sc
out_has "fix: it is wrong under sc, too: not a question of memory order"
expect 1 orders "$examples/hwqueue.c" --ops 4 --sync ri
out_has "fix: no memory order of its atomic accesses and fences helps"
expect 1 orders "$examples/bug_hwfbqueue_order.c" --ops 4 --sync r
out_has "fix, by any of these:"
out_has "  hwfbqueue.c:34: store q->slot[...] relaxed -> release"
out_has "  hwfbqueue.c:33: fetch_add q->ends relaxed -> release, hwfbqueue.c:43: load q->ends relaxed -> acquire"
# A fix of three changes, if no smaller one exists.
expect 1 orders "$zoo/peterson.c" --ops 4 --json -- -DSTORE=memory_order_release -DLOAD=memory_order_acquire
json_has '"order":"peterson.c:29=seq_cst,peterson.c:33=seq_cst,peterson.c:38#1=seq_cst"'
json_has '"all_fixes":true'
# Steps and scope are those of the violation, not of what was tried afterwards.
expect 1 check "$examples/bug_treiber_push.c" --ops 3 --no-suggest
cp .out without
out_lacks "fix:"
expect 1 check "$examples/bug_treiber_push.c" --ops 3
grep -v -e '^  cost' without >a
sed -e '/^fix:/d' -e '/^  cost/d' .out | sed '$d' >b
cmp -s a b || fail "the suggestion changes what is shown"

# ---- the suggestions of check

out_has "fix: treiber.c:61: compare-exchange s->top relaxed -> release"
expect 1 check "$examples/bug_treiber_push.c" --ops 3 -q
[ "$(wc -l <.out)" = 1 ] || fail "not one line"
expect 1 check "$examples/bug_treiber_push.c" --ops 3 -q --json
json_has '"fixes":[{"text":"treiber.c:61: compare-exchange s->top relaxed -> release","order":"treiber.c:61=release"'
expect 1 check "$examples/bug_treiber_push.c" --ops 3 --no-suggest --json
out_lacks '"fixes"'
expect 1 check "$examples/bug_treiber.c" --ops 4
out_lacks "fix:"
expect 1 check "$zoo/mcslock.c" --ops 4 --sarif log --html page -- -DHAND=memory_order_relaxed
grep -qF '"fixes":[{"description":{"text":"mcslock.c:59: store next->waits relaxed -> release"}' log || fail "no fix in the log"
grep -qF '"deletedRegion":{"startLine":59,"startColumn":41,"endLine":59,"endColumn":45},"insertedContent":{"text":"memory_order_release"}' log ||
	fail "not the place"
grep -qF 'mcslock.c:59: store next->waits relaxed -> release' page || fail "no fix in the page"
# The fixes in the log are valid, and when applied, they make the object correct.
mkdir applied
python3 "$here/sarif.py" log --apply applied >got 2>&1 || fail "not SARIF: $(cat got)"
cmp -s "$zoo/mcslock.c" applied/mcslock.c && fail "nothing is changed"
expect 0 check applied/mcslock.c --ops 4 -- -DHAND=memory_order_relaxed
for object in bug_treiber_push bug_twolock_publish; do
	expect 1 check "$examples/$object.c" --ops 3 --sarif log --json
	python3 "$here/sarif.py" log >got 2>&1 || fail "not SARIF: $(cat got)"
done
# A trace has the violation, not what was tried afterwards.
expect 1 check "$examples/bug_treiber_push.c" --ops 3 --trace t
expect 1 replay t
out_has "race at treiber.c:72"

# ---- undecided

# Not every order can be decided in time, but those that can are.
expect 3 orders "$zoo/optqueue.c" --ops enqueue=4,dequeue=4 --sync r --time 20
out_has "inconclusive: with the orders below, "
out_has "  whether some orders can be weaker could not be decided"
grep -qE '^  optqueue.c:52 +load \*pointer +acquire +acquire  relaxed: race at ' .out || fail "a needed order is not shown"
grep -qE '^  optqueue.c:77 +store node->older->newer +release +release  relaxed: could not be decided' .out || fail "an order seems decided"

# Several processes find the same orders.
expect 0 orders "$examples/treiber.c" --ops 4 --json
sed 's/,"seconds":[^}]*//' .out >alone
expect 0 orders "$examples/treiber.c" --ops 4 -j 2 --json
sed -e 's/,"seconds":[^}]*//' -e 's/ -j 2//' .out >together
cmp -s alone together || fail "with -j 2 it is not the same"
expect 0 orders "$examples/elimination.c" --ops push=2,pop=3 --json
sed 's/,"seconds":[^}]*//' .out >alone
expect 0 orders "$examples/elimination.c" --ops push=2,pop=3 -j 2 --json
sed -e 's/,"seconds":[^}]*//' -e 's/ -j 2//' .out >together
cmp -s alone together || fail "with -j 2 it is not the same"

# No time at all: neither verified nor wrong.
expect 3 orders "$examples/lazylist.c" --ops 5 --time 0.3
out_has "inconclusive: time limit reached"

# ---- messages

expect 2 check either.c --order 99=relaxed
says "--order 99: no atomic access or fence of the object has that name"
expect 2 check either.c --order 14=acquire
says "--order 14=acquire: a store cannot have that order"
expect 2 check either.c --order 14
says "--order 14: LINE=ORDER is expected"
expect 2 check "$examples/lazylist.c" --order 100=relaxed
says "--order 100: there are several in that line, up to lazylist.c:100#2"
expect 1 check either.c --ops read=1,write=1 --order 19=relaxed,either.c:13=none
expect 2 orders
says "no object given"
expect 2 orders "$zoo/peterson.c" --random 10
says "--random"
finish
