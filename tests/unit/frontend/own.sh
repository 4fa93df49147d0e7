#!/usr/bin/env bash
# own.sh CLANG LINCHPIN-FE ROOT -- the clang inside linchpin-fe does the same as the clang executable.
#
# Both translate the same sources with the same flags, and give the same bitcode, messages and success.
# The object that linchpin-fe makes from a source equals the one that it makes from the executable's bitcode.
clang=$1 fe=$2 root=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
flags="-g -Wno-unused-command-line-argument -I $root/include -include linchpin/builtins.h"
fixed="-O1 -Xclang -disable-llvm-passes -emit-llvm -c -fPIC -fno-builtin -fno-lto -fno-sanitize=all"
count=0 failures=0

fail() { failures=$((failures + 1)); echo "FAIL: $*"; }

# translated SOURCE FLAG...
translated() {
	local source=$1 compiler=$clang one two
	shift
	count=$((count + 1))
	case $source in *.cc) compiler=${clang/clang/clang++} ;; esac
	"$compiler" $flags "$@" $fixed -o one.bc "$source" >one.out 2>&1
	one=$?
	"$fe" --clang "$compiler" $flags "$@" $fixed -o two.bc "$source" >two.out 2>&1
	two=$?
	[ $one = $two ] || fail "$source $*: status $one, ours $two"
	diff one.out two.out || fail "$source $*: messages"
	[ -e one.bc ] && [ -e two.bc ] || [ $one != 0 ] || fail "$source $*: no bitcode"
	[ ! -e two.bc ] || [ $two = 0 ] || fail "$source $*: bitcode in spite of errors"
	[ $one != 0 ] || cmp one.bc two.bc || fail "$source $*: bitcode"
	rm -f one.bc two.bc
}

# instrumented SOURCE: the object is the same without a bitcode file in between
instrumented() {
	local words=("$clang" $flags $fixed -o - "$1") level
	case $1 in *.cc) words[0]=${clang/clang/clang++} ;; esac
	"${words[@]}" >one.bc 2>/dev/null || fail "$1 does not compile"
	for level in 0 1 2 3; do
		count=$((count + 1))
		"$fe" -O $level --report one.report -o one.o one.bc || fail "$1: bitcode at -O$level"
		"$fe" -O $level --report two.report -o two.o --source ${#words[@]} "${words[@]}" || fail "$1 at -O$level"
		cmp one.o two.o && cmp one.report two.report || fail "$1: other object at -O$level"
	done
	rm -f one.* two.*
}

cat >good.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include "x.h"
static _Thread_local int local;
static atomic_int x[2];
struct pair { int a; short b : 3; };
int X_NAME(struct pair p, int n) { for (int i = 0; i < n; i++) local += p.a * p.b; return local + atomic_load(&x[n & 1]); }
int main(int argc, char **argv) { (void)argv; return X_NAME((struct pair){ argc, 1 }, argc); }
C
mkdir one
echo '#define X_NAME f' >x.h
echo '#define X_NAME g' >one/x.h
cat >good.cc <<'C'
#include <atomic>
#include <string>
#include <vector>
struct base { virtual ~base() = default; virtual int f() { return 1; } };
struct derived : base { int f() override { return n++; } std::atomic<int> n; };
int main() { std::vector<std::string> v(3, "a"); derived d; base &b = d; try { return b.f() + (int)v.at(2).size(); } catch (...) { return 1; } }
C
cat >warned.c <<'C'
#warning careful
int f(int x) { int unused; if (x = 1) return 2; }
C
printf '#include <none.h>\nint main(void) { return X; }\n' >missing.c
printf 'int main(void) { return 0 }\n%s' "$(printf 'int x%d = y;\n' {1..30})" >errors.c
printf 'int main() { auto x = []<class T>(T t) { return t.none; }; return x(1); }\n' >template.cc
printf 'int x = 1;\n' >text
: >empty.c

translated good.c
translated good.c -Ione -std=c11 -DN=1 -UN -Wall -Wextra
translated good.c -I one -isystem one -include x.h -iquote one -pedantic -std=c99
translated good.c -ffast-math -fwrapv -fno-strict-aliasing -fshort-enums -funsigned-char -g3 -fvisibility=hidden
translated good.c -nostdinc
translated good.c -std=none
translated good.c -march=x86-64-none
translated good.c -Wnone -Werror
translated good.c -Xclang -v -MD -MT x -MF list
translated good.c -fcolor-diagnostics
translated good.cc
translated good.cc -std=c++20 -D_GLIBCXX_ASSERTIONS -D_GLIBCXX_TSAN=1 -fno-exceptions
translated good.cc -fno-rtti -nostdinc++
for source in warned.c missing.c errors.c template.cc empty.c none.c; do translated $source; done
translated warned.c -Werror -fcolor-diagnostics
translated warned.c -w
for source in "$root"/examples/{bug_hwqueue,msqueue}.c; do translated "$source"; done
instrumented good.c
instrumented good.cc
instrumented "$root/examples/hwqueue.c"
instrumented "$root/tests/programs/bug/order_invalid_variable.c" # we give names, and clang does

# Command lines that do not translate exactly one file are refused.
"$fe" --clang "$clang" -fsyntax-only -save-temps -c -o two.bc good.c text 2>/dev/null && fail "several files are translated"
"$fe" -o two.o --source 99 "$clang" good.c 2>/dev/null
[ $? = 2 ] || fail "missing words are not noticed"
echo "$count comparisons, $failures failures"
[ $count -gt 30 ] && [ $failures = 0 ]
