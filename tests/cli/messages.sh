#!/usr/bin/env bash
# messages.sh LINCHPIN -- common mistakes get helpful messages.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
examples=$here/../../examples

hints() { grep '^hint: ' .err | grep -qF -- "$1" || fail "no hint says: $1"; }

cat >register.c <<'C'
#include <linchpin.h>
int other(int);
LP_SPEC("register")
LP_METHOD(read) { return other(0); }
C
echo 'int other(int x) { return x; }' >other.c
cat >racy.c <<'C'
#include <pthread.h>
int x;
void *add(void *p) { x++; return p; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, add, 0);
	x++;
	pthread_join(t, 0);
	return 0;
}
C

# Compiler flags before --.
for flag in -DFOO -O2 -I. -pthread -std=c11 -fno-common -march=native -Wall -g -lm -isystem; do
	for command in check run orders mutants states; do
		expect 2 $command racy.c $flag; says "unknown option '$flag'"; alone
		hints "compiler flags go after \`--\`: linchpin $command ... -- $flag"
	done
done
expect 2 history x -DFOO; says "unknown option '-DFOO'"
! grep -q "compiler" .err || fail "nothing is compiled here"

# Other sources before --.
expect 2 check register.c other.c; err_has "'other' is not defined"; hints "other sources go after \`--\`"
expect 0 check register.c --ops 2 -q -- other.c
expect 2 run racy.c other.c; says "only one program"; hints "linchpin run racy.c -- other.c"
expect 2 states register.c other.c; says "only one object"; hints "linchpin states register.c -- other.c"

# A harness given to `run`, and a program given to `check`.
expect 2 run register.c -- other.c; says "has no function main()"; hints "it has a harness: linchpin check register.c"
expect 2 check racy.c; says "has no harness"; hints "it has main(): linchpin run racy.c"
expect 2 states racy.c; says "has no harness"; hints "it has main(): linchpin run racy.c"
expect 2 run other.c; says "has no function main()"; alone
! grep -q "harness" .err || fail "it has none"

# Misspelt words.
expect 2 chek racy.c; hints "did you mean 'check'?"
expect 2 run racy.c --modle sc; hints "did you mean '--model'?"
expect 2 run racy.c -model sc; hints "did you mean '--model'?"
expect 2 run racy.c --modle=sc; hints "did you mean '--model'?"
expect 2 run racy.c --model rc12; hints "did you mean 'rc11'?"
expect 2 check register.c --prop linearisable; hints "did you mean 'linearizable'?"
expect 2 run racy.c --frobnicate; hints "lists the options"
expect 2 check register.c --spec registre -- other.c; says "there is no specification 'registre'"
hints "did you mean 'register'? 'linchpin specs' lists the kinds"
expect 2 specs quue; hints "did you mean 'queue'?"
expect 2 history other.c --spec quue; hints "did you mean 'queue'?"

# wrong PLACE TEXT HINT: a harness gets this message and hint.
wrong() {
	printf '#include <linchpin.h>\n%s\n' "$2" >wrong.c
	expect 2 check wrong.c; says "$1"; alone
	[ -z "${3:-}" ] || hints "$3"
}
enqueue='LP_METHOD(enqueue, v) { (void)v; return LP_VOID; }'
wrong "wrong.c:3: there is no specification 'quue'" "
LP_SPEC(\"quue\") $enqueue" "did you mean 'queue'?"
wrong "wrong.c:2: queue has no parameter 'bonded'" "LP_SPEC(\"queue:bonded=1\") $enqueue" "did you mean 'bounded'?"
wrong "wrong.c:3: the specification 'queue' has no method 'enqueu'" 'LP_SPEC("queue")
LP_METHOD(enqueu, v) { (void)v; return LP_VOID; }' "did you mean 'enqueue'?"
wrong "wrong.c:3: enqueue has 4 arguments: a method has 3 at most" 'LP_SPEC("queue")
LP_METHOD(enqueue, a, b, c, d) { (void)a; (void)b; (void)c; (void)d; return LP_VOID; }'
wrong "wrong.c:3: enqueue has 6 arguments" 'LP_SPEC("queue")
LP_METHOD(enqueue, a, b, c, d, e, f) { return a + b + c + d + e + f; }'
wrong "wrong.c:4: a second specification; the first one is at wrong.c:2" "LP_SPEC(\"queue\")
$enqueue
LP_SPEC(\"stack\")"
expect 0 check wrong.c --spec queue --ops 2 -q # which of them it is is said
printf '\nLP_SPEC("quue")\n' >spec.h
printf '#include <linchpin.h>\n#include "spec.h"\n%s\n' "$enqueue" >wrong.c
expect 2 check wrong.c; says "spec.h:2: there is no specification 'quue'"

# A method without a return statement; functions before it may have one.
for name in forgets.c forgets.cc; do
	cat >$name <<'C'
#include <linchpin.h>
static inline int legacy(int x) { if (x) return x; }
LP_SPEC("queue")
LP_METHOD(enqueue, v) { (void)v; }
C
	expect 2 check $name; err_has "$name:4:34: error: non-void function does not return a value"
	[ "$(grep -c 'error: ' .err)" = 1 ] || fail "more than one error"
done

# Files that cannot be written are reported before the exploration.
for option in --html --trace --emit-test; do
	expect 2 check "$examples/bug_treiber.c" $option /nonexistent/file; alone
	says "cannot write '/nonexistent/file': No such file or directory"
	expect 2 check "$examples/bug_treiber.c" $option .; says "cannot write '.': it is a directory"; alone
done
expect 2 run racy.c --html /nonexistent/file; says "cannot write"; alone
expect 2 states "$examples/bug_treiber.c" --html /nonexistent/file; says "cannot write"; alone
expect 2 report missing -o /nonexistent/file; says "cannot write"; alone
# An existing file keeps its contents, and no file is created, unless there is something to write.
echo kept >kept
expect 0 check "$examples/treiber.c" --ops 1 -q --trace kept --emit-test absent.c
[ "$(cat kept)" = kept ] || fail "the file was overwritten"
[ ! -e absent.c ] || fail "an empty file was left"

# An uncaught exception: its type, and the user's line.
uncaught() {
	cat >thrown.cc
	expect 1 run thrown.cc; out_has "violation: assertion at thrown.cc:$1"
	out_has "an exception of type $2 is not caught"
}
uncaught 3 std::out_of_range <<'C'
#include <vector>
std::vector<int> v;
static int get(unsigned long i) { return v.at(i); }
int main() { return get(3); }
C
uncaught 4 int <<'C'
static void thrower() { throw 42; }
static void quiet() noexcept
{
	thrower();
}
int main() { quiet(); }
C
uncaught 5 std::out_of_range <<'C'
#include <map>
#include <string>
#include <thread>
static std::map<std::string, int> m;
static void work() { m.at("x"); }
int main() { std::thread t(work); t.join(); }
C
cat >explicit.cc <<'C'
#include <exception>
int main() { try { throw 1; } catch (int) { std::terminate(); } }
C
expect 1 run explicit.cc; out_has "assertion at explicit.cc:2"; out_lacks "is not caught"

# A race that may be intended.
expect 1 run racy.c; out_has "hint: if the race is intended: \`--model sc --races ignore\`"
expect 1 run racy.c --model sc; out_has "hint: if the race is intended: \`--races ignore\`"
expect 0 run racy.c --model sc --races ignore
expect 1 check "$examples/bug_twolock.c"; out_has "--races ignore"

# Completion offers the words that the command accepts.
"$linchpin" --completion bash >completion
# words COMMAND OPTION: prints what completion offers after these
words() {
	bash -c '. ./completion; COMP_WORDS=(linchpin "$1" "$2" ""); COMP_CWORD=3; _linchpin; echo "${COMPREPLY[*]}"' - "$1" "$2"
}
command_line="--completion bash"
[ "$(words check --prop)" = "linearizable sequential quiescent serializable quasi:" ] || fail "check: $(words check --prop)"
case $(words states --prop) in *lock-free*) ;; *) fail "states: $(words states --prop)" ;; esac
case $(words states --prop) in *causal*) fail "states offers what history has" ;; esac
case $(words history --prop) in *causal*) ;; *) fail "history: $(words history --prop)" ;; esac
[ "$(words run --model)" = "sc tso ra rc11" ] || fail "run: $(words run --model)"
case $(words check --spec) in *queue*) ;; *) fail "check --spec: $(words check --spec)" ;; esac
# The set-up of an object that is called forever has a memory error.
wrong_set_up() { expect 2 states "$here/../states/setup_free.c" -- -DWRONG="$1"; says "the set-up goes wrong at setup_free.c:$2: $3"; alone; }
wrong_set_up 1 38 "double free: the memory was already freed"
wrong_set_up 2 40 "invalid free: free of an address that malloc did not return"
wrong_set_up 3 38 "double free: "
wrong_set_up 4 42 "use after free: write of 8 bytes"
wrong_set_up 5 28 "out of bounds: write of 8 bytes outside of any block"
# Threads that call forever are not told apart.
cat >numbered.c <<'EOF'
#include <linchpin.h>
#include <stdatomic.h>
static atomic_int by[8];
LP_SPEC("counter")
LP_METHOD(increment) { by[lp_thread()] = 1; return LP_VOID; }
EOF
expect 3 states numbered.c
out_has "something that depends on which thread calls: threads have no names here at numbered.c:5 (T1)"
# What a formula says about calls that nobody makes says nothing.
expect 0 states "$here/../states/held.c" --ltl 'absence(return(lock, t1) = 7)'; out_has "never true   return(lock, t1) = 7"
expect 0 states "$here/../states/held.c" --ltl 'absence(return(lock, t1) && in(lock, t1))'; out_lacks "never true"
finish
