#!/usr/bin/env bash
# report.sh LINCHPIN -- HTML pages: when they are written, and where; tests/html checks their contents.
. "$(dirname "$0")/lib.sh"

cat >counter.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int n;
LP_SPEC("counter")
LP_METHOD(increment) { atomic_store(&n, atomic_load(&n) + 1); return LP_VOID; }
LP_METHOD(read) { return atomic_load(&n); }
C
page() { head -n 1 "$1" | grep -qx '<!DOCTYPE html>' && tail -n 1 "$1" | grep -qx '</html>' || fail "no page in $1"; }

expect 1 check counter.c --html found.html --trace found.trace; page found.html; out_has "violation: not linearizable"
expect 1 check counter.c --html found.html -q; page found.html
expect 0 check counter.c --client 'increment()' --html good.html; page good.html

# The page is written in the folder where the command is run, not where the trace was written.
expect 1 report found.trace -o again.html; page again.html
[ "$(wc -l <.out)" = 1 ] || fail "more than the verdict"
mkdir elsewhere
(cd elsewhere && "$linchpin" report ../found.trace --output=there.html >../.out 2>../.err)
page elsewhere/there.html
expect 1 report found.trace -o "$PWD/absolute.html" --json; page absolute.html; json_has '"verdict":"violation"'
# A page that the command line of the trace asks for is not written again.
expect 1 check counter.c --html first.html --trace asked.trace
rm first.html
expect 1 replay asked.trace; [ ! -e first.html ] || fail "replay writes a page"

expect 2 report found.trace; says "where is the page to be written?"
expect 2 report -o x.html; says "one trace is expected: linchpin report TRACE"
expect 2 report nothing.trace -o x.html; says "cannot read 'nothing.trace'"; [ ! -e x.html ] || fail "a page of nothing"
expect 2 replay found.trace --html x.html

# If a page cannot be written, linchpin says so: at once if this is known at once; otherwise the verdict stands.
expect 2 check counter.c --html no/such/folder.html; says "cannot write 'no/such/folder.html'"; alone
printf '0 0 1 enqueue 1 -\n1 2 3 dequeue - 2\n' >bad.tab
expect 1 history bad.tab --spec queue --html h.html; page h.html
expect 2 history bad.tab --spec queue --html no/such/folder.html; says "cannot write 'no/such/folder.html'"; alone
if [ -e /dev/full ]; then
	expect 1 check counter.c --html /dev/full; out_has "warning: the page could not be written"
fi
finish
