#!/usr/bin/env bash
# gdb.sh LINCHPIN -- replays in a real gdb, controlled by a script.  Skipped without gdb.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
root=$here/../..

# An object with an error whose steps are known: T1 and T2 both read 0.  T2 still reads 0
# after T1 has written, in the order of the trace.
cat >counter.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
struct counter { atomic_int n; int unused; };
static struct counter c;
static void increment(struct counter *it)
{
	int seen = atomic_load(&it->n);
	atomic_store(&it->n, seen + 1);
}
LP_SPEC("counter")
LP_METHOD(increment) { increment(&c); return LP_VOID; }
LP_METHOD(read) { return atomic_load(&c.n); }
C
expect 1 check counter.c --ops increment=2,read=1 --model sc --trace found.trace
mkdir bin

# If gdb is missing or cannot be used, linchpin says so at once.
command_line="replay --gdb (without gdb)"
PATH=$PWD/bin "$linchpin" replay found.trace --gdb >.out 2>.err; [ $? = 2 ] || fail "not status 2"
says "there is no gdb on this machine"; err_has "hint: install it"; alone
printf '#!/bin/sh\necho "no Python here" >&2; exit 1\n' >bin/gdb
chmod +x bin/gdb
PATH=$PWD/bin "$linchpin" replay found.trace --gdb >.out 2>.err; [ $? = 2 ] || fail "not status 2"
says "was built without Python"; alone
expect 2 replay found.trace -- -batch; says "give --gdb, too"
expect 2 replay found.trace --gdb --json; says "exclude each other"
expect 2 replay nothing.trace --gdb; says "cannot read 'nothing.trace'"
expect 2 replay --gdb; says "one trace is expected"
# A violation found by `states` is shown with the client that it writes.
expect 1 states counter.c --values 1 --trace states.trace --emit-test client.c
command_line="replay --gdb (of states)"
"$linchpin" replay states.trace --gdb >.out 2>.err; [ $? = 2 ] || fail "not status 2"
says "cannot be shown in gdb"; err_has "hint: 'linchpin states ... --emit-test client.c' writes the client"
expect 1 run client.c --model sc --trace client.trace

command -v gdb >/dev/null || { echo "skipped the rest: gdb is not installed"; finish; }
# Skipped if processes may not be traced.
gdb -nx -batch -ex run /bin/true 2>&1 | grep -q 'exited normally' ||
	{ echo "skipped the rest: gdb cannot run a process here"; finish; }

export ASAN_OPTIONS=detect_leaks=0 # that cannot be while another process traces us
# in_gdb TRACE COMMAND...: puts the output on both streams into .out
in_gdb() {
	local trace=$1 words=()
	shift
	for word in "$@"; do words+=(-ex "$word"); done
	command_line="replay $trace --gdb ... $*"
	TMPDIR=$PWD timeout 120 "$linchpin" replay "$trace" --gdb -q -- -nx -batch "${words[@]}" >.out 2>&1
	[ $? = 0 ] || fail "gdb did not end well"
	[ -z "$(find . -maxdepth 1 -name 'linchpin-*')" ] || fail "something was left behind"
	! grep -q Traceback .out || fail "the script went wrong"
}
# in_order TEXT...: the lines that contain these texts come in this order.
in_order() {
	local at=0 found
	for text in "$@"; do
		found=$(tail -n +$((at + 1)) .out | grep -nF -m1 -- "$text" | cut -d: -f1)
		[ -n "$found" ] || { fail "missing, or too early: $text"; return; }
		at=$((at + found))
	done
}

# Events in the order of the trace, with the user's frames and variables.
in_gdb found.trace bt 'print *it' 'print &c == it' lp-next 'print seen' lp-next 'print *it' lp-next 'print seen' lp-next lp-steps
in_order "violation: not linearizable" "step 1 of 5: T1  increment()  counter.c:7  load c.n = 0 (seq_cst)  <- initial value" \
	"int seen = atomic_load(&it->n);" " in increment (it=0x" " in lp_method_increment () at counter.c:11" \
	"in lp_thread_increment" '$1 = {n = 0, unused = 0}' '$2 = 1' \
	"step 2 of 5: T1  increment()  counter.c:8  store c.n = 1" "atomic_store(&it->n, seen + 1);" '$3 = 0' \
	"step 3 of 5: T2  increment()  counter.c:7  load c.n = 0" "decisive: reads an old value: T1 has written another in step 2" \
	'$4 = {n = 1, unused = 0}' "step 4 of 5: T2" "decisive: overwrites what T1 has written" '$5 = 0' \
	"step 5 of 5: T3  read()  counter.c:12  load c.n = 1 (seq_cst)  <- step 4 (T2 counter.c:8)" "=>   5*" "=> not linearizable"
[ "$(grep -c '^step ' .out)" = 5 ] || fail "not the five steps"
out_lacks "lp_hook_"

# The threads, including those that wait for their turn, and the variables of each.
in_gdb found.trace 'lp-goto 2' lp-threads bt 'lp-thread 1 print seen' 'lp-thread 2 print &it->n == &c.n' 'lp-thread T3 bt' 'print seen'
in_order "step 2 of 5" "* T1  increment()" " at counter.c:8" "  T2  increment()" " at counter.c:7" " in lp_method_increment ()" \
	"  T3  read()" " in lp_method_read () at counter.c:12" " in increment (it=0x" '$1 = 0' '$2 = 1' \
	" in lp_method_read () at counter.c:12" '$3 = 0'

# Backwards; and from one decisive event to the next, to the end.
in_gdb found.trace 'lp-goto 4' lp-prev 'lp-goto 1' 'print *it' lp-continue lp-continue lp-continue lp-next lp-threads 'lp-goto 2' 'print *it'
in_order "step 4 of 5" "step 3 of 5" "step 1 of 5" "{n = 0, unused = 0}" "step 3 of 5" "step 4 of 5" "step 5 of 5" \
	"the end: not linearizable" "T1  increment()  has ended" "T3  read()  has ended" "step 2 of 5" "{n = 0, unused = 0}"

# gdb's own commands: breakpoints, next over an event and out of a function, continue.
in_gdb found.trace 'break 8' continue 'print seen' continue continue 'print seen' bt
in_order "step 1 of 5" "Breakpoint 2, increment (it=0x" "atomic_store(&it->n, seen + 1);" '$1 = 0' "step 3 of 5" \
	"Breakpoint 2, increment (it=0x" '$2 = 0' "in lp_method_increment"
in_gdb found.trace next 'print seen' next next bt
in_order "step 1 of 5" "atomic_store(&it->n, seen + 1);" '$1 = 0' "lp_method_increment"
in_gdb found.trace continue 'info breakpoints' continue continue continue
in_order "step 3 of 5" "decisive:" "lp_debug_here" "step 4 of 5" "step 5 of 5" "the end: not linearizable"

# Impossible commands print one message, and nothing else happens.
in_gdb found.trace lp-prev 'lp-goto 10' 'lp-goto x' 'lp-thread 7 bt' 'lp-goto 5' lp-next lp-next continue lp-next lp-threads 'lp-goto 1'
in_order "this is the first step" "steps are 1 .. 5" "a number is expected, not 'x'" "there is no T7 now" "step 5 of 5" "the end" \
	"this is the end" "the execution is over" "nothing is running" "step 1 of 5"
# Commands from a terminal, or from a pseudo-terminal.
command_line="replay --gdb, commands from standard input"
printf 'lp-next\nprint *it\nlp-next\n' | "$linchpin" replay found.trace --gdb -q -- -nx >.out 2>&1
in_order "step 1 of 5" "step 2 of 5" '{n = 0, unused = 0}' "step 3 of 5"

# A program that fails in the middle: where, and with which values.
cat >crash.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
struct node { int value; struct node *next; };
static struct node one = { 1, NULL };
static _Atomic(struct node *) head;
static void *writer(void *unused) { atomic_store(&head, &one); return unused; }
static int last(struct node *from)
{
	struct node *n = from;
	while (n)
		n = n->next;
	return n->value;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, writer, NULL);
	struct node *seen = atomic_load(&head);
	return seen ? last(seen) : 0;
}
C
expect 1 run crash.c --trace crash.trace
in_gdb crash.trace 'lp-next 9' bt 'print *from' 'print n' up 'print seen->value' lp-threads
in_order "step 1 of" "T0 => out of bounds" "return n->value;" "in last (from=" "in main () at crash.c:20" \
	"{value = 1, next = 0x0}" "(struct node *) 0x0" "in main ()" " = 1" "* T0"

# A race of atomic accesses, which no thread performs, ends the replay, with the frame; C++; a spinning thread.
expect 1 check "$root/examples/bug_msqueue_link.c" --trace race.trace
in_gdb race.trace 'lp-goto 9' lp-threads
in_order "step 9 of 9" "msqueue_enqueue (q=0x" "the end: race" "  T2  enqueue(2)" "msqueue_enqueue (q=0x" "lp_method_enqueue (v=2)"
expect 1 check "$root/examples/bug_spsc_order.cpp" --ops 5 --trace ring.trace
in_gdb ring.trace lp-next 'print back' 'print *this' bt
in_order "step 2 of 15" "Ring<long, 2ul>::put" "if (at - front.load(LOOK) == Size)" "front =" "Ring<long, 2ul>::put"
finish
