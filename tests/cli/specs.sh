#!/usr/bin/env bash
# specs.sh LINCHPIN -- the list of specifications.
kinds=$(sed -n 's/^LP_KIND(\(.*\))$/\1/p' "$(dirname "$0")/../../src/spec/kinds.def")
. "$(cd "$(dirname "$0")" && pwd)/lib.sh"

expect 0 specs; err_empty
[ -n "$kinds" ] || fail "kinds.def has no kinds"
for kind in $kinds; do
	expect 0 specs; out_has "  $kind "
	expect 0 specs $kind; out_has "$kind: "; out_has "methods:"; err_empty
done
expect 0 specs queue; out_has "enqueue(a)"; out_has "also: enq "; out_has "a value, or empty"; out_has bounded
expect 0 specs Priority-Queue; out_has "priority_queue: "
expect 0 specs --json; json_has '"kind":"semaphore"'
expect 0 specs map --json; json_has '"names":["put",'; out_lacks '"kind":"queue"'
expect 2 specs frob; says "there is no specification 'frob'"; alone
expect 2 specs frob --json; json_has '"verdict":"error"'
expect 2 specs queue stack; says "only one kind"; alone
expect 2 specs --model sc; says "not supported by 'linchpin specs'"; alone
finish
