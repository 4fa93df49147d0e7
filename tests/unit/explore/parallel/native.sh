#!/bin/sh
# native.sh LINCHPIN -- native programs explored by several processes: the report is the same to the byte.
set -u
linchpin=$1
root=$(cd "$(dirname "$0")/../../../.." && pwd)
failures=0
command=run

# Only the cost may differ; orders of calls are counted by a single process only.
report() {
	"$linchpin" $command --json "$@" | sed -e 's/"seconds":[^,]*,//' -e 's/"peak_rss_kb":[^,}]*//' -e 's/"orders":"[^"]*",//'
}

same() {
	one=$(report -j 1 "$@")
	for jobs in 2 3 4; do
		if [ "$(report -j $jobs "$@")" != "$one" ]; then
			echo "with -j $jobs it is not the same: $*"
			failures=$((failures + 1))
		fi
	done
}

# The largest programs, in which work is shared.
cd "$root/bench/programs/kernels" || exit 1
same casrot.c
same ainc.c
same readers.c
same lastzero.c -- -DN=10
same fib.c -- -DN=4

# Programs with each kind of error, and with each operation that makes threads wait.
cd "$root/tests/programs" || exit 1
for name in bug/assert_in_one_order bug/sb_relaxed bug/iriw_acquire bug/deadlock_philosophers \
	bug/double_free_threads bug/use_after_free_threads bug/race_read_write \
	bug/liveness_each_other bug/cond_lost_wakeup bug/division_by_zero bug/stack_overflow \
	bug/endless_writes bug/nondet_seven bug/unknown_call ok/bounded_buffer ok/barrier_twice \
	ok/keys ok/outcomes ok/helping_queue ok/helping_comes_back \
	ok/skipped_store_queue ok/retry_push bug/helping_answer ok/svcomp_bakery ok/stack_treiber ok/hundred_threads; do
	same $name.c
done

# Here processes have seen executions after the violation, and therefore leave out other executions before it than a single process does.
cd "$root/examples" || exit 1
command=check
same bug_treiber_aba.c --model sc --ops push=3,pop=3 --no-suggest

[ $failures -eq 0 ] && echo "all the same"
[ $failures -eq 0 ]
