#!/usr/bin/env bash
# transactions.sh LINCHPIN -- `linchpin history --spec transactions`: levels, anomalies, formats, and inputs that it refuses.
. "$(cd "$(dirname "$0")" && pwd)/lib.sh"

# Write skew: not serializable, but allowed by snapshot isolation.
cat >skew.edn <<'H'
{:type :invoke, :f :txn, :value [[:r :x nil] [:append :y 1]], :process 0, :time 1, :index 0}
{:type :invoke, :f :txn, :value [[:append :x 2] [:r :y nil]], :process 1, :time 2, :index 1}
{:type :ok, :f :txn, :value [[:r :x []] [:append :y 1]], :process 0, :time 3, :index 2}
{:type :ok, :f :txn, :value [[:append :x 2] [:r :y []]], :process 1, :time 4, :index 3}
{:type :info, :f :start-partition, :value [:isolated {"n1" #{"n2"}}], :process :nemesis, :time 5, :index 4}
{:type :invoke, :f :txn, :value [[:r :x nil] [:r :y nil]], :process 2, :time 6, :index 5}
{:type :ok, :f :txn, :value [[:r :x [2]] [:r :y [1]]], :process 2, :time 7, :index 6}
H
expect 1 history skew.edn --spec transactions; err_empty
out_has "violation: 'skew.edn' is not strictly serializable"; out_has "G2-item"
out_has "(1) T0    r x [], append y 1  skew.edn:1"; out_has "rw    r x [] has not seen append x 2"
out_has "property      strict-serializable"; out_has "3 calls by 3 threads"
expect 1 history skew.edn --spec list-append --prop serializable; out_has "is not serializable"
expect 1 history skew.edn --spec transactions --prop repeatable-read; out_has "is not repeatable read"
for level in snapshot-isolation strong-session-snapshot-isolation strong-snapshot-isolation read-committed read-uncommitted; do
	expect 0 history skew.edn --spec transactions --prop $level; out_has "verified: 'skew.edn' is"
done
expect 1 history skew.edn --spec transactions --json
json_has '"anomaly":"G2-item"'; json_has '"kind":"rw"'; json_has '"prop":"strict-serializable"'
expect 1 history skew.edn --spec transactions -q; out_lacks "G2-item"

# The same as JSON lines, with times, and as a stream.
cat >skew.jsonl <<'H'
{"thread":0,"start":1,"end":3,"txn":[["r","x",null],["append","y",1]]}
{"thread":1,"start":2,"end":4,"type":"ok","txn":[["append","x",2],["r","y",[]]]}
H
expect 1 history skew.jsonl --spec transactions; out_has "G2-item"
cat >events.jsonl <<'H'
{"process":0,"type":"invoke","f":"txn","value":[["r","x",null],["append","y",1]]}
{"process":1,"type":"invoke","f":"txn","value":[["append","x",2],["r","y",null]]}
{"process":0,"type":"ok","f":"txn","value":[["r","x",[]],["append","y",1]]}
{"process":1,"type":"ok","f":"txn","value":[["append","x",2],["r","y",[]]]}
H
expect 1 history events.jsonl --spec transactions; out_has "G2-item"

# One line per level: what violates it, and the strongest level that holds.
txn() { # NAME BREAKS ANOMALY HAS LINES...
	local name=$1 breaks=$2 anomaly=$3 has=$4
	shift 4
	printf '%s\n' "$@" >"$name.jsonl"
	expect 1 history "$name.jsonl" --spec transactions --prop "$breaks"; out_has "$anomaly"
	[ "$has" = none ] || expect 0 history "$name.jsonl" --spec transactions --prop "$has"
}
t() { # THREAD START END TXN [TYPE]
	echo "{\"thread\":$1,\"start\":$2,\"end\":$3,\"txn\":$4,\"type\":\"${5:-ok}\"}"
}
txn stale strict-serializable "stale read" serializable \
	"$(t 0 1 2 '[["append","x",1]]')" "$(t 1 3 4 '[["r","x",[]]]')"
txn own strong-session-serializable "G-single-process" serializable \
	"$(t 0 1 2 '[["append","x",1]]')" "$(t 0 3 4 '[["r","x",[]]]')"
txn single snapshot-isolation "G-single" read-committed \
	"$(t 0 1 9 '[["append","x",1],["append","y",1]]')" "$(t 1 1 9 '[["r","x",[1]],["r","y",[]]]')"
txn lost snapshot-isolation "lost update" read-committed \
	"$(t 0 1 9 '[["r","x",[]],["append","x",1]]')" "$(t 1 1 9 '[["r","x",[]],["append","x",2]]')"
txn nonadjacent snapshot-isolation "G-nonadjacent" read-committed \
	"$(t 0 1 9 '[["append","x",1]]')" "$(t 1 1 9 '[["append","y",1]]')" \
	"$(t 2 1 9 '[["r","x",[1]],["r","y",[]]]')" "$(t 3 1 9 '[["r","y",[1]],["r","x",[]]]')"
txn circular read-committed "G1c" read-uncommitted \
	"$(t 0 1 9 '[["append","x",1],["r","y",[1]]]')" "$(t 1 1 9 '[["append","y",1],["r","x",[1]]]')"
txn aborted read-committed "G1a (aborted read)" read-uncommitted \
	"$(t 0 1 2 '[["append","x",1]]' fail)" "$(t 1 3 4 '[["r","x",[1]]]')"
txn dirty read-committed "dirty update" read-uncommitted \
	"$(t 0 1 2 '[["append","x",1]]' fail)" "$(t 1 3 4 '[["append","x",2]]')" "$(t 2 5 6 '[["r","x",[1,2]]]')"
txn intermediate read-committed "G1b (intermediate read)" read-uncommitted \
	"$(t 0 1 2 '[["append","x",1],["append","x",2]]')" "$(t 1 1 4 '[["r","x",[1]]]')"
txn dirtywrite read-uncommitted "G0" none \
	"$(t 0 1 9 '[["append","x",1],["append","y",1]]')" "$(t 1 1 9 '[["append","x",2],["append","y",2]]')" \
	"$(t 2 1 9 '[["r","x",[1,2]],["r","y",[2,1]]]')"
txn internal read-uncommitted "internal inconsistency" none \
	"$(t 0 1 9 '[["append","x",1],["r","x",[]]]')"
txn fuzzy snapshot-isolation "reads 'x' twice, and differently" read-committed \
	"$(t 0 1 9 '[["r","x",[]],["r","x",[1]]]')" "$(t 1 1 9 '[["append","x",1]]')"
txn garbage read-uncommitted "garbage read" none "$(t 0 1 9 '[["r","x",[7]]]')"
txn duplicate read-uncommitted "duplicate elements" none \
	"$(t 0 1 9 '[["append","x",7]]')" "$(t 0 10 19 '[["r","x",[7,7]]]')"
txn incompatible read-uncommitted "incompatible order" none \
	"$(t 0 1 9 '[["append","x",1]]')" "$(t 1 1 9 '[["append","x",2]]')" "$(t 2 10 19 '[["r","x",[1,2]]]')" \
	"$(t 3 10 19 '[["r","x",[2,1]]]')"

# Registers, whose order of versions has to be inferred: 1 then 2, and 2 then 1.
txn registers serializable "G" read-committed \
	"$(t 0 1 9 '[["w","x",1]]')" "$(t 1 1 9 '[["w","x",2]]')" "$(t 2 1 9 '[["r","x",1],["w","a",1]]')" \
	"$(t 3 1 9 '[["r","a",1],["r","x",2],["w","b",1]]')" "$(t 4 1 9 '[["r","b",1],["r","x",1]]')"
# A snapshot of several registers, read at once: 1 and 0, then 0 and 1.
txn cut strict-serializable "G-nonadjacent" read-committed \
	"$(t 0 1 9 '[["w","x",1]]')" "$(t 1 1 9 '[["w","y",1]]')" \
	"$(t 2 1 9 '[["r","x",1],["r","y",null]]')" "$(t 3 1 9 '[["r","x",null],["r","y",1]]')"
expect 1 history cut.jsonl --spec transactions --prop linearizable; out_has "is not strictly serializable"
t 0 1 2 '[["w","x",1],["r","y",0]]' >init.jsonl
expect 1 history init.jsonl --spec transactions; out_has "garbage read"
expect 0 history init.jsonl --spec rw-register:init=0

# Unknown facts: an outcome, and which write was read.
printf '%s\n' "$(t 0 1 2 '[["append","x",1]]' info)" "$(t 1 3 4 '[["r","x",[]]]')" "$(t 1 5 6 '[["r","x",[1]]]')" >unknown.jsonl
expect 0 history unknown.jsonl --spec transactions; out_has "1 of them pending"
printf '%s\n' "$(t 0 1 2 '[["w","x",1]]')" "$(t 1 3 4 '[["w","x",1]]')" "$(t 1 5 6 '[["r","x",1]]')" >twice.jsonl
expect 0 history twice.jsonl --spec transactions; out_has "search for which of equal writes was read"
printf '%s\n' "$(t 1 7 8 '[["w","x",2]]')" "$(t 1 9 10 '[["r","x",1]]')" >>twice.jsonl
expect 1 history twice.jsonl --spec transactions; out_has "realtime"; out_has "it is strong session"

# Only completions: the starts are unknown, and so is the order in time.
cat >completions.edn <<'H'
[{:process 0, :type :ok, :value [[:r :x []]]}
 {:process 1, :type :ok, :value [[:append :x 2] [:append :y 1]]}
 {:process 2, :type :ok, :value [[:r :x [2]]]}]
H
expect 0 history completions.edn --spec transactions

# A pipe: a violation is reported as soon as it has been read.
{ cat skew.edn; sleep 3; echo 'no more'; } | timeout 20 "$linchpin" history - --spec transactions --format edn >.out 2>.err
[ $? -eq 1 ] || fail "a stream: $(cat .out .err)"
out_has "what follows in the stream was not read"

# Several files at a time.
expect 1 history -j 2 skew.edn unknown.jsonl --spec transactions; out_has "2 histories: 1 verified, 1 in violation"

# Inputs that it refuses.
refuse() { # LINE MESSAGE
	echo "$1" >bad.jsonl
	expect 2 history bad.jsonl --spec transactions; says "$2"; alone
}
refuse '{"thread":0,"start":1,"end":2,"txn":[["append","x"]]}' "bad.jsonl:1: what is written is missing"
refuse '{"thread":0,"start":1,"end":2,"txn":[["add","x",1]]}' "expected r, w or append"
refuse '{"thread":0,"start":1,"end":2,"txn":["append","x",1]}' "expected an operation"
refuse '{"thread":0,"start":1,"end":2,"txn":[["w","x",[1]]]}' "a list can be read, not written"
refuse '{"thread":0,"start":1,"end":2,"txn":[["w","x",1,2]]}' "more than a key and a value"
refuse '{"thread":0,"start":1,"end":2,"txn":[["w","x",1],["append","x",2]]}' "'x' is a list here, and a register elsewhere"
refuse '{"thread":0,"start":1,"end":2,"txn":[["append","x",1],["append","x",1]]}' "elements have to be unique"
refuse '{"thread":0,"start":1,"end":2}' '"txn" is missing'
refuse '{"thread":0,"txn":[]}' 'a transaction needs "start"'
refuse '{"thread":0,"start":1,"txn":[],"type":"ok"}' 'needs "end"'
refuse '{"thread":0,"type":"ok"}' "is missing"
refuse '{"thread":0,"start":1,"end":2,"txn":[],"type":"done"}' "expected invoke, ok, fail or info"
printf '0 1 2 txn 1 -\n' >bad.tab
expect 2 history bad.tab --spec transactions; says "transactions are written in JSON lines or EDN"; alone
expect 2 history skew.edn --spec transactions --prop quiescent; says "transactions have no property 'quiescent'"; alone
expect 2 history skew.edn --spec transactions --ak 2; says "transactions are not counted"; alone
expect 2 history skew.edn --spec transactions:k=1; says "no parameter 'k'"; alone
printf '%s\n' "$(t 0 1 5 '[["w","x",1]]')" "$(t 0 3 8 '[["w","x",2]]')" >overlap.jsonl
expect 2 history overlap.jsonl --spec transactions --prop sequential; says "two transactions at a time"; alone
finish
