#!/usr/bin/env bash
# figures.sh LINCHPIN -- how many wrong histories A_k detects, and the cost of monitors.
zoo=$(cd "$(dirname "$0")/../../zoo" && pwd)
. "$(cd "$(dirname "$0")" && pwd)/lib.sh"

# A queue that loses the order: A_k detects more histories with each k; if k is at least the number of calls, it detects all.
expect 1 figures "$zoo/kfifo.c" coverage --random 600 --ops 5 --json; json_has '"verdict":"violation","kind":"not linearizable"'
python3 - <<'END' || fail "the numbers do not fit together"
import json
d = json.load(open(".out"))
assert [p["name"] for p in d["points"]] == ["1+1", "1+2", "2+1", "1+3", "2+2", "3+1", "2+3", "3+2", "3+3"], d
wrong = 0
for p in d["points"]:
    for of in (p["covered"], p["monitor"]):
        assert len(of) == 5 and all(a <= b for a, b in zip(of, of[1:])) and of[4] <= p["wrong"] <= p["histories"], p
    if sum(map(int, p["name"].split("+"))) <= 5: # orders of at most 4 moments
        assert p["covered"][4] == p["wrong"] == p["monitor"][4], p
    assert p["covered"][0] == 0 and not (p["name"][0] == "1" and p["wrong"]), p
    wrong += p["wrong"]
assert wrong > 50, wrong
assert abs(d["figure"] - sum(p["covered"][2] for p in d["points"]) / wrong) < 1e-6
END
cp .out first
expect 1 figures "$zoo/kfifo.c" coverage --random 600 --ops 5 --json; cmp -s first .out || fail "the same seed, and other numbers"
expect 1 figures "$zoo/kfifo.c" coverage --random 600 --ops 4 --svg plot.svg; out_has "a monitor:"; out_has "Wrong histories covered by A_k"
grep -q "</svg>" plot.svg || fail "no picture"

# A correct queue: there is no wrong history, and linearizations are counted.
expect 3 figures "$zoo/../examples/msqueue.c" overhead --random 50 --ops 6; out_has "geometric mean"; out_has "3+3"; err_empty
expect 3 figures "$zoo/../examples/msqueue.c" overhead --random 50 --ops 4 --preemptions 0 --json; json_has '"verdict":"inconclusive"'
# If priorities never change, each call is made alone: there is one linearization for each execution, and one for the execution with
# which the length of schedules is measured.
out_has '"name":"2+2"'; [ "$(grep -o '"linearizations":51,"wrong":0' .out | wc -l)" = 3 ] || fail "not one linearization each"
expect 3 figures "$zoo/../examples/msqueue.c" coverage --random 50 --ops 4; out_has "2+2"

expect 2 figures; says "takes an object"; alone
expect 2 figures "$zoo/kfifo.c" speed; says "'coverage' or 'overhead'"; alone
expect 2 figures "$zoo/kfifo.c" coverage --ops 9; says "from 2 to 8 calls"; alone
expect 2 figures "$zoo/kfifo.c" overhead --ops x; says "from 2 to 20 calls"; alone
expect 2 figures "$zoo/kfifo.c" coverage --ak 5; says "at most 4"; alone
expect 2 figures "$zoo/spinlock.c" coverage; says "no pair of methods"; alone
expect 2 figures none.c coverage; says "none.c"; alone
expect 2 figures "$zoo/kfifo.c" coverage --random 20 --ops 3 --svg nowhere/plot.svg; says "cannot write 'nowhere/plot.svg'"
finish
