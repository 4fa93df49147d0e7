#!/usr/bin/env bash
# symmetry.sh LINCHPIN -- calls that differ only in arguments that the object does not inspect are alike.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
examples=$here/../../examples

# OBJECT CALLS COUNT [OPTIONS]: so many executions are complete.
counts() {
	local object=$1 calls=$2 count=$3
	shift 3
	expect 0 check "$examples/$object.c" --ops "$calls" "$@"
	out_has "$count complete, which is all of them"
}

# Neither enqueues nor dequeues are told apart: the number of ways to mix four with four.
counts msqueue enqueue=3,dequeue=3 20
counts msqueue enqueue=4,dequeue=4 70
counts msqueue enqueue=3,dequeue=3 618 --no-symmetry

# A dequeue that fails because of a read that is out of date is given up, also if a like one may take the place of what it has
# read (followers.h): no execution is carried to an end where it still fails.
expect 0 run "$here/../../bench/programs/queues/msqueue.c" -- -DENQ=4 -DDEQ=4 -DSYMMETRIC -DOPAQUE
out_has "70 complete, which is all of them; "
out_lacks " blocked"

# Threads that take the same lock are ordered with each other, so that all renamings of like calls are
# different executions: four or twelve times as many, also where condition variables name threads.
for model in sc rc11; do
	counts syncqueue enqueue=2,dequeue=2 100 --model $model
	counts syncqueue enqueue=2,dequeue=2 400 --model $model --no-symmetry
	counts boundedqueue enqueue=3,dequeue=2 64 --model $model
	counts boundedqueue enqueue=3,dequeue=2 768 --model $model --no-symmetry
	counts boundedqueue enqueue=2,dequeue=3 84 --model $model
	counts boundedqueue enqueue=2,dequeue=3 1,008 --model $model --no-symmetry
done
finish
