#!/bin/sh
# Reports on results that are exceptions, and on specifications that are classes; `states`, too.
# usage: reports.sh LINCHPIN
cd "$(dirname "$0")" || exit
out=$("$1" check stack.cpp --ops 3 -- -DTHROWS_OTHER)
says() {
	printf '%s\n' "$out" | grep -qF -- "$1" || { printf 'missing: %s\nin: %s\n' "$1" "$out"; exit 1; }
}
says 'pop() -> throws std::range_error'
says 'then pop() would throw std::out_of_range, not throws std::range_error'
out=$("$1" check ../../examples/bug_idpool.cpp)
says 'closest: {0, 1} -> take() = 0 -> {1}; then take() would return 1, not 0'
out=$("$1" states flag.cpp)
says 'verified: '
out=$("$1" states flag.cpp -- -DTEST_FIRST)
says 'violation: not linearizable'
# `states` cannot compare a thread while its stack is unwound, and names the place where the exception is thrown.
out=$("$1" states ../../examples/idpool.cpp)
says 'inconclusive: linchpin states, unlike linchpin check, does not follow exceptions: one is thrown at idpool.cpp:32 (T1)'
# Accesses in system headers are not the object's.
out=$("$1" mutants flag.cpp --ops 2)
says 'flag.cpp:'
case $out in *.hpp*) printf 'a mutant of a header: %s\n' "$out"; exit 1 ;; esac
