#!/usr/bin/env bash
# checkpoint.sh LINCHPIN -- --checkpoint, --every, --resume: messages, refusals, and files that are not checkpoints.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
examples=$(realpath "$here/../../examples")
queue="$examples/hwqueue.c --ops 8"

# At a limit, the file exists, and the message says how to continue.
expect 3 check $queue --executions 500 --checkpoint a.ckpt
out_has "hint: to go on: linchpin check"
out_has "--checkpoint a.ckpt --resume a.ckpt"
[ -s a.ckpt ] || fail "no checkpoint"
[ ! -e a.ckpt.new ] || fail "something is left beside it"
cp a.ckpt kept
expect 3 check $queue --resume a.ckpt --executions 600 -j 2
out_has "--executions 600 -j 2 --resume a.ckpt"
expect 0 check $queue --resume a.ckpt
out_has "4,844 complete, which is all of them"
out_has "resumed      from 'a.ckpt'"
[ ! -e a.ckpt ] || fail "the checkpoint of an exploration that is over is still there"

# The time limit; and a program with outcomes.
expect 3 check $examples/elimination.c --ops 5 --no-undone --time 0.5 --checkpoint b.ckpt -q
[ -s b.ckpt ] || fail "no checkpoint"
cat >sb.c <<'X'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <linchpin.h>
static atomic_int x[4], seen[4];
static void *thread(void *p)
{
	const int i = *(int *)p;
	x[i] = 1;
	for (int k = 0; k < 4; k++)
		seen[i] += x[k];
	return NULL;
}
int main(void)
{
	static int number[4] = { 0, 1, 2, 3 };
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, thread, &number[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	assert(seen[0] + seen[1] + seen[2] + seen[3] > 9);
}
X
expect 0 run sb.c --model sc --json
sed 's/"seconds.*//' .out >whole
expect 3 run sb.c --model sc --executions 100 --checkpoint c.ckpt -j 2
expect 3 run sb.c --model sc --executions 200 --resume c.ckpt
expect 0 run sb.c --model sc --json --resume c.ckpt -j 3
python3 - whole .out <<'X' || fail "not the counts of one run"
import json, sys
a = open(sys.argv[1]).read()
b = json.load(open(sys.argv[2]))
for name in ("executions", "blocked"):
    assert f'"{name}":{b[name]},' in a, (name, b[name])
X

# SIGINT, while clients are so small that each is explored at once; and a specification that is a program.  The last part
# of the time is the check that arguments are only passed on, which is not interrupted, so earlier moments are tried, too.
small="$examples/msqueue.c --ops 13 --model sc"
start=$(date +%s%N)
expect 0 check $small
took=$((($(date +%s%N) - start) / 1000000))
whole=$(grep "complete, which is all" .out | sed 's/;[^;]*given up early//')
for part in 2 4 8 16; do
	after=$((took / part))
	command_line="check $small (SIGINT after $after ms)"
	timeout --foreground -s INT "$(printf '%d.%03d' $((after / 1000)) $((after % 1000)))" "$linchpin" check $small --checkpoint s.ckpt >.out 2>.err
	! grep -q "interrupted (SIGINT)" .out || break
done
out_has "inconclusive: interrupted (SIGINT)"
out_has "hint: to go on: linchpin check"
expect 0 check $small --resume s.ckpt -j 2
out_has "$whole"
cp $examples/msqueue.c included.c
echo '#include "included.c"' >spec.c
expect 3 check $examples/twolock.c --spec spec.c --ops 5 --executions 2 --checkpoint p.ckpt
cp p.ckpt p.kept
expect 0 check $examples/twolock.c --spec spec.c --ops 5 --resume p.ckpt
out_has "62 complete, which is all of them"

# Another version, object or set of options is refused, and the difference is named.
refused() {
	local text=$1
	shift
	expect 2 "$@"
	says "$text"
	alone
}
refused "cannot resume from 'kept': it was written with --ops 8, not --ops 7" check $examples/hwqueue.c --ops 7 --resume kept
refused "it was written with --ops 8, which is not given" check $examples/hwqueue.c --resume kept
refused "it was written without --model tso" check $queue --model tso --resume kept
refused "it was written without --no-twins" check $queue --no-twins --resume kept
cp $examples/treiber.c included.c
sed -i 's/LP_SPEC("stack")/LP_SPEC("queue")/; s/LP_METHOD(push/LP_METHOD(enqueue/; s/LP_METHOD(pop/LP_METHOD(dequeue/' included.c
refused "the specification was another one" check $examples/twolock.c --spec spec.c --ops 5 --resume p.kept
refused "the program was another one, or compiled in another way" check $examples/msqueue.c --ops 8 --resume kept
refused "the program was another one, or compiled in another way" check $queue --resume kept -- -DOTHER=1 -fno-inline -O0
expect 3 run sb.c --model sc --executions 100 --checkpoint d.ckpt
refused "it was written by \`linchpin run\`" check $queue --resume d.ckpt

# change FILE OLD NEW: changes the identity in a checkpoint, and corrects the digest
change() {
	python3 - "$@" <<'X'
import hashlib, sys
name, old, new = sys.argv[1], sys.argv[2].encode(), sys.argv[3].encode()
b = open(name, "rb").read()
assert b.count(old) == 1 and len(old) == len(new)
b = b[:-32].replace(old, new)
# The digest has 256 bits, and is stored in machine words, as BLAKE2b computes them.
open("changed", "wb").write(b + hashlib.blake2b(b, digest_size=32).digest())
X
}
version=$("$linchpin" --version | sed 's/linchpin //')
change kept "version $version" "version $(echo "$version" | tr 0-9 1-90)"
refused "it was written by linchpin $(echo "$version" | tr 0-9 1-90), and this is $version" check $queue --resume changed
build=$(grep -a '^build ' kept)
change kept "$build" "build 0123456789abcdef0123456789abcdef"
refused "it was written by another build of linchpin" check $queue --resume changed
change kept "addresses 7" "addresses 6"
refused "the program was at other addresses" check $queue --resume changed
change kept "linchpin checkpoint 1" "linchpin checkpoint 7"
refused "it was written by another version of linchpin, in another format" check $queue --resume changed

# Files that are not checkpoints, or are damaged.
refused "cannot read 'nowhere': No such file" check $queue --resume nowhere
refused "cannot read '.': Is a directory" check $queue --resume .
refused "cannot resume from 'sb.c': it is not a checkpoint" check $queue --resume sb.c
: >empty
refused "it is not a checkpoint" check $queue --resume empty
for ((i = 0; i < 12; i++)); do
	python3 - $i <<'X'
import random, sys
r = random.Random(int(sys.argv[1]))
b = bytearray(open("kept", "rb").read())
if r.random() < 0.5:
    b = b[:r.randrange(len(b))]
else:
    for _ in range(r.randrange(1, 4)):
        b[r.randrange(len(b))] ^= 1 << r.randrange(8)
open("damaged", "wb").write(b)
X
	expect 2 check $queue --resume damaged
	alone
done

# An existing file is not overwritten; a file that cannot be written is refused at once.
refused "cannot write 'kept': it is there already" check $queue --checkpoint kept
refused "cannot write 'no/where': No such file" check $queue --checkpoint no/where
refused "cannot write 'sb.c': it is there already" check $queue --resume kept --checkpoint sb.c
refused "--every requires --checkpoint FILE" check $queue --every 5
refused "--checkpoint cannot be combined with --random" check $queue --random 5 --checkpoint e
refused "--checkpoint cannot be combined with --preemptions" check $queue --model sc --preemptions 1 --checkpoint e
refused "--checkpoint: not with --fit" check $queue --fit --checkpoint e
refused "--checkpoint is for one object at a time" check $examples/hwqueue.c $examples/msqueue.c --checkpoint e

# A study: rows that are finished are not run again, unless they have changed.
mkdir -p zoo/expected.d
cp $examples/treiber.c zoo/treiber.c
echo '#include "treiber.c"' >zoo/parts.h
echo '#include "parts.h"' >zoo/quick.c
cp $examples/elimination.c zoo/long.c
title="file	flags	spec	property	sync	model	options	verdict	kind	calls	seconds	source	note"
printf '%s\nquick.c	-	-	-	-	-	--ops 3	verified	-	-	fast	-	-\nlong.c	-	-	-	-	-	--ops 6 --no-undone	verified	-	-	fast	-	-\n' "$title" >zoo/expected.d/two.tsv
command_line="study (SIGINT)"
timeout --foreground -s INT 4 "$linchpin" study --zoo zoo -j 1 --checkpoint rows.ckpt >.out 2>.err
[ -s rows.ckpt ] || fail "no checkpoint"
err_has "hint: to go on, add --resume rows.ckpt"
cp rows.ckpt rows.kept
sed -i 's/^\(long.c.*\)--ops 6/\1--ops 2/' zoo/expected.d/two.tsv
sed -i 's/^\(quick.c.*\)verified/\1violation/' zoo/expected.d/two.tsv
expect 1 study --zoo zoo --resume rows.ckpt --json
out_has '"as_expected":1'
cp rows.kept rows.ckpt
cp $examples/bug_treiber.c zoo/parts.h
expect 0 study --zoo zoo --resume rows.ckpt --json
out_has '"as_expected":2'
[ ! -e rows.ckpt ] || fail "the checkpoint of a study that is over is still there"
refused "it was written by \`linchpin study\`" check $queue --resume rows.kept
refused "it was written by \`linchpin check\`" study --zoo zoo --resume kept
refused "cannot write 'kept': it is there already" study --zoo zoo --checkpoint kept
head -c 300 rows.kept >cut
refused "its end is missing" study --zoo zoo --resume cut
finish
