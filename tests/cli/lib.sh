# lib.sh -- for the scripts of this folder: runs linchpin and checks the results.
#
# A script is given the path of the binary, and sources this file.  expect runs a
# command line in an empty folder; the other functions check its output and files.
set -u
linchpin=$(realpath "$1")
[ -x "$linchpin" ] || { echo "no such program: $1"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
unset GITHUB_ACTIONS GITHUB_WORKSPACE # where they are set, there is more to print

fail() {
	echo "FAIL: linchpin $command_line"
	echo "  $1"
	sed 's/^/  out: /' "$folder/.out" | head -n 20
	sed 's/^/  err: /' "$folder/.err" | head -n 20
	failures=$((failures + 1))
}

# expect STATUS ARGUMENT...     with $input as its standard input, if that is set
expect() {
	local want=$1 got
	shift
	command_line="$*"
	timeout "${limit:-60}" ${as:-} "$linchpin" "$@" >.out 2>.err <"${input:-/dev/null}"
	got=$?
	[ "$got" = "$want" ] || fail "exit status $got instead of $want"
	! grep -q "did not happen again" .out || fail "a violation that cannot be replayed"
}

# Standard error has exactly one line from linchpin, and it contains the text.
says() {
	[ "$(grep -c '^linchpin: ' .err)" = 1 ] || fail "not exactly one message line"
	grep '^linchpin: ' .err | grep -qF -- "$1" || fail "the message does not say: $1"
}

# Standard error has only linchpin's message (and hints), and standard output is empty.
alone() {
	[ "$(grep -vc -e '^linchpin: ' -e '^hint: ' .err)" = 0 ] || fail "more than a message"
	[ ! -s .out ] || fail "something on standard output"
}

out_has() { grep -qF -- "$1" .out || fail "standard output lacks: $1"; }
out_lacks() { ! grep -qF -- "$1" .out || fail "standard output has: $1"; }
err_has() { grep -qF -- "$1" .err || fail "standard error lacks: $1"; }
err_empty() { [ ! -s .err ] || fail "something on standard error"; }

# Standard output is one JSON object on one line, which contains the given text.  It is well-formed
# according to the JSON readers that are installed.
json_has() {
	[ "$(wc -l <.out)" = 1 ] || fail "not one line of JSON"
	if command -v python3 >/dev/null; then
		python3 -c 'import json,sys; json.load(sys.stdin)' <.out 2>/dev/null || fail "not JSON"
	fi
	out_has "$1"
}

finish() {
	[ "$failures" = 0 ] && echo ok
	exit "$((failures != 0))"
}
