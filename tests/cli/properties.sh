#!/usr/bin/env bash
# properties.sh LINCHPIN -- `linchpin check` with other properties than linearizability: what each
# of them forgives, and what not.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
zoo=$here/../../zoo

# ---- quasi ----

# A counter whose tickets come out of order by one: 1, 0, 3, 2, ...
cat >tickets.c <<'C'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int n;
LP_SPEC("counter")
LP_METHOD(fetch_increment)
{
	return atomic_fetch_add(&n, 1) ^ 1;
}
C
for model in sc tso ra rc11; do
	expect 1 check tickets.c --model $model --ops fetch_increment=2
	expect 0 check tickets.c --model $model --ops fetch_increment=2 --prop quasi:fetch_increment=1
	expect 0 check tickets.c --model $model --ops fetch_increment=4 --prop quasi:fetch_increment=1
	expect 1 check tickets.c --model $model --ops fetch_increment=4 --prop quasi:fetch_increment=0
done
expect 0 check tickets.c --ops fetch_increment=2 --prop 'quasi:*=1'
expect 0 check tickets.c --ops fetch_increment=2 --prop quasi:fetch_increment=any
head -n 1 .out | grep -qF "a quasi:fetch_increment=any counter" || fail "the first line"
# Taken literally: what never came cannot have changed places.
expect 1 check tickets.c --ops fetch_increment=1 --prop quasi:fetch_increment=1
out_has "no order of the calls is close enough to one that explains their results"
# One client with its order.
expect 1 check tickets.c --prop quasi:fetch_increment=0 --client 'fetch_increment(); fetch_increment()'
expect 0 check tickets.c --prop quasi:fetch_increment=1 --client 'fetch_increment(); fetch_increment()'

# The quasi queue: its own factor is enough, a smaller one is not; with a bug none is.
for model in sc rc11; do
	expect 0 check "$zoo/quasiqueue.c" --model $model --prop quasi:dequeue=2,enqueue=2 -- -DSEGMENTS=2
	expect 1 check "$zoo/quasiqueue.c" --model $model --prop quasi:dequeue=1,enqueue=1 -- -DSEGMENTS=2
done
expect 0 check "$zoo/quasiqueue.c" --ops enqueue=3,dequeue=3 --prop quasi:dequeue=1,enqueue=1 -- -DFACTOR=1 -DSEGMENTS=3
expect 1 check "$zoo/quasiqueue.c" --ops enqueue=3,dequeue=3 --prop quasi:dequeue=1,enqueue=1 -- -DFACTOR=2 -DSEGMENTS=3
out_has "is as close as that to one that gives these results"

expect 2 check tickets.c --prop quasi; says "unknown property 'quasi'"
expect 2 check tickets.c --prop quasi:frob=1; says "no method 'frob'"
expect 2 check tickets.c --prop quasi:fetch_increment=x; says "a whole number or 'any'"
expect 2 check tickets.c --prop quasi:fetch_increment=1 --sync r; says "not together with --sync"
expect 2 check "$here/../../examples/syncqueue.c" --prop quasi:dequeue=1; says "take effect together"
finish
