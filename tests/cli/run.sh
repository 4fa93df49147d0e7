#!/usr/bin/env bash
# run.sh LINCHPIN -- what `linchpin run` prints, and its exit status.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

cat >mp.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void lp_outcome(const char *);
static atomic_int data, flag;
static void *writer(void *arg)
{
	atomic_store_explicit(&data, 42, memory_order_relaxed);
	atomic_store_explicit(&flag, 1, ORDER);
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, writer, 0);
	int f = atomic_load_explicit(&flag, memory_order_acquire);
	int d = atomic_load_explicit(&data, memory_order_relaxed);
	if (f)
		assert(d == 42);
	pthread_join(t, 0);
	lp_outcome(f ? "new" : d ? "early" : "old");
	return 0;
}
C
bug="mp.c -- -DORDER=memory_order_relaxed"
good="mp.c -- -DORDER=memory_order_release"

# A violation: kind and place come first, then the execution, with the source of each value.
expect 1 run $bug; err_empty
head -n 1 .out | grep -q '^violation: assertion at mp.c:19 (T0)$' || fail "the first line"
out_has "mp.c:9"; out_has "store flag = 1 (relaxed)"; out_has "load data = 0 (relaxed)  <- initial value"
out_has "assert(d == 42);"; out_has "=> assertion"; out_has "rc11"
expect 1 run -q $bug; [ "$(wc -l <.out)" = 1 ] || fail "more than one line"
expect 1 run --json $bug; err_empty
json_has '"verdict":"violation"'; out_has '"kind":"assertion"'; out_has '"model":"rc11"'
out_has '"where":"mp.c:9"'; out_has '"reads_from":"initial"'

# The output of that execution, if requested.
sed 's/if (f)/printf("f is %d\\n", f); if (f)/; 1i#include <stdio.h>' mp.c >echo.c
expect 1 run --echo echo.c -- -DORDER=memory_order_relaxed; out_has "  | f is 1"; err_empty
expect 1 run echo.c -- -DORDER=memory_order_relaxed; out_lacks "f is"; err_empty

# Reasons for doubt are named, and prevent "verified".
cat >doubt.c <<'C'
int main(void) { __asm__ volatile("fnop" ::: "memory"); return 0; }
C
expect 3 run doubt.c; out_has "warning: "; out_has "doubt.c:1"

# Under a stronger model, or with the right order, the program is verified; outcomes are counted.
expect 0 run --model sc $bug; err_empty
out_has "verified: no errors in any execution of 'mp.c'"
out_has "3 complete, which is all of them"
expect 0 run --model=tso --json $bug
json_has '"verdict":"verified"'; out_has '"executions":3,"blocked":0'
out_has '{"text":"early","executions":1}'; out_has '{"text":"new","executions":1}'
out_has '{"text":"old","executions":1}'; out_has '"scope":{'; out_has '"peak_rss_kb":'
out_has '"seconds":'; out_has '"prop":'; out_lacks '"violation":'
expect 0 run $good; out_has "rc11"; out_has "races"

# A limit makes the verdict inconclusive, and is named.
expect 3 run --executions 1 $good
head -n 1 .out | grep -q '^inconclusive: ' || fail "the first line"
out_has "no error was found in the part that was explored"
expect 3 run --executions=1 --json $good; json_has '"verdict":"inconclusive"'; out_has '"reason":'

# Output to a file has no terminal control sequences.
expect 1 run $bug
! grep -q "$(printf '\033')" .out .err || fail "escape codes"

root=$here/../..
expect 0 run "$root/examples/ring_bug.c" --model tso

# C++ names and places are those of the source: not mangled, and not in headers of the library.
for cc in g++ clang++; do
	command -v $cc >/dev/null || continue
	expect 1 run "$root/examples/account.cpp" --cc $cc -- -DBUG
	out_has "violation: deadlock at account.cpp:31 (T1)"
	out_has "account.cpp:31  transfer  pthread_mutex_lock yours.lock, waits forever"
	out_lacks "_Z"; out_lacks ".h:"
	expect 1 check "$root/examples/bug_spsc.cpp" --cc $cc -- -std=c++17
	out_has "enqueue"; out_has "store ring.back = 1"; out_lacks "_Z"; out_lacks "atomic_base.h"; out_lacks "_M_"
done

# Threads that wait for each other: where, for what, and where another thread has acquired it.
cat >locks.c <<'C'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *p)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return p;
}
static void *g(void *p)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return p;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, f, 0);
	pthread_create(&u, 0, g, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
C
expect 1 run locks.c
out_has "why: T1 waits at locks.c:6 in pthread_mutex_lock for b, taken by T2 at locks.c:13; T2 waits at locks.c:14 in pthread_mutex_lock for a, taken by T1 at locks.c:5"

# The README lists every kind of error, in the words of the table.
command_line="(README.md: What it finds)"
sed -n 's/^LP_ERROR([A-Z_]*, "\([^"]*\)", "\([^"]*\)").*/- **\1**: \2/p' "$root/src/base/errors.def" |
	grep -Ev '^- \*\*(unsupported|too long)' >kinds
[ -s kinds ] || fail "no kinds of errors"
while IFS= read -r line; do
	grep -qF -- "$line" "$root/README.md" || fail "the README does not have: $line"
done <kinds

# An interrupt ends a long exploration, and the report says how much was explored.
cat >long.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *worker(void *arg)
{
	for (int i = 0; i < 8; i++)
		atomic_fetch_add(&x, 1 + (arg != 0));
	return arg;
}
int main(void)
{
	pthread_t t[6];
	for (long i = 0; i < 6; i++)
		pthread_create(&t[i], 0, worker, (void *)i);
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], 0);
	return 0;
}
C
for signal in INT TERM; do
	command_line="run long.c, and SIG$signal"
	# A shell's background job ignores SIGINT; env restores the default.
	env --default-signal=INT "$linchpin" run long.c >.out 2>.err &
	sleep 2
	kill -"$signal" $!
	wait $!
	status=$?
	[ "$status" = 3 ] || fail "exit status $status instead of 3"
	head -n 1 .out | grep -q "^inconclusive: interrupted (SIG$signal)" || fail "the first line"
	out_has "complete so far"
done
expect 3 run long.c --time 0.5; out_has "time"

# Two threads may give way to each other again and again, as std::lock() does.
cat >polite.c <<'C'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
	for (pthread_mutex_lock(first); pthread_mutex_trylock(second); pthread_mutex_lock(first)) {
		pthread_mutex_unlock(first);
		pthread_mutex_t *swap = first;
		first = second;
		second = swap;
	}
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
}
static void *ab(void *arg) { both(&a, &b); return arg; }
static void *ba(void *arg) { both(&b, &a); return arg; }
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, NULL, ab, NULL);
	pthread_create(&u, NULL, ba, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
C
expect 3 run polite.c; out_has "longer and longer executions, without end; thread "; out_has "times in one execution (see --unroll)"
out_has "short loops  at most 4 times round: no violation in "; out_has " executions, which is all of them"
expect 0 run polite.c --unroll 2; out_has "within the bound"
finish
