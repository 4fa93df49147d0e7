#!/usr/bin/env bash
# cc.sh LINCHPIN -- `linchpin cc`: builds that know nothing of linchpin, and checks of the files
# that they produce.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
export PATH="$(dirname "$linchpin"):$PATH"

# A library of three files, a harness and a program; with -DBUG an increment is lost.
mkdir project
cat >project/counter.h <<'C'
#ifndef COUNTER_H
#define COUNTER_H
#include <stdatomic.h>
#ifdef __cplusplus
extern "C" {
#endif
struct counter { atomic_int n; };
void counter_increment(struct counter *);
int counter_read(struct counter *);
int bump(atomic_int *);
#ifdef __cplusplus
}
#endif
#endif
C
cat >project/counter.c <<'C'
#include "counter.h"
static int helper(struct counter *c) { return atomic_load(&c->n); }
void counter_increment(struct counter *c) { bump(&c->n); }
int counter_read(struct counter *c) { return helper(c); }
C
cat >project/bump.c <<'C'
#include "counter.h"
static int helper(atomic_int *n) { return atomic_load(n); }
#ifdef BUG
int bump(atomic_int *n) { atomic_store(n, helper(n) + 1); return 0; }
#else
int bump(atomic_int *n) { (void)helper; return atomic_fetch_add(n, 1); }
#endif
C
cat >project/other.c <<'C'
int other(int *p) { return ++*p; }
C
cat >project/harness.c <<'C'
#include <linchpin.h>
#include "counter.h"
static struct counter c;
LP_SPEC("counter")
LP_METHOD(increment) { counter_increment(&c); return LP_VOID; }
LP_METHOD(read) { return counter_read(&c); }
C
cat >project/main.c <<'C'
#include "counter.h"
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
static struct counter c;
static void *half(void *unused) { counter_increment(&c); return unused; }
int main(int argc, char **argv)
{
	pthread_t t;
	(void)argv;
	pthread_create(&t, NULL, half, NULL);
	counter_increment(&c);
	pthread_join(t, NULL);
	assert(counter_read(&c) == 2);
	printf("%g\n", sqrt(argc));
	return 0;
}
C
cat >project/Makefile <<'M'
CFLAGS = -O2 -Wall -Werror
program: main.o libcounter.a
	$(CC) $(CFLAGS) -o $@ main.o -L. -lcounter -lm -lpthread
libcounter.a: counter.o bump.o other.o
	$(AR) rcs $@ $^
%.o: %.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -c -o $@ $<
M

# make: the program runs as before, and can be checked with its library or by itself.
build() { rm -f ./*.o ./*.a program; make CC="linchpin cc" "$@" >make.log 2>&1 || { cat make.log; fail "make $*"; }; }
outside=$folder
cd project && folder=$PWD || exit 1
build
[ "$(./program)" = 1 ] || fail "the program does not run"
grep -q 'counter.h' bump.d || fail "no dependencies were written"
[ -z "$(find . -name 'linchpin-*')" ] || fail "something was left behind"
expect 0 run program; out_has "verified: no errors in any execution of 'program'"; out_lacks warning
expect 0 check harness.c -- libcounter.a; out_lacks warning
expect 0 check harness.c -q -- -L. -lcounter
expect 0 check harness.c -q -- counter.o bump.o
build CPPFLAGS=-DBUG
expect 1 run program --trace found.trace; out_has "violation: assertion at main.c:15"; out_has "bump.c:4"
expect 1 replay found.trace; out_has "violation: assertion at main.c:15"; err_empty
expect 1 replay found.trace --steps; out_has "bump.c:4: int bump(atomic_int *n)"
expect 1 check harness.c -- libcounter.a; out_has "violation: not linearizable"; out_has "bump.c:4"
build
expect 3 replay found.trace; err_has "has changed since"

# The harness is built with the rest, as an object, an archive or a shared object.
linchpin cc -O2 -fPIC -c harness.c counter.c bump.c || fail "cc -c of three files"
expect 0 check harness.o -q -- counter.o bump.o
linchpin cc -shared -o object.so harness.o counter.o bump.o || fail "cc -shared"
expect 0 check object.so; out_has "'object.so' is a linearizable counter"; out_lacks warning
ar rcs all.a harness.o counter.o bump.o
expect 0 check all.a -q
rm -f thin.a; ar rcsT thin.a counter.o bump.o 2>/dev/null || ar rcT thin.a counter.o bump.o
expect 0 check harness.c -q -- thin.a
expect 0 check object.so --model sc --ops 3 -q
ld -r -o together.o harness.o counter.o bump.o
expect 0 check together.o -q

# Parts that linchpin cc has not compiled are named.  If they are used, nothing is run; otherwise the verdict is inconclusive.
gcc -fPIC -c bump.c -o plain.o
gcc -fPIC -c other.c -o plain_other.o
expect 2 check plain.o; says "'plain.o' was not compiled by \`linchpin cc\`"; err_has "hint: "
expect 2 check harness.c -- counter.o plain.o; says "'plain.o' was not compiled"
rm -f mixed.a; ar rcs mixed.a counter.o plain.o plain_other.o
expect 2 check harness.c -- mixed.a; says "'mixed.a(plain.o)' was not compiled"
rm -f mixed.a; ar rcs mixed.a counter.o bump.o plain_other.o
expect 0 check harness.c -q -- mixed.a # no other file needs that member: it is not linked
gcc -shared -o mixed.so harness.o counter.o plain.o
expect 2 check mixed.so; says "'mixed.so' was not compiled"; says "'bump', which is used"
gcc -shared -o mixed.so harness.o counter.o bump.o plain_other.o
expect 3 check mixed.so; out_has "warning: 'mixed.so' has parts that were not compiled by \`linchpin cc\`"; out_has "'other'"
# ... even if other files define all names of such a part.
printf 'static int helper(int *p) { return ++*p; }\nstatic int (*volatile used)(int *) = helper;\n' >again.c
gcc -fPIC -O2 -c again.c -o plain_again.o
linchpin cc -fPIC -O0 -c counter.c bump.c
gcc -shared -o mixed.so harness.o counter.o bump.o plain_again.o
expect 3 check mixed.so; out_has "'helper'"
gcc -shared -s -o stripped.so harness.o counter.o bump.o
expect 3 check stripped.so; out_has "it was stripped"
gcc -o foreign main.c counter.c bump.c -lm -lpthread
expect 2 run foreign; says "'foreign' was not compiled"
cp object.so damaged.so
at=$(grep -abo linchpin damaged.so | grep -m1 -o '^[0-9]*')
printf 'X' | dd of=damaged.so bs=1 seek="$at" conv=notrunc 2>/dev/null
expect 2 check damaged.so; says "damaged"

# Inline assembly is recorded.
printf '#include "counter.h"\nint bump(atomic_int *n) { __asm__ volatile("fnop" : "+m"(*n)); return 0; }\n' >asm.c
linchpin cc -c asm.c
expect 3 check harness.c --client 'increment()' -- counter.o asm.o; out_has "asm.c:2"

# A shared library that the build made is part of the program; a system library is not.
mkdir lib
linchpin cc -shared -fPIC -DBUG -o lib/libcounter.so counter.c bump.c || fail "cc of sources into a library"
linchpin cc main.c -o with_library -Llib -lcounter -Wl,-rpath,'$ORIGIN/lib' -lm || fail "cc with a library"
./with_library >/dev/null || fail "it does not run"
expect 1 run with_library; out_has "bump.c:4"; out_lacks "warning: calls"

# linchpin cc behaves like a compiler in other respects.
printf -- '-O2 -DNAME="a b" "-DOTHER=\\"x y\\"" -c words.c -o words.o' >arguments
echo 'const char *a = OTHER; int main(void) { return 0; }' >words.c
linchpin cc @arguments || fail "an @file"
expect 2 check words.o; says "has no harness"
[ "$(linchpin cc -E words.c -DOTHER=7 | tail -n 1)" = 'const char *a = 7; int main(void) { return 0; }' ] || fail "cc -E"
linchpin cc -S other.c -o - | grep -q 'other:' || fail "cc -S"
linchpin cc -MM harness.c | grep -q '^harness.o:.* counter.h' || fail "cc -MM"
[ "$(linchpin cc --version)" = "$(gcc --version)" ] || fail "cc --version"
linchpin cc -c missing.c 2>log && fail "a file that is not there"; grep -q missing.c log || fail "the compiler's words"
linchpin cc -fsyntax-only words.c -DOTHER=0 || fail "cc -fsyntax-only"
echo 'int broken(' >broken.c; linchpin cc -c broken.c 2>log; [ $? = 1 ] || fail "the compiler's status"
linchpin cc -Wall -c other.c 2>log; [ ! -s log ] || fail "it says something"
linchpin cc -MD -o other_program main.c counter.c bump.c -lm && ./other_program >/dev/null || fail "cc of sources into a program"
expect 0 run other_program -q
expect 2 cc --cc; says "'--cc' takes an argument"
expect 2 cc --cc no-such-compiler -c other.c; says "no-such-compiler"
LINCHPIN_CC=no-such-compiler linchpin cc -c other.c 2>log && fail "LINCHPIN_CC"
expect 0 cc --help; out_has "usage: linchpin cc"
linchpin cc -x c -c other.c -o other.o || fail "cc -x"
# A file that cannot be compiled for linchpin is reported, and the build continues.
printf '#if __PIC__\n#error not twice\n#endif\nint x;\n' >once.c
linchpin cc -fno-pic -c once.c 2>log || fail "the build fails"
grep -q "^linchpin cc: 'once.c' will not be seen by linchpin" log || fail "it is not said"
expect 2 check once.o; says "'once.o' was not compiled by"
if command -v clang >/dev/null; then
	linchpin cc --cc clang -O2 -fPIC -c harness.c counter.c bump.c || fail "clang"
	expect 0 check harness.o -q -- counter.o bump.o
	LINCHPIN_CC=clang linchpin-cc -O2 -DBUG -c bump.c && linchpin check harness.o -q -- counter.o bump.o >.out
	[ $? = 1 ] || fail "clang, with an error"
fi
cd .. && folder=$outside

# C++ and C in one program: exceptions across files and variables of the library, a thread_local variable,
# an object that is destroyed after main(), an archive with a member that is not needed.
if command -v g++ >/dev/null; then
	mkdir mixed
	cat >mixed/cell.hpp <<'C'
#include <atomic>
#include <stdexcept>
#include <string>
struct cell { std::atomic<int> full{0}; int value = 0; void put(int v); int get(); ~cell(); };
extern "C" int next(int);
extern thread_local int puts_;
C
	cat >mixed/cell.cpp <<'C'
#include "cell.hpp"
thread_local int puts_ = next(0);
void cell::put(int v) { puts_++; value = v; full.store(1, std::memory_order_release); }
int cell::get()
{
	if (!full.load(std::memory_order_acquire))
		throw std::out_of_range("empty " + std::to_string(next(2)));
	return value;
}
cell::~cell() { value = 0; }
C
	echo 'int next(int n) { return n + 1; }' >mixed/next.c
	printf '#include <iostream>\nvoid never() { std::cout << "never"; }\n' >mixed/unused.cpp
	cat >mixed/main.cpp <<'C'
#include "cell.hpp"
#include <cassert>
#include <iostream>
#include <thread>
static cell c;
int main()
{
	std::thread t([] { c.put(5); });
	try {
		assert(c.get() == 5);
	} catch (const std::exception &e) {
		assert(std::string(e.what()) == "empty 3");
	}
#ifndef BUG
	t.join();
#else
	t.detach();
#endif
	assert(puts_ == 1);
	std::cout << "done" << std::endl;
}
C
	cat >mixed/Makefile <<'C'
program: main.o libcell.a
	$(CXX) -o $@ main.o -L. -lcell -pthread
libcell.a: cell.o next.o unused.o
	$(AR) rcs $@ $^
clean:
	rm -f *.o *.a program
C
	mixed() { make -s -C mixed clean && make -s -C mixed "$@" program >log 2>&1 || { cat log; fail "make $*"; }; }
	mixed CC="linchpin cc" CXX="linchpin cc --cc g++"
	[ "$(mixed/program)" = done ] || fail "the program itself"
	expect 0 run mixed/program; out_lacks warning; out_has "2 complete"
	expect 0 run mixed/main.cpp -q -- mixed/libcell.a
	mixed CC="linchpin cc" CXX="linchpin cc --cc g++" CXXFLAGS=-DBUG
	expect 1 run mixed/program; out_has "violation: race at"; out_has "cell.cpp:"
	# The part in C is not compiled by linchpin cc.
	mixed CC=cc CXX="linchpin cc --cc g++"
	expect 2 run mixed/program; err_has "'next', which is used, is in another part"
	expect 2 run mixed/main.cpp -- mixed/libcell.a; err_has "'mixed/libcell.a(next.o)' was not compiled by \`linchpin cc\`"
fi

# C++ with CMake, and a compiler that is given in one word.
command -v cmake >/dev/null && command -v g++ >/dev/null || { echo "skipped: CMake"; finish; }
mkdir other
cp project/counter.h project/counter.c project/bump.c project/harness.c other
cat >other/stack.hpp <<'C'
#include <atomic>
#include <string>
struct stack {
	struct node { long value; node *next; };
	std::atomic<node *> top{ nullptr };
	void push(long value);
	long pop();
};
C
cat >other/stack.cpp <<'C'
#include "stack.hpp"
void stack::push(long value)
{
	node *n = new node{ value, top.load() };
#ifdef BUG
	top.store(n);
#else
	while (!top.compare_exchange_weak(n->next, n))
		;
#endif
}
long stack::pop()
{
	node *n = top.load();
	while (n && !top.compare_exchange_weak(n, n->next))
		;
	return n ? n->value : -1;
}
C
cat >other/stack_harness.cpp <<'C'
#include <linchpin.h>
#include "stack.hpp"
static stack s;
LP_SPEC("stack")
LP_METHOD(push, v) { s.push(v); return LP_VOID; }
LP_METHOD(pop) { long v = s.pop(); return v < 0 ? LP_EMPTY : v; }
C
cat >other/CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.20)
project(other LANGUAGES C CXX)
add_library(counter STATIC counter.c bump.c)
add_library(object MODULE harness.c)
set_target_properties(counter PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(object counter)
add_library(stack MODULE stack.cpp stack_harness.cpp)
option(BUG "lose pushes" OFF)
if(BUG)
  target_compile_definitions(stack PRIVATE BUG)
endif()
C
configure() {
	cmake -S other -B other/build -DCMAKE_C_COMPILER=linchpin-cc -DCMAKE_CXX_COMPILER=linchpin-c++ \
		-DCMAKE_BUILD_TYPE=Release "$@" >log 2>&1 && cmake --build other/build >>log 2>&1 || { cat log; fail "cmake"; }
}
configure
expect 0 check other/build/libobject.so; out_lacks warning; out_has "'other/build/libobject.so' is a linearizable counter"
expect 0 check other/build/libstack.so --ops 3; out_lacks warning
expect 0 check other/harness.c -q -- other/build/libcounter.a
configure -DBUG=ON
expect 1 check other/build/libstack.so --ops push=2,pop=2; out_has "violation: not linearizable"; out_has "push"
finish
