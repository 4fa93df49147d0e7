#!/bin/bash
# `linchpin mutants`, and --mutant of check: names, messages, exit statuses, interrupts.
here=$(realpath "$(dirname "$0")")
. "$here/lib.sh"
examples=$here/../../examples
zoo=$here/../../zoo
export TMPDIR=$folder/temporary
mkdir "$TMPDIR"

# ---- exit statuses

# All mutants are killed; some survive; none survives, but some could not be decided.
expect 0 mutants "$zoo/spinlock.c" --ops 3 --operators order,split
out_has "all 3 mutants are killed: "
out_lacks "survivors"
expect 1 mutants "$examples/twolock.c" --ops 3 --operators no-call -q
[ "$(wc -l <.out)" = 1 ] || fail "not one line"
out_has "mutants survive: "
expect 3 mutants "$examples/treiber.c" --ops 3 --operators always,split
out_has "could not be decided"
out_has "treiber.c:61/always"
out_has "perhaps without end: too long to explore (see --unroll)"
# The object is wrong without changes: the violation is reported as by check.
expect 1 mutants "$examples/bug_treiber.c" --ops 4
out_has "violation: not linearizable"
out_lacks "mutant"
expect 3 mutants "$examples/hwqueue.c" --ops 9 --time 0.2
out_has "inconclusive: time limit reached"

# ---- messages

expect 2 mutants "$examples/treiber.c" --operators never,nevr
says "--operators: there is no 'nevr'"
expect 2 mutants "$examples/treiber.c" --cost arm
says "--cost"
expect 2 mutants nothing.c
says "cannot read 'nothing.c'"
expect 2 check "$examples/treiber.c" --mutant treiber.c:70/nevr
says "there is no mutant 'treiber.c:70/nevr'; \`linchpin mutants\` lists them"
alone
expect 2 check "$examples/treiber.c" --mutant treiber.c:70=relaxed
says "treiber.c:70: no atomic access or fence of the object has that name"

# ---- one mutant

expect 1 mutants "$examples/treiber.c" --ops 3 --operators never,weak --verbose
out_has "  treiber.c:70/never  out of bounds at treiber.c:72: pop()"
out_has "  linchpin check $examples/treiber.c --ops 3 --mutant treiber.c:70/never"
expect 1 check "$examples/treiber.c" --ops 3 --mutant treiber.c:70/never --trace never.trace
out_has "violation: out of bounds at treiber.c:72"
expect 1 replay never.trace
out_has "violation: out of bounds at treiber.c:72"
expect 0 check "$examples/treiber.c" --ops 3 --mutant treiber.c:47/weak
out_has "  mutant       treiber.c:47/weak"
expect 1 mutants "$examples/treiber.c" --ops 3 --operators never,weak --json
json_has '"name":"treiber.c:47/weak","operator":"weak"'
json_has '"function":"swing","change":"the compare-exchange may fail spuriously","detail":"","state":"survived","class":"same results"'

# Checking one mutant at a time, or several, gives the same list.
python3 - .out >one <<'END'
import json, sys
print([(m["name"], m["state"], m["executions"], m["blocked"]) for m in json.load(open(sys.argv[1]))["mutants"]])
END
expect 1 mutants "$examples/treiber.c" --ops 3 --operators never,weak --json -j 4
python3 - .out >several <<'END'
import json, sys
print([(m["name"], m["state"], m["executions"], m["blocked"]) for m in json.load(open(sys.argv[1]))["mutants"]])
END
cmp -s one several || fail "with -j 4 it is not the same: $(diff one several)"

# ---- only the object is changed

# Branches and stores of a user's specification in the same file are not mutated.
expect 1 mutants "$zoo/amp_skipqueue.c" --ops 2 --operators order,never,no-store --json
python3 - .out "$zoo/amp_skipqueue.c" <<'END' || fail "a mutant of the specification, or of the harness"
import json, re, sys
names = {m["function"] for m in json.load(open(sys.argv[1]))["mutants"]}
kind = re.search(r"struct lp_kind \w+ = \{(.*?)\};", open(sys.argv[2]).read(), re.S).group(1)
sys.exit(bool(names & set(re.findall(r"\w+", kind))) or any("lp_" in n for n in names) or not names)
END

# ---- interrupted

for seconds in 0.5 2 4; do
	command_line="mutants lazylist.c, SIGINT after $seconds s"
	timeout --preserve-status -s INT "$seconds" "$linchpin" mutants "$examples/lazylist.c" --ops 4 --json >.out 2>.err
	status=$?
	[ "$status" = 1 ] || [ "$status" = 3 ] || [ "$status" -gt 128 ] || fail "status $status"
	[ "$status" -gt 128 ] || json_has 'interrupted (SIGINT)'
	sleep 0.3
done
[ -z "$(ls -A "$TMPDIR")" ] || fail "temporary files are left: $(ls "$TMPDIR")"

finish
