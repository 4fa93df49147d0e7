# lib.sh -- for the scripts of this folder: a folder to work in, an object to check.
build=$1
cmake=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset DESTDIR GITHUB_ACTIONS
failures=0
fail() {
	echo "FAIL: $1"
	[ -s out ] && tail -n 20 out | sed 's/^/  /'
	failures=$((failures + 1))
}

# status STATUS COMMAND...: checks the exit status; the output goes to the file out.
status() {
	want=$1
	shift
	timeout 120 "$@" >out 2>&1
	got=$?
	[ "$got" = "$want" ] || fail "status $got instead of $want: $*"
}

finish() {
	[ "$failures" = 0 ] && echo ok
	exit "$((failures != 0))"
}

# A counter of two files, with a header in another folder; BUG loses increments.
mkdir project project/lib
cat >project/lib/counter.h <<'C'
#define COUNTER_HERE
void counter_increment(void);
long counter_read(void);
C
cat >project/counter.c <<'C'
#include "counter.h"
#include <stdatomic.h>
static atomic_long n;
void counter_increment(void)
{
#ifdef BUG
	atomic_store(&n, atomic_load(&n) + 1);
#else
	atomic_fetch_add(&n, 1);
#endif
}
long counter_read(void) { return atomic_load(&n); }
C
cat >project/harness.c <<'C'
#include <linchpin.h>
#include "counter.h"
#ifdef MARKED
#ifndef LP_MARK
#error not the header that was installed
#endif
#endif
LP_SPEC("counter")
LP_METHOD(increment) { counter_increment(); return LP_VOID; }
LP_METHOD(read) { return counter_read(); }
C
echo 'int x = not_declared;' >project/broken.c
