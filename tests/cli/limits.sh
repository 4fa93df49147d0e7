#!/usr/bin/env bash
# limits.sh LINCHPIN -- limits in every command: no verdict, which limit was reached, exit status 3.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
examples=$(realpath "$here/../../examples")
zoo=$(realpath "$here/../../zoo")

# within MB: the memory in use was never much more; some tolerance, since linchpin only checks from time to time.
within() {
	local kb
	kb=$(sed -n 's/.*"peak_rss_kb":\([0-9]*\).*/\1/p' .out)
	[ "${kb:-0}" -gt 0 ] && [ "$kb" -le $((($1 + 8) * 1024)) ] || fail "$kb KB were in use"
}

# --memory: short explorations check it, too; loaded libraries count.
full="memory limit of 1 MB reached (--memory)"
for jobs in 1 2; do
	expect 3 check $examples/msqueue.c --ops enqueue=4,dequeue=4 --memory 1 -j $jobs; out_has "inconclusive: $full"
done
expect 0 check $examples/msqueue.c --ops 2 --memory 200
cat >tiny.c <<'C'
int main(void) { return 0; }
C
expect 3 run tiny.c --memory 1; out_has "inconclusive: $full"
expect 3 run tiny.c --memory 1 --random 5; out_has "$full"
expect 3 run tiny.c --memory 1 --model sc --preemptions 1; out_has "inconclusive: $full"
expect 3 states $zoo/kregister.c --memory 1; out_has "inconclusive: $full"
expect 1 study --zoo $zoo --memory 1 msqueue_counted; out_has "$full"

# Histories: the limit also holds while they are read, and for methods that do not search.
awk 'BEGIN { for (i = 0; i < 400000; i++) {
	print 0, 4 * i, 4 * i + 1, "enqueue", i, "-"
	print 1, 4 * i + 2, 4 * i + 3, "dequeue", "-", i } }' >long.tab
sed 's/enqueue/push/; s/dequeue/pop/' long.tab >stack.tab
for mb in 1 10 30 50 70 90; do
	expect 3 history long.tab --spec queue --memory $mb --json; out_has "memory limit of $mb MB reached (--memory)"
	[ $mb = 1 ] || within $mb
	expect 3 history stack.tab --spec stack --memory $mb --json; out_has "memory limit of $mb MB reached (--memory)"
done
expect 0 history long.tab --spec queue --memory 2000
expect 3 history long.tab long.tab --spec queue --memory 30; out_has "2 histories: 2 inconclusive"

# Input without end is not read.
expect 2 replay /dev/zero; says "cannot read '/dev/zero': it is not a file"; alone

finish
