#!/usr/bin/env bash
# undone.sh LINCHPIN -- iterations that take back what they have written are left out where that cannot be seen.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
examples=$here/../../examples

# MODEL CALLS COUNT [OPTIONS]: the elimination stack is correct, and so many executions are complete.
counts() {
	local model=$1 calls=$2 count=$3
	shift 3
	expect 0 check "$examples/elimination.c" --model "$model" --ops "$calls" "$@"
	out_has "$count complete, which is all of them"
}

for model in sc tso ra rc11; do
	counts $model push=2,pop=2 27
	counts $model push=3,pop=2 227
done
counts sc push=2,pop=2 64 --no-undone
counts rc11 push=2,pop=2 105 --no-undone
counts rc11 push=3,pop=3 3,481
counts rc11 push=3,pop=3 3,481 --jobs 2

# An offer that is withdrawn by a store can be lost.
for option in "" --no-undone; do
	expect 1 check "$examples/elimination.c" --ops push=2,pop=2 $option -- -DWITHDRAW_BY_STORE
	out_has "not linearizable"
	expect 1 check "$examples/bug_elimination.c" $option
done

# A pop that believes an offer which it has only seen: it may have been withdrawn, and be taken by another pop as well.
sed 's/return node && swing(&s->offer, node, NULL, TAKEN) ? node : NULL;/swing(\&s->offer, node, NULL, TAKEN); return node;/' \
	"$examples/elimination.c" >believes.c
! cmp -s "$examples/elimination.c" believes.c || fail "the text of elimination.c has changed"
for option in "" --no-undone; do
	expect 1 check believes.c --ops push=2,pop=2 $option
done
finish
