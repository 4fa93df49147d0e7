#!/usr/bin/env bash
# symmetry.sh LINCHPIN -- calls that differ only in arguments that the object does not inspect are alike.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
examples=$here/../../examples

# OBJECT CALLS COUNT [OPTIONS]: the object has COUNT complete executions.
counts() {
	local object=$1 calls=$2 count=$3
	shift 3
	expect 0 check "$examples/$object.c" --ops "$calls" "$@"
	out_has "$count complete, which is all of them"
}

# Enqueues are interchangeable, and so are dequeues: the count is the number of ways to interleave four with four.
counts msqueue enqueue=3,dequeue=3 20
counts msqueue enqueue=4,dequeue=4 70
counts msqueue enqueue=3,dequeue=3 618 --no-symmetry

# A dequeue that fails because of an outdated read is given up, even if a like thread may later take the place of the one whose write
# it has read (followers.h): no execution in which it still fails is explored to its end.
expect 0 run "$here/../../bench/programs/queues/msqueue.c" -- -DENQ=4 -DDEQ=4 -DSYMMETRIC -DOPAQUE
out_has "70 complete, which is all of them; "
out_lacks " blocked"

# Threads that acquire the same lock are ordered, so all renamings of like calls are
# different executions: four or twelve times as many, also if condition variables store thread numbers.
for model in sc rc11; do
	counts syncqueue enqueue=2,dequeue=2 100 --model $model
	counts syncqueue enqueue=2,dequeue=2 400 --model $model --no-symmetry
	counts boundedqueue enqueue=3,dequeue=2 64 --model $model
	counts boundedqueue enqueue=3,dequeue=2 768 --model $model --no-symmetry
	counts boundedqueue enqueue=2,dequeue=3 84 --model $model
	counts boundedqueue enqueue=2,dequeue=3 1,008 --model $model --no-symmetry
done
finish
