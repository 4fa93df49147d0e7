#!/usr/bin/env bash
# history.sh LINCHPIN -- `linchpin history`: verdicts, reports, and inputs that it refuses.
. "$(cd "$(dirname "$0")" && pwd)/lib.sh"

cat >good.tab <<'H'
# thread start end method argument result
0 1 5   enqueue 1 -
1 3 9   dequeue - 1
1 10 ?  dequeue - ?
2 11 12 dequeue - empty
H
cat >bad.tab <<'H'
0 1 5   enqueue 1 -
1 6 9   enqueue 2 -
2 10 14 dequeue - 2
3 15 18 dequeue - 1
3 20 30 enqueue 3 true
H
cat >good.jsonl <<'H'
{"thread":0,"start":1,"end":5,"method":"enqueue","args":[7]}
{"thread":1,"start":3,"end":9,"method":"dequeue","result":7}
H
cat >register.edn <<'H'
{:process 0, :type :invoke, :f :write, :value 3}
{:process 0, :type :ok, :f :write, :value 3}
{:process 1, :type :invoke, :f :read, :value nil}
{:process 1, :type :ok, :f :read, :value 3}
H

# Verdicts.
expect 0 history good.tab --spec queue; err_empty
out_has "verified: 'good.tab' is linearizable"; out_has "specification queue"
out_has "4 calls by 3 threads, 1 of them pending"
expect 0 history good.jsonl --spec queue; out_has verified
expect 0 history register.edn --spec register; out_has verified
expect 0 history --format table --spec=queue good.tab -q; out_has "verified: 'good.tab'"; out_lacks specification
expect 1 history bad.tab --spec queue; err_empty
out_has "violation: 'bad.tab' is not linearizable"
out_has "4 of its 5 calls are enough for the violation, and none of them can be left out"
out_has "[enqueue(1)]"; out_has "T2                              [dequeue() -> 2]"
out_has "dequeue() -> 2  bad.tab:3  cannot come next: it would give 1"
out_has "dequeue() -> 1  bad.tab:4  has to come after dequeue() -> 2"
expect 1 history bad.tab --spec queue -q; out_has "violation: 'bad.tab' is not linearizable"; out_lacks "as far"
expect 0 history bad.tab --spec queue --prop sequential; out_has "is sequentially consistent"
expect 0 history bad.tab --spec queue --prop serializable; out_has "is serializable"
expect 1 history bad.tab --spec queue --prop quiescent; out_has "is not quiescently consistent"
expect 0 history good.tab --spec queue --prop linearizable; out_has "is linearizable"

expect 0 history bad.tab --spec queue --prop quasi:dequeue=1; out_has "is quasi-linearizable"
expect 1 history bad.tab --spec queue --prop quasi:dequeue=0; out_has "is not quasi-linearizable"
expect 0 history bad.tab --spec queue --prop quasi:deq=2,enq+front=1 --json; json_has '"prop":"quasi:deq=2,enq+front=1"'
expect 2 history bad.tab --spec queue --prop quasi:frob=1; says "queue has no method 'frob'"; alone
expect 2 history bad.tab --spec queue --prop quasi:dequeue; says "quasi: takes METHOD=NUMBER, not 'dequeue'"; alone
expect 2 history bad.tab --spec queue --prop quasi:dequeue=-1; says "whole number or 'any', not '-1'"; alone

# Replicated objects.
printf '0 1 2 write 1 -\n0 3 4 write 2 -\n1 5 6 read - 2\n1 7 8 read - 1\n2 9 10 write 3 -\n' >stale.tab
expect 1 history stale.tab --spec register --prop causal; out_has "is not causally consistent"; out_has "4 of its 5 calls"
out_has "a value is read although a write that the call has seen overwrites it"; out_lacks "the longest order of calls"
expect 1 history stale.tab --spec register --prop causal --json; json_has '"minimal":true'; json_has '"prop":"causal"'
expect 1 history stale.tab --spec register --prop session:mr,mw -q; out_has "is not consistent with these session guarantees"
expect 0 history stale.tab --spec register --prop monotonic-reads -q
expect 0 history stale.tab --spec register --prop eventual:100 -q; out_has "is eventually consistent"
printf '3 20 21 read - 1\n3 22 23 read - 3\n' | cat stale.tab - >unsettled.tab
expect 1 history unsettled.tab --spec register --prop eventual -q; out_has "is not eventually consistent"
expect 1 history unsettled.tab --spec register --prop eventual:9 -q
expect 0 history unsettled.tab --spec register --prop eventual:12 -q
expect 2 history stale.tab --spec register --prop session:frob; says "some of ryw, mr, mw, wfr"; alone
echo '{"thread":0,"start":1.5,"end":2.5,"method":"write","args":[1]} {"thread":1,"start":3,"end":4,"method":"read","result":0}' |
	sed 's/} {/}\n{/' >seconds.jsonl
expect 1 history seconds.jsonl --spec register --prop eventual -q
expect 0 history seconds.jsonl --spec register --prop eventual:1 -q # in the unit of the history, although times have fractions
expect 2 history stale.tab --spec register --prop eventual:-1; says "eventual:-1"; alone
expect 2 history stale.tab --spec register --prop causal:x; says "causal:x"; alone
expect 2 history good.tab --spec queue --prop causal; says "for registers, counters, sets and maps, not for a queue"; alone
printf '0 1 2 cas 1,2 true\n' >cas.tab
expect 2 history cas.tab --spec register --prop pram; says "not for 'cas' of a register"; alone
printf '0 1 5 write 1 -\n0 3 4 read - 1\n' >overlap.tab
expect 2 history overlap.tab --spec register --prop causal; says "thread 0 calls before"; alone

# Files that are read in several pieces: lines are numbered correctly, and none is lost at the end of a piece.
awk 'BEGIN { for (i = 0; i < 60000; i++) print i % 4, 2 * i, 2 * i + 1, (i % 2 ? "dequeue - " i : "enqueue " i + 1 " -") }' >long.tab
expect 0 history long.tab --spec queue; out_has "60,000 calls"
sed 's/^3 119998 .*/3 119998 119999 dequeue - 7/' long.tab >long_wrong.tab
expect 1 history long_wrong.tab --spec queue; out_has "long_wrong.tab:60000"
sed '55555s/.*/0 1 x enqueue 1 -/' long.tab >long_bad.tab
expect 2 history long_bad.tab --spec queue; says "long_bad.tab:55555: expected a whole number as end, not 'x'"; alone
awk 'BEGIN { printf "\357\273\277"; for (i = 0; i < 30000; i++) printf "%s{\"thread\":%d,\"call\":\"write\",\"args\":[%d]}\n{\"thread\":%d,\"return\":null}", (i ? "\n" : ""), i % 3, i, i % 3 }' >long.jsonl
expect 0 history long.jsonl --spec register; out_has "30,000 calls"
(cat long.jsonl; printf '\n{"thread":0,"call":"read"}\n{"thread":0,"return":29998}') >long_wrong.jsonl
expect 1 history long_wrong.jsonl --spec register; out_has "long_wrong.jsonl:60001"
(cat long.jsonl; printf '\n{"thread":0,"call":') >long_bad.jsonl
expect 2 history long_bad.jsonl --spec register; says "long_bad.jsonl:60001:"; alone

# Calls that read a whole set or a whole map.
seq 1 1000 | awk '{print "0", 2*$1, 2*$1+1, "insert", $1, "-"}' >elements.tab
(cat elements.tab; echo "1 3000 3001 read - $(seq -s, 1000 -1 1)") >all.tab
(cat elements.tab; echo "1 3000 3001 read - $(seq 1 1000 | grep -v 500 | paste -sd,)") >lost.tab
expect 0 history all.tab --spec set -q
expect 1 history lost.tab --spec set; out_has "2 of its 1,001 calls"; out_has "insert(500)"; out_has "read() -> 1,2,3,4,5,6,7,8,... (991 more)"
expect 0 history all.tab --spec set --prop causal-convergence -q
expect 1 history lost.tab --spec set --prop eventual; out_has "the first value is read where an update has been seen"
cat >all.edn <<'H'
{:process 0, :type :invoke, :f :add, :value 1}
{:process 0, :type :ok, :f :add, :value 1}
{:process 1, :type :invoke, :f :read, :value nil}
{:process 1, :type :ok, :f :read, :value #{1}}
{:process 0, :type :invoke, :f :add, :value 2}
{:process 0, :type :info, :f :add, :value 2}
{:process 1, :type :invoke, :f :read, :value #{2 1}}
{:process 1, :type :ok, :f :read, :value #{2 1}}
{:process 1, :type :invoke, :f :read, :value nil}
{:process 1, :type :ok, :f :read, :value nil}
H
expect 0 history all.edn --spec set -q
(cat all.edn; echo '{:process 1, :type :invoke, :f :read, :value nil} {:process 1, :type :ok, :f :read, :value #{}}') >gone.edn
expect 1 history gone.edn --spec set; out_has "read() -> empty"
cat >map.jsonl <<'H'
{"thread":0,"start":1,"end":2,"method":"put","args":["x",1]}
{"thread":0,"start":3,"end":4,"method":"put","args":[7,2]}
{"thread":1,"start":5,"end":6,"method":"entries","result":{"x":1,"7":2}}
{"thread":1,"start":7,"end":8,"method":"entries","result":[[7,2],["x",1]]}
H
expect 0 history map.jsonl --spec map -q
echo '{"thread":1,"start":9,"end":10,"method":"entries","result":{"x":1}}' | cat map.jsonl - >wrong.jsonl
expect 1 history wrong.jsonl --spec map; out_has "put(7,2)"; out_lacks "put(x,1)"

# What is no map's entries: a key with two values, a key that is not there, a key without a value.
printf '0 1 2 put 1,5 -\n0 3 4 entries - 1,6,1,5\n' >twice.tab
expect 1 history twice.tab --spec map -q
printf '0 1 2 put 1,5 -\n0 3 4 entries - 1,5,1,5\n' >same.tab
expect 0 history same.tab --spec map -q
echo '0 1 2 entries - 1,nil' >absent.tab
expect 1 history absent.tab --spec map -q
printf '0 1 2 put 1,nil -\n0 3 4 entries - 1,nil\n' >nil.tab
expect 0 history nil.tab --spec map:init=0 -q
echo '0 1 2 entries - 1,5,2' >odd.tab
for prop in linearizable causal; do
	expect 2 history odd.tab --spec map --prop $prop; says "odd.tab:1: entries gives keys and values in turns, not 1,5,2"; alone
done

# Numbers cannot be appended to each other, even if there are texts.
printf '0 1 2 append 1,4 -\n0 3 4 append 1,5 -\n' >numbers.tab
expect 1 history numbers.tab --spec map -q
echo '0 5 6 get x nil' | cat numbers.tab - >texts.tab
expect 1 history texts.tab --spec map -q

# A history that was completed afterwards has results on the invocations, too.
cat >completed.edn <<'H'
{:process 0, :type :invoke, :f :write, :value 3}
{:process 0, :type :ok, :f :write, :value 3}
{:process 1, :type :invoke, :f :read, :value 3}
{:process 1, :type :ok, :f :read, :value 3}
{:process 2, :type :invoke, :f :cas, :value [3 4]}
{:process 2, :type :ok, :f :cas, :value [3 4]}
{:process 1, :type :invoke, :f :read, :value 4}
{:process 3, :type :invoke, :f :read, :value 9}
{:process 3, :type :info, :f :read, :value 9}
H
expect 0 history completed.edn --spec register; out_has "5 calls by 4 threads, 2 of them pending"
echo '{:process 1, :type :ok, :f :read, :value 3}' >>completed.edn
expect 1 history completed.edn --spec register; out_has "read() -> 3"
printf '{:process 0, :type :invoke, :f :put, :value [7 1]}\n{:process 0, :type :ok, :f :put, :value [7 1]}
{:process 0, :type :invoke, :f :get, :value [7 2]}\n{:process 0, :type :ok, :f :get, :value [7 2]}\n' >keyed.edn
expect 1 history keyed.edn --spec map; out_has "get(7) -> 2"

# Numbers with a decimal point; a key that occurs twice in an object.
cat >float.jsonl <<'H'
{"thread":0,"start":1,"end":2,"method":"write","args":[0.25]}
{"thread":1.0,"start":2.5,"end":2.75,"method":"read","result":25e-2}
{"thread":0,"start":2.9,"end":2.95,"method":"write","args":[3.0]}
{"thread":1,"start":3.0,"end":3.1,"method":"read","result":3}
H
expect 0 history float.jsonl --spec register
echo '{"thread":1,"start":3.2,"end":3.3,"method":"read","result":0.250}' >>float.jsonl
expect 1 history float.jsonl --spec register; out_has "read() -> 0.25"
printf '{"thread":0,"start":1,"end":2,"start":3,"method":"read","result":1}\n' >twice.jsonl
expect 2 history twice.jsonl --spec register; says 'twice.jsonl:1: the line has "start" twice'; alone
printf '{"thread":0,"start":1e300,"end":2,"method":"read","result":1}\n' >large.jsonl
expect 2 history large.jsonl --spec register; says 'large.jsonl:1: '; alone

# A user's specification with parameters and keys, and errors in it.
cat >own.c <<'H'
#include <linchpin.h>
static enum lp_answer take(struct lp_state *s, const struct lp_spec_call *c)
{
	if (s->at[0] < c->arg[1])
		return lp_answers(c, false);
	s->at[0] -= c->arg[1];
	return lp_answers(c, true);
}
static enum lp_answer left(struct lp_state *s, const struct lp_spec_call *c) { return lp_answers(c, s->at[0]); }
#ifdef BIG
#define FIRST 100
#else
#define FIRST 5
#endif
static void begin(struct lp_state *s, const int64_t *param) { lp_state_push(s, param[0]); }
static const struct lp_method methods[] = { { "take", 2, LP_TRUTH, 0, take }, { "left", 1, LP_VALUE, LP_READS, left } };
static const struct lp_param params[] = { { "init", FIRST, "of each" } };
static const struct lp_kind queue = { .name = "queue", .about = "no queue", .by_key = true, .methods = methods,
	.method_count = 2, .params = params, .param_count = 1, .begin = begin };
LP_SPEC_OWN(queue)
H
printf '0 1 2 take 1,3 true\n1 1 2 take 1,3 false\n0 3 4 left 1 2\n1 3 4 left 2 5\n' >own.tab
expect 0 history own.tab --spec own.c; out_has "specification own.c"; out_has "2 parts"
expect 1 history own.tab --spec own.c:init=7; out_has "take(1,3) -> false"
expect 1 history own.tab --spec own.c -- -DBIG; out_has "is not linearizable"
expect 0 history own.tab --spec own.c --prop serializable
expect 2 history own.tab --spec own.c:init=x; says "init"
expect 2 history good.tab --spec own.c; says "queue has no method 'enqueue' (it has take, left)"; alone
expect 2 history own.tab --spec missing.c; says "cannot read 'missing.c'"; alone
echo '#include <linchpin.h>' >empty.c
expect 2 history own.tab --spec empty.c; says "'empty.c' has no specification of its own"; alone
expect 2 history own.tab --spec queue -- -O1; says "nothing is compiled here"; alone

# A stream without end: a violation is reported before the stream ends.  This shell holds the pipe open.
stream() { # FORMAT WRONG-EVENT...
	mkfifo pipe && exec 7<>pipe
	printf "$2" >&7
	timeout 60 "$linchpin" history - --spec queue <pipe 7>&- >out.txt 2>err.txt
	status=$?
	exec 7>&-
	rm -f pipe
	[ "$status" = "$1" ] || { fail "linchpin history - (a pipe): status $status, not $1"; cat out.txt err.txt; }
	grep -q "what follows in the stream was not read" out.txt || fail "a stream: $(cat out.txt)"
}
stream 1 '{"thread":0,"call":"enqueue","args":[1]}\n{"thread":0,"return":true}\n{"thread":1,"call":"dequeue"}\n{"thread":1,"return":"empty"}\n{"thread":1,"call":"deq'
stream 1 '[{:process 0, :type :invoke, :f :enqueue, :value 1}\n{:process 0, :type :ok, :f :enqueue, :value 1}\n{:process 1, :type :invoke, :f :dequeue}\n{:process 1, :type :ok, :f :dequeue, :value :empty}\n'
# With times, a later line may be an earlier call; a correct prefix may become wrong.  Both are reported at the end.
input=apart.jsonl
printf '{"thread":1,"start":3,"end":4,"method":"dequeue","result":1}\n{"thread":0,"start":1,"end":2,"method":"enqueue","args":[1]}\n' >apart.jsonl
{ head -n 1 apart.jsonl; sleep 1; tail -n 1 apart.jsonl; } | "$linchpin" history - --spec queue >out.txt 2>&1 || fail "a stream with times: $(cat out.txt)"
input=

# The largest possible time.
printf '0 1 2 enqueue 1 -\n1 4611686018427387904 4611686018427387904 dequeue - empty\n' >edge.tab
expect 1 history edge.tab --spec queue
printf '0 -4611686018427387904 -4611686018427387904 dequeue - empty\n1 1 2 enqueue 1 -\n' >edge.tab
expect 0 history edge.tab --spec queue

# A drain counts as its dequeues, however many there are.
{ for i in $(seq 1 100); do printf '{:process 0, :type :invoke, :f :enqueue, :value %s}\n{:process 0, :type :ok, :f :enqueue, :value %s}\n' $i $i; done
  printf '{:process 1, :type :invoke, :f :drain, :value nil}\n{:process 1, :type :ok, :f :drain, :value ['
  seq -s ' ' 1 99; printf ']}\n'; } >drain.edn
expect 0 history drain.edn --spec queue; out_has "199 calls"
{ cat drain.edn; printf '{:process 1, :type :invoke, :f :dequeue}\n{:process 1, :type :ok, :f :dequeue, :value 100}\n{:process 1, :type :invoke, :f :dequeue}\n{:process 1, :type :ok, :f :dequeue, :value :empty}\n'; } >drained.edn
expect 0 history drained.edn --spec queue
sed 's/ 98 99/ 98 98/' drained.edn >twice.edn
expect 1 history twice.edn --spec queue
sed 's/:ok, :f :drain/:info, :f :drain/' drain.edn >lost.edn
expect 2 history lost.edn --spec queue; says "it is not known what a drain took"; alone
sed 's/:ok, :f :drain/:fail, :f :drain/' drain.edn >failed.edn
expect 0 history failed.edn --spec queue; out_has "100 calls"
printf '{:process 0, :type :invoke, :f :read, :value nil}\n{:process 0, :type :ok, :f :read, :value [%s]}\n' "$(seq -s ' ' 1 65)" >many.edn
expect 2 history many.edn --spec register; says "read gives a value, not 1,2,3"; alone

# Calls that end and calls that start at the same time.
printf '0 1 5 enqueue 1 -\n1 5 9 dequeue - empty\n' >tie.tab
expect 0 history tie.tab --spec queue; expect 0 history tie.tab --spec queue --ties overlap
expect 1 history tie.tab --spec queue --ties order
expect 1 history tie.tab --spec queue --ties order --ak 2
# A call without duration comes after calls that end at its time, and before calls that start then; it overlaps others like it.
printf '0 1 5 write 1 -\n1 5 5 read - 0\n2 5 9 write 2 -\n' >tie.tab
expect 1 history tie.tab --spec register --ties order
printf '0 1 5 write 1 -\n1 5 5 read - 2\n2 5 9 write 2 -\n' >tie.tab
expect 1 history tie.tab --spec register --ties order; expect 0 history tie.tab --spec register
printf '0 5 5 write 1 -\n1 5 5 read - 0\n2 5 5 read - 1\n' >tie.tab
expect 0 history tie.tab --spec register --ties order
printf '0 1 2000000000000000000 enqueue 1 -\n' >tie.tab
expect 0 history tie.tab --spec queue; expect 2 history tie.tab --spec queue --ties order; says "tie.tab:1: times are between -2^60"; alone

# Several files and several keys at the same time give the same answers.
awk 'BEGIN { for (i = 0; i < 4000; i++) { k = i % 50; print i % 4, 10 * i, 10 * i + 9, (i % 100 < 50 ? "put" : "get"), (i % 100 < 50 ? k "," i % 7 : k), (i % 100 < 50 ? "-" : (i - 50) % 7) } }' >keys.tab
sed '3000,$s/get 7 ./get 7 9/' keys.tab >wrong_keys.tab
plain() { sed 's/ *cost .*//; s/"seconds":[^,]*,//g; s/"peak_rss_kb":[^,}]*//g' .out; }
for files in keys.tab wrong_keys.tab "good.tab bad.tab good.jsonl missing.tab" "keys.tab wrong_keys.tab keys.tab keys.tab"; do
	for more in "" --json -q; do
		case $files in good*) spec=queue ;; *) spec=map ;; esac
		case $files in good*) want=2 ;; *wrong*) want=1 ;; *) want=0 ;; esac
		expect $want history $files --spec $spec $more; plain >one
		expect $want history $files --spec $spec $more -j 3; plain >three
		diff one three >/dev/null || fail "-j 3 $more $files: $(diff one three)"
	done
done

# An empty history is correct, but this is probably a mistake.
: >nothing.tab
expect 0 history nothing.tab --spec queue; out_has verified; err_has "warning: there are no calls in 'nothing.tab'"

# For scripts.
expect 0 history good.tab --spec queue --json; err_empty
json_has '"verdict":"verified"'; out_has '"prop":"linearizable"'; out_has '"seconds":'; out_has '"peak_rss_kb":'
out_has '"executions":1'; out_has '"scope":{'
expect 1 history bad.tab --spec queue --json; json_has '"verdict":"violation"'
out_has '"kind":"not linearizable"'; out_has '"client":"enqueue(1) | enqueue(2) | dequeue() | dequeue()"'
out_has '"results":["","","2","1"]'; out_has '"order":[0,1]'; out_has '"where":"bad.tab:3"'
out_has '{"call":2,"why":"rejected","gives":"1"}'; out_has '{"call":3,"why":"later","first":2}'
expect 1 history bad.tab --spec queue --json -q; json_has '"violation":{'

# Several files, standard input, compressed files.
expect 1 history good.tab bad.tab good.jsonl --spec queue
out_has "3 histories: 2 verified, 1 in violation"; out_has "[enqueue(1)]"
expect 1 history good.tab bad.tab --spec queue --json; json_has '"files":[{"verdict":"verified"'
out_has '"subject":"bad.tab","kind"'
expect 0 history good.tab good.tab --spec queue -q; out_lacks histories
expect 2 history good.tab missing.tab bad.tab --spec queue; says "missing.tab"
out_has "3 histories: 1 verified, 1 in violation, 1 refused"
input=bad.tab
expect 1 history --spec queue; out_has "'standard input' is not"; out_has " -:3 "
expect 1 history - --spec queue; out_has "'standard input' is not"
input=good.jsonl
expect 0 history good.tab - --spec queue; out_has "2 histories: 2 verified"
input=
if command -v gzip >/dev/null && gzip -k good.tab bad.tab; then
	expect 0 history good.tab.gz --spec queue
	expect 1 history bad.tab.gz --spec queue; out_has "bad.tab.gz:3"
	head -c 30 bad.tab.gz >cut.tab.gz
	expect 2 history cut.tab.gz --spec queue; says "cannot unpack 'cut.tab.gz'"; alone
fi

# A history without calls is correct.
: >empty.tab
expect 0 history empty.tab --spec queue; out_has "0 calls by 0 threads"
expect 0 history --spec stack; out_has "verified"
: >empty.jsonl
: >empty.edn
expect 0 history empty.jsonl empty.edn --spec set

# Unusual, but accepted: carriage returns, a byte order mark, equal times, negative times.
printf '\357\273\277-1 0 0 enqueue 1 -\r\n' >odd.tab
expect 2 history odd.tab --spec queue; says "odd.tab:1: "
printf '\357\273\2770 -5 0 enqueue 1 -\r\n1 0 0 dequeue - empty\r\n' >odd.tab
expect 0 history odd.tab --spec queue
# true and false are printed as such; a single call can be wrong by itself.
printf '0 1 2 insert 1 true\n0 3 4 contains 1 false\n' >set.tab
expect 1 history set.tab --spec set; out_has "contains(1) -> false  set.tab:2  cannot come next: it would give true"
printf '0 1 2 enqueue 1 -\n1 3 4 dequeue - 1\n' >apart.tab
expect 1 history apart.tab --spec queue:synchronous; out_has "and it cannot end there: another call would have to meet it"
printf '0 1 2 push 1 -\n0 3 4 push 2 -\n0 5 6 pop - 1\n0 7 8 pop - 2\n' >order.tab
expect 1 history order.tab --spec stack; out_has "values are popped in an order that no stack has"
printf '0 1 2 insert 1 true\n0 3 4 remove 2 true\n' >set.tab
expect 1 history set.tab --spec set; out_has "1 of its 2 calls is enough for the violation:"

# The core first loses calls that ask for the number of values, and then it can also lose values.
{ for i in $(seq 1 2 39); do echo "0 ${i}0 ${i}1 enqueue $i -"; echo "0 ${i}2 ${i}3 dequeue - $i"; done
  printf '0 400 401 enqueue 41 -\n0 402 403 enqueue 42 -\n0 404 405 is_empty - false\n0 406 407 dequeue - 42\n'; } >asked.tab
expect 1 history asked.tab --spec queue; out_has "3 of its 44 calls are enough for the violation, and none of them can be left out"

# Limits.
awk 'BEGIN { for (i = 0; i < 30; i++) print i, 0, 1000, "enqueue", i % 3, "-"
	     for (i = 0; i < 30; i++) print i + 30, 0, 1000, "dequeue", "-", (i == 29 ? 4 : i % 3) }' >hard.tab
sed -i 's/enqueue/push_back/; s/dequeue/pop_front/' hard.tab
expect 3 history hard.tab --spec deque --time 0.2; out_has "inconclusive: 'hard.tab' is undecided: out of time"
expect 3 history hard.tab --spec deque --memory 30; out_has "undecided: memory limit of 30 MB reached (--memory)"
expect 3 history hard.tab hard.tab --spec deque --time 0.2 --json; json_has '"verdict":"inconclusive"'; out_has '"reason":"undecided: out of time'

# Calls that do not fit the specification.
expect 2 history good.tab --spec stack; says "good.tab:2: stack has no method 'enqueue' (it has push, pop"; alone
echo '0 1 2 enqueue - -' >args.tab
expect 2 history args.tab --spec queue; says "args.tab:1: enqueue takes 1 argument, not 0"; alone
echo '0 1 2 dequeue - -' >result.tab
expect 2 history result.tab --spec queue; says "result.tab:1: dequeue gives a value or empty, not nothing"; alone
printf '0 1 9 enqueue 1 -\n0 2 8 enqueue 2 -\n' >overlap.tab
expect 0 history overlap.tab --spec queue
expect 2 history overlap.tab --spec queue --prop sequential; says "overlap.tab:2: thread 0 calls before"; alone

# Malformed input: the message has the line, and what was expected.
malformed() { printf "$2" >"$1"; expect 2 history "$1" --spec queue; says "$1:$3: "; says "$4"; alone; }
malformed a.tab '0 1 2 enqueue 1 -\n0 x 2 enqueue 1 -\n' 2 "not 'x"
malformed b.tab '0 1 2 enqueue 1\n' 1 "columns"
malformed c.tab '0 5 2 enqueue 1 -\n' 1 ""
malformed d.tab '0 99999999999999999999 2 enqueue 1 -\n' 1 ""
malformed e.jsonl '{"thread":0,"start":1,"end":5,"method":"enqueue","args":[7]}\n{"thread":0,\n' 2 ""
malformed f.jsonl '{"thread":0,"start":1,"end":5}\n' 1 "method"
malformed g.edn '{:process 0, :type :invoke, :f :write, :value 3\n' 2 ""
malformed h.tab '\001\377\200\000\n\0330 1 2\n' 1 ""
head -c 3000 "$linchpin" >garbage
expect 2 history garbage --spec queue; says "garbage:"; alone
expect 2 history garbage --spec queue --json; json_has '"verdict":"error"'

# Usage.
expect 2 history good.tab; says "no specification given"; alone
expect 2 history good.tab --spec frob; says "there is no specification 'frob'"; alone
expect 2 history good.tab --spec queue:frob; says "queue has no parameter 'frob'"; alone
expect 2 history good.tab --spec queue:bounded=-1; says "bounded"; alone
expect 2 history good.tab --spec queue:bounded=99999999999999999999; says "needs a number"; alone
expect 2 history good.tab --spec queue --prop frob; says "--prop takes one of linearizable|sequential|quiescent|serializable|quasi:METHOD=Q[,..]|causal|"; says ", not 'frob'"; alone
expect 2 history good.tab --spec queue --format frob; says "--format takes one of"; alone
expect 2 history good.tab --spec queue --model sc; says "not supported by 'linchpin history'"; alone
expect 2 history good.tab --spec queue -- -O2; says "nothing is compiled"; alone
printf '0 1 2 insert b -\n0 3 4 insert a -\n0 5 6 remove - a\n' >words.tab
expect 2 history words.tab --spec priority_queue; says "words.tab:1: insert takes a number, not 'b'"; alone
sed "s/remove/take/" words.tab >bag.tab
expect 0 history bag.tab --spec multiset
printf '0 1 2 insert 4611686018427387905 -\n' >words.tab # which is too large for a number
expect 2 history words.tab --spec priority_queue; says "insert takes a number, not '4611686018427387905'"; alone
printf '0 1 2 add x -\n' >words.tab
expect 2 history words.tab --spec counter; says "add takes a number, not 'x'"; alone
expect 2 history missing.tab --spec queue; says "cannot open 'missing.tab': No such file"; alone
expect 2 history . --spec queue; says "cannot read '.': Is a directory"; alone
expect 2 history missing.tab --spec queue --json; json_has '"verdict":"error"'; says missing
# Interrupted: while no input arrives, and perhaps never will; and while there is too much to read in time.
mkfifo silent
command_line="history <silent, and SIGINT"
# A shell's background job ignores SIGINT; env restores the default.
env --default-signal=INT "$linchpin" history --spec queue <>silent >.out 2>.err &
sleep 1
kill -INT $!
wait $!
status=$?
[ "$status" = 3 ] || fail "exit status $status instead of 3"
out_has "interrupted (SIGINT) while it was read, after 0 bytes"
awk 'BEGIN { for (i = 0; i < 20000; i++) print 0, 2 * i, 2 * i + 1, "enqueue", i, "-" }' >many.tab
expect 3 history many.tab --spec queue --time 0.000001; out_has "out of time while it was read"
expect 0 history many.tab --spec queue
# Counting finds violations if k is large enough, and never says that a history is correct.
printf '0 1 2 enqueue 1 -\n0 3 4 enqueue 2 -\n1 5 6 dequeue - 2\n' >swapped.tab
expect 3 history swapped.tab --spec queue --ak 1; out_has "A_1 sees nothing wrong"
expect 1 history swapped.tab --spec queue --ak 2; out_has "1 was inserted before 2, but 2 was removed first"
sed 's/- 2$/- 1/' swapped.tab >right.tab
out_has "the longest order of calls"
expect 2 history right.tab --spec queue --ak 2 --prop sequential; says "--ak is about linearizability"
expect 3 history right.tab --spec queue --ak 4
expect 2 history right.tab --spec queue --ak 65; says "--ak"
# Two values leave in the wrong order, and then nothing is wrong for a long time: a large k finds this, too.
for spec in queue stack register; do
	case $spec in
	queue) echo '0 1 2 enqueue 1 -;0 3 4 enqueue 2 -;1 5 6 dequeue - 2' ;;
	stack) echo '0 1 2 push 1 -;0 3 4 push 2 -;1 5 6 pop - 1' ;;
	register) echo '0 1 2 write 1 -;0 3 4 write 2 -;1 5 6 read - 1' ;;
	esac | tr ';' '\n' >swapped.tab
	for i in 10 20 30 40 50 60 70 80 90; do
		[ $spec = register ] && echo "0 $i ${i}1 read - 2" || echo "0 $i ${i}1 is_empty - false"
	done | sed 's/ \(..\) \(..\)1 / \1 \2 /' >>swapped.tab
	for k in 16 64; do
		expect 1 history swapped.tab --spec $spec --ak $k; out_has "A_$k"
	done
done
expect 3 history swapped.tab --spec register --ak 3
# With the user's formulae or grammar.
cat >own.formulae <<'END'
require few = sum i in 0..k: sum j in i..k: #(<enqueue(1)>, i, j) <= 0;
END
expect 1 history right.tab --spec queue --ak 2 --formulae own.formulae; out_has "is not as 'own.formulae' demands"
out_has few
cat >own.grammar <<'END'
Free -> | <lock> Held;   // a call that locks may leave
Held -> | <unlock> Free;
END
printf '0 1 2 lock - -\n1 3 4 lock - -\n' >locks.tab
expect 1 history locks.tab --spec lock --ak 1 --grammar own.grammar; out_has "is not as 'own.grammar' demands"
printf '0 1 2 lock - -\n0 3 4 unlock - -\n1 5 6 lock - -\n' >locks.tab
expect 3 history locks.tab --spec lock --ak 1 --grammar own.grammar
expect 2 history locks.tab --spec lock --grammar own.grammar; says "--ak K"
expect 2 history locks.tab --spec lock --ak 1 --grammar own.grammar --formulae own.grammar; says "exclude each other"
expect 2 history locks.tab --spec lock --ak 1 --grammar missing; says "cannot open 'missing'"
echo 'Free -> <clock>;' >bad.grammar
expect 2 history locks.tab --spec lock --ak 1 --grammar bad.grammar; says "bad.grammar:1:10: lock has no method 'clock'"
finish
