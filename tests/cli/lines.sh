#!/usr/bin/env bash
# lines.sh LINCHPIN -- steps show the user's lines, functions and variables, not those of the library
# that performs the operation, and C++ names are not mangled.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

cat >box.cpp <<'C'
#include <linchpin.h>
#include <atomic>
#include <mutex>
namespace {
struct box {
	std::atomic<int> value{0};
	std::mutex lock;
	void put(int v) { value.store(v, std::memory_order_relaxed); }
	int get() { return value.load(std::memory_order_relaxed); } // line 9
	int get_locked()
	{
		std::lock_guard<std::mutex> held(lock); // line 12
		return get();
	}
};
}
static box shared_box;
namespace inner { box other; }
LP_SPEC("register")
LP_ARGS("1")
LP_METHOD(write, v)
{
	shared_box.put((int)v);
	return LP_VOID;
}
LP_METHOD(read)
{
	inner::other.get_locked();
	return shared_box.get() + 1;
}
C
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	expect 1 check box.cpp --cc $compiler --ops write=1,read=1
	grep -Eq "^ +[0-9]+ +T1 +box.cpp:8 +put +store shared_box.(value|0) = 1 " .out || fail "the store is elsewhere"
	grep -Eq "^ +[0-9]+ +T2 +box.cpp:9 +get +load shared_box.(value|0) " .out || fail "the load is elsewhere"
	grep -Eq "^ +[0-9]+ +T2 +box.cpp:12 +get_locked +pthread_mutex_lock inner::other.lock" .out ||
		fail "the lock is elsewhere"
	out_lacks "atomic_base.h"; out_lacks "gthr"; out_lacks "_Z"; out_lacks "_M_"
done

# The same for C, where a header of the compiler performs the operation.
mkdir -p include/c++
cat >include/c++/take.h <<'C'
static inline __attribute__((always_inline)) int take(int *p)
{
	return __atomic_exchange_n(p, 7, __ATOMIC_RELAXED);
}
static inline __attribute__((always_inline)) int take_twice(int *p)
{
	take(p);
	return take(p);
}
C
cat >taker.c <<'C'
#include <linchpin.h>
#include "take.h"
static int x;
LP_SPEC("register")
LP_METHOD(read)
{
	return take_twice(&x); /* line 7 */
}
C
expect 1 check taker.c -- -I"$PWD/include/c++"; out_has "taker.c:7"; out_lacks "take.h:"
# The user's headers are shown as the user's.
mkdir mine && cp include/c++/take.h mine
expect 1 check taker.c -- -Imine; out_has "take.h:3"
# A wrapper of an atomic operation in another file: its caller is shown beside it, but not the harness that calls the object.
cat >wrappers.h <<'C'
#include <atomic>
namespace wrap {
template <class T> inline T get(const std::atomic<T> &a) { return a.load(std::memory_order_relaxed); }
template <class T> inline void put(std::atomic<T> &a, T v) { a.store(v, std::memory_order_relaxed); }
}
C
cat >counter.h <<'C'
#include "wrappers.h"
namespace lib {
template <class T> struct counter {
	std::atomic<T> n{0};
	T next()
	{
		T old = wrap::get(n);
		wrap::put(n, T(old + 1)); // line 8
		return old;
	}
	T look() { return n.load(); }
};
}
C
cat >wrapped.cpp <<'C'
#include <linchpin.h>
#include "counter.h"
static lib::counter<long> c;
LP_SPEC("counter")
LP_METHOD(fetch_increment) { return c.next(); }
LP_METHOD(read) { return c.look() / 2; }
C
expect 1 check wrapped.cpp --client 'fetch_increment() | fetch_increment()'
out_has "counter.h:7 via wrappers.h:3"; out_has "counter.h:8 via wrappers.h:4"; out_has "wrap::put(n, T(old + 1));"
expect 1 check wrapped.cpp --client 'fetch_increment(); fetch_increment(); read()'
out_has "counter.h:11 "; out_lacks "wrapped.cpp:6 via"
expect 1 check --json wrapped.cpp --client 'fetch_increment() | fetch_increment()'
json_has '"where":"wrappers.h:3","function":"get<long>","caller":"counter.h:7"'

# Functions of the C++ library have their names in the source.
cat >file.cpp <<'C'
#include <fstream>
int main() { std::ofstream f("/dev/null"); f << 1; }
C
expect 3 run file.cpp
out_has "calls 'std::basic_filebuf<char"; out_lacks "_ZNSt"
finish
