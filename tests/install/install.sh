#!/usr/bin/env bash
# install.sh BUILD CMAKE -- an installed linchpin: the tool, CMake, pkg-config, manual pages and
# completion, as a user finds them.
. "$(cd "$(dirname "$0")" && pwd)/lib.sh"
usr=$folder/usr
status 0 "$cmake" --install "$build" --prefix "$usr"
linchpin=$usr/bin/linchpin

# It uses the installed headers, and none of a source tree.
echo '#define LP_MARK' >>"$usr/include/linchpin.h"
cd project || exit 1
status 0 "$linchpin" check harness.c --ops 3 -- -Ilib -DMARKED counter.c
grep -q "^verified: 'harness.c'" out || fail "no verdict"
status 1 "$linchpin" check harness.c -- -Ilib -DBUG counter.c
(cd / && status 0 "$linchpin" check "$folder/project/harness.c" --ops 2 -- "-I$folder/project/lib" "$folder/project/counter.c")
ln -s "$linchpin" "$folder/link" # as package managers do
status 0 "$folder/link" check harness.c --ops 2 -- -Ilib -DMARKED counter.c

# The manual is installed: the files that it links to, and those that it checks.
doc=$usr/share/doc/linchpin
for target in $(grep -oE '\]\([^):#]+' "$doc/README.md" | cut -c3-); do
	[ -e "$doc/$target" ] || fail "README.md links to '$target', which was not installed"
done
status 1 "$linchpin" check "$doc/examples/bug_arraystack.c"

# CMake.
cat >CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(linchpin 0.1 REQUIRED)
enable_testing()
add_library(counter STATIC counter.c)
target_include_directories(counter PUBLIC lib)
target_compile_definitions(counter PUBLIC MARKED "TEXT=a b")
add_library(harness OBJECT harness.c) # linchpin's headers, for editors and the like
target_link_libraries(harness PRIVATE counter linchpin::headers)
linchpin_add_check(NAME right SOURCES harness.c counter.c SPEC counter OPS 3 TARGET counter)
linchpin_add_check(NAME plain SOURCES harness.c counter.c OPS 2 MODEL sc PROP sequential
                   INCLUDES lib DEFINITIONS MARKED OPTIONS --quiet)
linchpin_add_check(NAME wrong SOURCES harness.c counter.c TARGET counter FLAGS -DBUG EXPECT violation)
# These tests must fail.
linchpin_add_check(NAME not-right SOURCES harness.c counter.c TARGET counter DEFINITIONS BUG)
linchpin_add_check(NAME not-wrong SOURCES harness.c counter.c TARGET counter OPS 2 EXPECT violation)
linchpin_add_check(NAME not-compiled SOURCES broken.c EXPECT violation)
linchpin_add_check(NAME not-in-time SOURCES harness.c counter.c TARGET counter OPTIONS --executions 1)
linchpin_add_check(NAME not-a-queue SOURCES harness.c counter.c TARGET counter SPEC queue)
C
status 0 "$cmake" -S . -B build -DCMAKE_PREFIX_PATH="$usr"
status 0 "$cmake" --build build
(cd build && timeout 300 "$(dirname "$cmake")/ctest" >../out 2>&1)
sed -nE 's/^.*Test +#[0-9]+: ([a-z-]+) \.+[ *]*(Passed|Failed).*/\1 \2/p' out >results
printf '%s Passed\n' right plain wrong >want
printf '%s Failed\n' not-right not-wrong not-compiled not-in-time not-a-queue >>want
diff want results || fail "the tests of a CMake project"
# The last message of a test: why it failed.
why() {
	sed -n "/^[0-9/]* Test: $1\$/,/^Test Pass\|^Test Fail/p" build/Testing/Temporary/LastTest.log >out
	grep -q -- "$2" out || fail "$1 did not fail for its reason: $2"
}
why not-right "^violation: not linearizable"
why not-wrong "^verified: "
why not-compiled "not_declared"
why not-in-time "^inconclusive: "
why not-a-queue "'queue' has no method 'increment'"
mkdir refused
touch refused/x.c
for wrong in "NAME x" "SOURCES x.c" "NAME x SOURCES y.c" "FROB NAME x SOURCES x.c" "NAME x SOURCES x.c EXPECT luck"; do
	printf 'cmake_minimum_required(VERSION 3.20)\nproject(user NONE)\nfind_package(linchpin REQUIRED)\nlinchpin_add_check(%s)\n' \
		"$wrong" >refused/CMakeLists.txt
	status 1 "$cmake" -S refused -B refused/build -DCMAKE_PREFIX_PATH="$usr"
	grep -q "linchpin_add_check: " out || fail "no reason for refusing $wrong"
done

# A Makefile that uses pkg-config, wherever linchpin was installed.
if command -v pkg-config >/dev/null; then
	cat >Makefile <<'M'
CFLAGS := -Ilib $(shell pkg-config --cflags linchpin)
check: harness.o
	$(shell pkg-config --variable=linchpin linchpin) check harness.c --ops 2 -- -Ilib -DMARKED counter.c
M
	PKG_CONFIG_PATH=$(dirname "$(find "$usr" -name linchpin.pc)")
	export PKG_CONFIG_PATH
	status 0 make CPPFLAGS=-DMARKED
	grep -q "^verified" out || fail "no verdict through make"
	[ "$(pkg-config --variable=linchpin linchpin | xargs realpath)" = "$linchpin" ] || fail "another linchpin"
	[ "$(realpath "$(pkg-config --variable=includedir linchpin-monitor)")" = "$usr/include" ] ||
		fail "the monitor's prefix"
fi

# Manual pages: one per command, with every option, and without warnings from troff.
man=$usr/share/man/man1
for command in $("$linchpin" --help | sed -n 's/^  linchpin \([a-z]\{1,\}\) .*/\1/p'); do
	page=$man/linchpin-$command.1
	[ -s "$page" ] || fail "no page for $command"
	grep -q "linchpin.-$command" "$man/linchpin.1" || fail "linchpin(1) does not mention $command"
	for option in $("$linchpin" "$command" --help | grep -oE '^  (-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
		# A sed expression that removes the escapes for troff.
		sed 's/\\-/-/g' "$page" | grep -qE -- "^(.fB-[a-z].fR, )?.fB$option.fR" || fail "linchpin-$command(1) lacks $option"
	done
done
if command -v groff >/dev/null; then
	for page in "$man"/*.1; do
		groff -man -ww -Tutf8 -P-cbu "$page" >text 2>out
		[ ! -s out ] || fail "$page"
		grep -q "NAME" text && grep -q "STATUS" text || fail "$page is not rendered"
	done
fi
status 2 "$linchpin" --manual frobnicate
status 2 "$linchpin" --completion frobnicate

# Completion: complete WORD... prints the completions of the last word.
script=$usr/share/bash-completion/completions/linchpin
cat >complete <<'B'
source "$1"; shift
COMP_WORDS=(linchpin "$@"); COMP_CWORD=$#
_linchpin
printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
B
completes() {
	local want=$1 got
	shift
	got=$(bash complete "$script" "$@")
	[ "$got" = "$want" ] || fail "'$*' is completed with '$got' instead of '$want'"
}
touch 'a file.c'
# Every command and every option, in both shells.
for command in $("$linchpin" --help | sed -n 's/^  linchpin \([a-z]\{1,\}\) .*/\1/p'); do
	completes "$command " "$command"
	offered=" $(bash complete "$script" "$command" --)"
	for option in $("$linchpin" "$command" --help | grep -oE '^  (-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
		[[ $offered == *" $option "* ]] || fail "'$command $option' is not completed"
		sed -n "/^[[:space:]]*$command)/,/;;/p" "$usr/share/zsh/site-functions/_linchpin" | grep -q -- "$option" ||
			fail "zsh's completion lacks '$command $option'"
	done
done
completes "check " ch
completes "--model " check --mod
completes "ra rc11 " check --model r
completes "ra rc11 sc tso " check --model =
completes "sc " run x.c --model = s
completes "priority_queue " history --spec pri
completes "sequential " check --prop seq
completes "lock-free " states --prop lo
completes "semaphore set " specs se
completes "a file.c " check a
completes "a file.c " check --trace a
completes "counter.c " check harness.c -- cou
completes " " check --time ""
completes " " history --mod
if command -v zsh >/dev/null; then
	zsh -n "$usr/share/zsh/site-functions/_linchpin" || fail "zsh's completion"
fi
finish
