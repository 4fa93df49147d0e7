#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# environment.sh LINCHPIN -- values from the environment, and code that is not modelled, in every command.
. "$(dirname "$0")/lib.sh"
first() { case "$(head -n 1 .out)" in "$1"*) ;; *) fail "the first line does not begin with: $1" ;; esac; }

# An object that takes a random number: for one of the numbers, the value read is wrong.
cat >register.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_long word;
LP_SPEC("register")
LP_METHOD(write, v)
{
	if (rand() % 3 != 2)
		word = v;
	return LP_VOID;
}
LP_METHOD(read) { return word; }
C
expect 3 check register.c --ops 2; first "inconclusive: rand() at register.c:8 is fixed: other values were not tried"
out_has "  fixed        rand() at register.c:8"; out_has "hint: --nondet 0..3 explores four values"
expect 0 check register.c --ops 2 --nondet 0..1; out_has "  inputs       rand() at register.c:8 in 0..1"
expect 1 check register.c --ops 2 --nondet 0..2; out_has "rand: choice 2 of 0..2"
expect 1 check register.c --ops 2 --nondet 0..2 --trace t; expect 1 replay t; out_has "rand: choice 2 of 0..2"
expect 3 states register.c --threads 2; first "inconclusive: rand() may return different values: --nondet LO..HI says which ones to try at register.c:8"
expect 0 states register.c --threads 2 --nondet 0..1; out_has "rand() at register.c:8 in 0..1"
expect 1 states register.c --threads 2 --nondet 0..2; out_has "not linearizable"

# The same with an instruction that is not modelled: an error is then a suspicion.
cat >fenced.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_long word;
LP_SPEC("register")
LP_METHOD(write, v)
{
	__asm__ volatile("clflush (%%rsp)" ::: "memory");
#ifdef WRONG
	v = 0;
#endif
	word = v;
	return LP_VOID;
}
LP_METHOD(read) { return word; }
C
for command in "check --ops 2" "states --threads 2"; do
	expect 3 $command fenced.c; first "inconclusive: the program executes what linchpin does not model"
	out_has "warning: fenced.c:7: inline assembly ('clflush (%rsp)') is not modelled"
	expect 3 $command fenced.c -- -DWRONG; first "inconclusive: suspected violation: not linearizable"
	out_has "  the program executes what linchpin does not model"; out_has "read()"
	expect 3 $command fenced.c --json -- -DWRONG; json_has '"verdict":"inconclusive"'
	json_has '"suspicion":{'; json_has '"kind":"not linearizable"'; json_has '"steps":[{'; out_lacks '"violation":'
done
# If the instruction is not the reason, or not the only one, the reason is named.
cat >told.c <<'C'
int main(void)
{
	static long words[2];
	long at = 0;
#if defined __x86_64__ && defined CLOBBERS
	__asm__ volatile("nop; clflush (%0); nop" : : "r"(words) : "memory");
#elif defined __x86_64__
	__asm__ volatile("lock; xaddq %0, 8(%1)" : "+r"(at) : "r"(words));
#else
	__asm__ volatile("stlr %0, [%1]" : : "r"(at), "r"(words));
#endif
	return (int)at;
}
C
expect 3 run told.c; out_has "memory is accessed that is neither an operand nor clobbered) is not modelled"
[ "$(uname -m)" != x86_64 ] || { expect 3 run told.c -- -DCLOBBERS; out_has "('nop; clflush (\$0); nop': clflush (%0)) is not modelled"; }
expect 3 check fenced.c --ops 2 --html page.html --sarif s.json --junit j.xml -- -DWRONG
grep -q '"suspicion"' page.html || fail "no suspicion in the page"
grep -q '"ruleId":"inconclusive","ruleIndex":[0-9]*,"level":"warning"' s.json || fail "SARIF says more than a warning"
grep -q 'perhaps not linearizable' s.json || fail "SARIF does not say what is suspected"
grep -q '<error type="inconclusive"' j.xml || fail "JUnit"

# Code of a method that is not called is not executed, and does not count.
expect 0 check fenced.c --client 'read() | read()'

# Constructors run once: the values that they get stay the same, whatever is chosen later.
cat >early.cpp <<'C'
#include <cstdlib>
static int number = std::rand();
int main() { return number % 2; }
C
expect 3 run early.cpp; out_has "rand() at early.cpp:2 is fixed"
expect 3 run early.cpp --nondet 0..3; out_has "rand() at early.cpp:2 is fixed"; out_lacks "hint:"

# Of several processes, one reaches such code.
cat >branch.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, y;
static void *store(void *arg) { x = 1; y = 1; return arg; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, store, 0);
	if (y && x == 1)
		y = rand() % 2;
	pthread_join(t, 0);
	return 0;
}
C
for jobs in 1 2; do
	expect 3 run branch.c -j $jobs; first "inconclusive: rand() at branch.c:11 is fixed"
done

# If time advances, the number of states is infinite.
cat >clock.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
#include <time.h>
static atomic_long word;
LP_SPEC("register")
LP_METHOD(write, v) { word = time(0) ? v : 0; return LP_VOID; }
LP_METHOD(read) { return word; }
C
expect 3 states clock.c --nondet 0..1; out_has "time(): a clock that advances makes the number of states infinite"
expect 0 check clock.c --ops 2 --nondet 0..1

# What the scope always says.
echo 'int main(void) { return 0; }' >nothing.c
expect 0 run nothing.c; out_has "  races        are errors"
out_has "  memory       malloc() never fails; addresses are fixed, none is allocated twice"; out_lacks "inputs"
expect 0 run nothing.c --races ignore --model sc --json
json_has '"races":"ignored: plain accesses interleave"'
finish
