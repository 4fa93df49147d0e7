#!/usr/bin/env bash
# robust.sh LINCHPIN -- programs that misbehave: the right message and exit status, within a short time.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

# first TEXT: the first line of output is exactly that text.
first() { [ "$(head -n 1 .out)" = "$1" ] || fail "the first line is not: $1"; }

cat >crash.c <<'C'
#include <stdint.h>
int main(void)
{
	*(volatile int *)(uintptr_t)0x7fff12345000 = 1;
	return 0;
}
C
expect 1 run crash.c; first "violation: crash at crash.c:4 (T0)"; out_has "segmentation fault at address 0x7fff12345000"
err_empty

cat >jump.c <<'C'
#include <pthread.h>
static void *run(void *arg)
{
	((void (*)(void))0x7fff12345000)();
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, run, 0);
	pthread_join(t, 0);
	return 0;
}
C
expect 1 run jump.c; first "violation: crash at jump.c:4 (T1)"; err_empty

cat >abort.c <<'C'
#include <stdlib.h>
int main(void) { abort(); }
C
expect 1 run abort.c; first "violation: assertion at abort.c:2 (T0)"

cat >hang.c <<'C'
int main(void)
{
	volatile int x = 1;
	while (x)
		;
	return 0;
}
C
expect 1 run hang.c; out_has "endless loop at hang.c"; err_empty

cat >hang2.c <<'C'
int main(void) { for (;;) __asm__ volatile(""); }
C
expect 1 run hang2.c; out_has "violation: endless loop"

cat >recurse.c <<'C'
static int deep(volatile int *n)
{
	volatile int m = *n + 1;
	return deep(&m) + m;
}
int main(void)
{
	volatile int n = 0;
	return deep(&n);
}
C
expect 1 run recurse.c; out_has "violation: stack overflow at recurse.c"; err_empty

cat >divide.c <<'C'
#include <stdatomic.h>
static atomic_int zero;
int main(void) { return 100 / atomic_load(&zero); }
C
expect 1 run divide.c; first "violation: crash at divide.c:3 (T0)"; out_has "division by zero"

cat >hundred.c <<'C'
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *run(void *arg) { return arg; }
static void *last(void *arg)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	return arg;
}
int main(void)
{
	pthread_t t[100];
	for (int i = 0; i < 100; i++)
		pthread_create(&t[i], 0, i < 98 ? run : last, 0);
	for (int i = 0; i < 100; i++)
		pthread_join(t[i], 0);
	assert(count == 2);
	return 0;
}
C
expect 0 run hundred.c --no-symmetry; out_has "2 complete, which is all of them"; err_empty

cat >threads.c <<'C'
#include <pthread.h>
static void *run(void *arg) { return arg; }
int main(void)
{
	for (pthread_t t;;)
		pthread_create(&t, 0, run, 0);
}
C
expect 3 run threads.c; out_has "inconclusive: more than 1024 threads at threads.c:6 (T0)"

cat >eat.c <<'C'
#include <stdlib.h>
int main(void)
{
	for (;;)
		*(volatile char *)malloc(100000) = 1;
}
C
expect 1 run eat.c; out_has "violation: out of memory at eat.c:5 (T0)"; err_empty
expect 1 run eat.c --heap 1 --json; json_has '"kind":"out of memory"'
[ "$(sed 's/.*"peak_rss_kb":\([0-9]*\).*/\1/' .out)" -lt 65536 ] || fail "too much memory"

cat >broken.c <<'C'
int main(void) { return 0 }
C
expect 2 run broken.c; says "the compiler 'clang-19' failed"; err_has "broken.c:1"
expect 2 run broken.c --json; json_has '"verdict":"error"'
expect 2 run broken.c --cc clang-19; says "the compiler 'clang-19' failed"; err_has "broken.c:1"
expect 2 run crash.c -- broken.c; says "the compiler 'clang-19' failed with status 1"; err_has "broken.c:1"

# The messages of all compilations are shown.
cat >warned.c <<'C'
int f(void) { }
C
expect 2 run broken.c -- warned.c; err_has "broken.c:1"; err_has "1 warning generated"

# A crash of clang is not a verdict.
for cc in "" "--cc clang-19"; do
	for how in crash llvm_fatal_error; do
		printf '#pragma clang __debug %s\nint main(void) { return 0; }\n' $how >clang.c
		expect 2 run clang.c $cc
		[ "$(grep -c '^linchpin: the \(compiler\|front end\) .*\(was ended by signal\|failed with status\)' .err)" = 1 ] ||
			fail "a crash of clang is not reported"
	done
done
# Flags with which the compiler would not produce a program.
for flag in -c -S -E -M -fsyntax-only -emit-ast -m32; do
	expect 2 run crash.c -- $flag; says "'$flag' is not"
done
expect 2 run broken.c --cc no/such/compiler; says "no/such/compiler"

cat >unlinked.c <<'C'
int nowhere(int);
int main(void) { return nowhere(1); }
C
expect 2 run unlinked.c; says "nowhere"

cat >assembly.c <<'C'
#include <stdatomic.h>
static atomic_int x;
int main(void)
{
	__asm__ volatile("fnop" : "+m"(x));
	return atomic_load(&x) == 1 ? 0 : 1;
}
C
expect 3 run assembly.c; first "inconclusive: the program executes what linchpin does not model"
out_has "warning: "; out_has "inline assembly"; out_has "assembly.c:5"; err_empty
expect 3 run assembly.c --json; json_has '"warnings":['

cat >call.c <<'C'
#include <sys/mman.h>
int main(void)
{
	return mprotect(0, 0, 0);
}
C
expect 3 run call.c; out_has "mprotect"; err_empty

# Calls that would end, replace or duplicate linchpin itself do not take place.
for call in 'kill(getpid(), SIGKILL)' 'fork()' 'execl("/bin/true", "true", (char *)0)' \
	    'signal(SIGINT, SIG_IGN)' 'alarm(1)' 'system("true")'; do
	cat >process.c <<C
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) { $call; return 0; }
C
	expect 3 run process.c; out_has "inconclusive: ${call%%(*}() is not modelled"; err_empty
done
cat >raise.c <<'C'
#include <signal.h>
int main(void) { raise(SIGKILL); return 0; }
C
expect 1 run raise.c; first "violation: crash at raise.c:2 (T0)"; err_empty

# Thread-local variables belong to one thread each, whatever their TLS model.
cat >static_tls.c <<'C'
#include <assert.h>
#include <pthread.h>
static __thread __attribute__((tls_model("initial-exec"))) int n;
static void *other(void *unused) { assert(n++ == 0); return unused; }
int main(void)
{
	pthread_t t;
	n++;
	pthread_create(&t, NULL, other, NULL);
	assert(n == 1);
	return pthread_join(t, NULL);
}
C
expect 0 run static_tls.c

# The program overwrites its own stack, or linchpin's memory: the error is the program's, whatever follows.
cat >wild.c <<'C'
#include <string.h>
int main(void)
{
	char a[16];
	memset(a, 1, 1 << 20);
	return a[3];
}
C
expect 1 run wild.c; out_has "violation: "
finish
