#!/usr/bin/env bash
# study.sh LINCHPIN -- tables of expected verdicts: rows that match, rows that do not, and files that are not tables.
. "$(cd "$(dirname "$0")" && pwd)/lib.sh"

mkdir -p zoo/expected.d
cat >zoo/counter.c <<'C'
#include <stdatomic.h>
#include <linchpin.h>
static atomic_int n;
LP_SPEC("counter")
#ifdef LOST
LP_METHOD(increment) { atomic_store(&n, atomic_load(&n) + 1); return LP_VOID; }
#elif defined NEVER
LP_METHOD(increment) { for (volatile int i = 0; ; i = !i) atomic_fetch_add(&n, 1); return LP_VOID; }
#else
LP_METHOD(increment) { atomic_fetch_add(&n, 1); return LP_VOID; }
#endif
LP_METHOD(read) { return atomic_load(&n); }
C
title="file	flags	spec	property	sync	model	options	verdict	kind	calls	seconds	source	note"
cat >zoo/expected.d/good.tsv <<T
# lines like this one do not count
$title
counter.c	-	-	-	-	-	--ops 3	verified	-	-	fast	somewhere	a note

counter.c	-DLOST	-	linearizable	none	rc11	--ops 3	violation	not linearizable	3	fast	-	-
counter.c	-DLOST	counter	sequential	-	sc	--client 'increment(); read() | increment(); read()'	violation	not linearizable	4
T
# A row needs no source and no note, but it does need its class.
expect 2 study --zoo zoo; says "expected.d/good.tsv:6: 10 columns instead of 15"; alone
sed -i '$s/$/\tslow/' zoo/expected.d/good.tsv

expect 0 study --zoo zoo; err_empty
out_has "2 of 2 rows match"; out_has "counter.c --ops 3"; out_has "[somewhere]"
expect 0 study --zoo zoo --slow -j 2; out_has "3 of 3 rows match"
out_has "'increment(); read() | increment(); read()'"
expect 0 study --zoo zoo somewhere; out_has "1 of 1 rows"
# A paper's figures, beside ours.
cp zoo/expected.d/good.tsv good.tsv
sed -i '/somewhere/s/$/\t12\texecutions/; 6s/.*/&\t-\t-\t4\tcalls/' zoo/expected.d/good.tsv
expect 0 study --zoo zoo papers; out_has "1 of 1 rows"; out_has "paper 12 executions, here "; out_has "executions; note: a note"
expect 0 study --zoo zoo papers --slow; out_has "2 of 2 rows"; out_has "paper 4 calls, here 4 calls"
expect 0 study --zoo zoo papers --json; json_has '"paper":"12","unit":"executions"'
sed -i 's/\t12\texecutions/\t12, 0.25, three\texecutions, s, apples/' zoo/expected.d/good.tsv
expect 0 study --zoo zoo papers; out_has "paper 12 executions, here "; out_has "executions; paper 0.25 s, here "; out_has " s; paper three apples; note: a note"
sed -i 's/executions, s, apples/executions, s/' zoo/expected.d/good.tsv
expect 2 study --zoo zoo papers; says "'12, 0.25, three' and its units 'executions, s' are lists of different lengths"; alone
mv good.tsv zoo/expected.d/good.tsv
cat >zoo/cell.c <<'C'
#include <stdatomic.h>
#include <linchpin.h>
static atomic_int cell;
LP_SPEC("register")
LP_METHOD(write, v) { atomic_store(&cell, v); return LP_VOID; }
LP_METHOD(read) { return atomic_load(&cell); }
C
printf '%s\tpaper\tunit\ncell.c\t-\t-\t-\t-\t-\tstates\tverified\t-\t-\tfast\t-\t-\t7, 9\tstates, transitions\n' "$title" >zoo/expected.d/cell.tsv
expect 0 study --zoo zoo papers; out_has "paper 7 states, here "; out_has "paper 9 transitions, here "; out_lacks "here 0 "
expect 0 study --zoo zoo papers --json; json_has '"transitions":'
rm zoo/expected.d/cell.tsv
expect 0 study --zoo zoo LOST violation; out_has "1 of 1 rows"
expect 0 study --zoo zoo -q; out_has "2 of 2"; out_lacks "counter.c"
expect 0 study --zoo zoo --json; json_has '"as_expected":2'; out_has '"found":{"verdict":"violation","kind":"not linearizable","calls":3,'
expect 2 study --zoo zoo no-such-row; says "no row of the tables in 'zoo' matches"; alone
expect 2 study --zoo nowhere; says "no tables in 'nowhere'"; alone
expect 2 study --zoo zoo -- -O2; says "takes no compiler flags"; alone

# Rows that do not match are named, with a command that shows it; every column counts.
cat >zoo/expected.tsv <<T
$title
counter.c	-DLOST	-	-	-	-	--ops 3	verified	-	-	fast
counter.c	-DLOST	-	-	-	-	--ops 3	violation	race	3	fast
counter.c	-DLOST	-	-	-	-	--ops 3	violation	not linearizable	2	fast
nothing.c	-	-	-	-	-	--ops 3	verified	-	-	fast
counter.c	-	-	-	-	-	--frobnicate	verified	-	-	fast
T
expect 1 study --zoo zoo -j 2; err_empty
out_has "2 of 7 rows match"
out_has "expected.tsv:2: expected verified, found not linearizable, 3 calls"
out_has "linchpin check zoo/counter.c --ops 3 -- -DLOST"
out_has "expected.tsv:3: expected race, 3 calls, found not linearizable, 3 calls"
out_has "expected.tsv:4: expected not linearizable, 2 calls, found"
out_has "expected.tsv:5: expected verified, found cannot read 'zoo/nothing.c'"
out_has "expected.tsv:6: expected verified, found unknown option '--frobnicate'"
expect 1 study --zoo zoo -j 2 --json; json_has '"as_expected":2,'; out_has '"as_expected":false'

# A row that does not end is stopped, and reported; the other rows keep their own time.
cat >zoo/expected.tsv <<T
$title
counter.c	-DNEVER	-	-	-	-	--ops 9 --steps 4000000000	verified	-	-	fast
counter.c	-	-	-	-	-	--ops 2	verified	-	-	fast
T
expect 1 study --zoo zoo -j 2 --time 2 expected.tsv
out_has "expected.tsv:2: expected verified, found timed out"
out_has "1 of 2 rows match"

printf '%s\n' "counter.c	-" >zoo/expected.tsv
expect 2 study --zoo zoo; says "the first line must name the columns"; alone
printf '%s\n' "$title" "counter.c	-	-	-	-	-	-	verified	-	-	quick" >zoo/expected.tsv
expect 2 study --zoo zoo; says "'quick' is neither fast nor slow"; alone
printf '%s\n' "$title" "counter.c	-	-	-	-	-	--client 'read()	verified	-	-	fast" >zoo/expected.tsv
expect 2 study --zoo zoo; says "expected.tsv:2: a quote without end"; alone
finish
