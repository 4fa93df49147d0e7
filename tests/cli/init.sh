#!/usr/bin/env bash
# init.sh LINCHPIN -- `linchpin init`: harnesses for headers; compile_commands.json.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

if "$linchpin" init "$here/../../include/linchpin.h" 2>&1 | grep -q "built without clang"; then
	echo "skipped: there is no clang inside"
	exit 0
fi

# A queue in C, with a source beside it: the harness is correct without changes.
mkdir -p src tests
cat >src/lockqueue.h <<'C'
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
typedef struct lockqueue { pthread_mutex_t m; int at[8]; unsigned first, end; } lockqueue;
void lockqueue_init(lockqueue *q);
void lockqueue_enqueue(lockqueue *q, int v);
bool lockqueue_dequeue(lockqueue *q, int *v);
size_t lockqueue_size(const lockqueue *q);
void lockqueue_destroy(lockqueue *q);
C
cat >src/lockqueue.c <<'C'
#include "lockqueue.h"
void lockqueue_init(lockqueue *q) { pthread_mutex_init(&q->m, NULL); q->first = q->end = 0; }
void lockqueue_enqueue(lockqueue *q, int v)
{
	pthread_mutex_lock(&q->m);
	q->at[q->end++ % 8] = v;
	pthread_mutex_unlock(&q->m);
}
bool lockqueue_dequeue(lockqueue *q, int *v)
{
	pthread_mutex_lock(&q->m);
	const bool any = q->first != q->end;
	if (any)
		*v = q->at[q->first++ % 8];
	pthread_mutex_unlock(&q->m);
	return any;
}
size_t lockqueue_size(const lockqueue *q) { return q->end - q->first; }
void lockqueue_destroy(lockqueue *q) { pthread_mutex_destroy(&q->m); }
C
expect 0 init src/lockqueue.h -o tests/queue.c; out_has "tests/queue.c: a queue, one object, 2 questions"; err_empty
for line in '#include "../src/lockqueue.h"' 'static lockqueue object;' 'LP_SPEC("queue") /* ? ' \
	'LP_SETUP { lockqueue_init(&object); }' 'LP_METHOD(enqueue, a) { lockqueue_enqueue(&object, (int)a); return LP_VOID; }' \
	'LP_METHOD(dequeue) { int out; return lockqueue_dequeue(&object, &out) ? (int64_t)out : LP_EMPTY; }' \
	'LP_TEARDOWN { lockqueue_destroy(&object); }' '/* ? What are these for? lockqueue_size() */'; do
	grep -qF -- "$line" tests/queue.c || fail "the harness lacks: $line"
done
command=$(sed -n 's/^ \*     linchpin //p' tests/queue.c)
[ "$command" = "check tests/queue.c -- src/lockqueue.c" ] || fail "the command is $command"
expect 0 $command; out_has "is a linearizable queue"
sed -i 's/const bool any = q->first != q->end;/const bool any = q->first != q->end; pthread_mutex_unlock(\&q->m); pthread_mutex_lock(\&q->m);/' src/lockqueue.c
expect 1 $command; out_has "violation:"
expect 2 init src/lockqueue.h -o tests/queue.c; says "cannot write 'tests/queue.c': File exists"; alone
expect 0 init src/lockqueue.h; out_has '#include "src/lockqueue.h"'; err_empty

# has TEXT...: the harness for the header on standard input has these lines.
has() {
	local name=$1
	shift
	cat >"$name"
	expect 0 init "$name"; err_empty
	for line; do out_has "$line"; done
}
has stack.h 'static struct stack *object;' 'LP_SPEC("stack")' "object = stack_create(0 /* ? what is 'capacity', a 'unsigned int'? */);" \
	'LP_METHOD(push, a) { return stack_push(object, (void *)(intptr_t)a) ? 1 : 0; /* ? does it return 0 if it fails' \
	'LP_METHOD(pop) { const void *v = stack_pop(object); return v ? (int64_t)(intptr_t)v : LP_EMPTY; }' 'LP_TEARDOWN { stack_free(object); }' <<'C'
struct stack;
struct stack *stack_create(unsigned capacity);
int stack_push(struct stack *s, void *item);
void *stack_pop(struct stack *s);
void stack_free(struct stack *s);
C
has counter.h 'LP_SPEC("counter")' 'LP_METHOD(increment) { counter_increment(); return LP_VOID; }' 'return (int64_t)counter_read();' <<'C'
void counter_increment(void);
long counter_read(void);
C
has weird.h 'LP_SPEC("?") /* ? what is it?' '/* ? What are these for? frob() */' <<'C'
int frob(double x);
C
"$linchpin" init weird.h >weird.c
expect 2 check weird.c; says "weird.c:8: there is no specification '?'"
has spin.h 'LP_SPEC("lock")' 'LP_AFTER("unlock", "lock")' 'LP_AFTER_TRUE("unlock", "trylock")' <<'C'
#include <stdatomic.h>
typedef struct { atomic_flag f; } spin_t;
static inline void spin_lock(spin_t *l) { while (atomic_flag_test_and_set(&l->f)) ; }
static inline _Bool spin_trylock(spin_t *l) { return !atomic_flag_test_and_set(&l->f); }
static inline void spin_unlock(spin_t *l) { atomic_flag_clear(&l->f); }
C
out_lacks "What are these for"
expect 0 init spin.h -o spin.c; expect 0 check spin.c; out_has "is a linearizable lock"

# C++: a template, with std::optional; a class, whose header needs a macro.
has queue.hpp 'static my::queue<int64_t> object;' 'LP_METHOD(push, a) { object.push(a); return LP_VOID; }' \
	'LP_METHOD(pop) { auto v = object.pop(); return v ? (int64_t)*v : LP_EMPTY; }' <<'C'
#include <deque>
#include <mutex>
#include <optional>
namespace my {
template <class T> class queue {
public:
	queue() {}
	void push(T v) { std::lock_guard<std::mutex> g(m); d.push_back(v); }
	std::optional<T> pop()
	{
		std::lock_guard<std::mutex> g(m);
		if (d.empty())
			return {};
		T v = d.front();
		d.pop_front();
		return v;
	}
private:
	void hidden(T v);
	std::deque<T> d;
	std::mutex m;
};
}
C
out_lacks hidden
expect 0 init queue.hpp -o queue.cc; expect 0 check queue.cc --ops 3; out_has "is a linearizable queue"
cat >set.h <<'C'
#ifndef KEY
#error KEY is missing
#endif
class int_set { public: bool insert(KEY k); bool erase(KEY k); bool contains(KEY k) const; };
C
expect 2 init set.h -- -std=c++17; says "the compiler"; err_has "KEY is missing"
expect 0 init set.h -- -std=c++17 -DKEY=int; out_has 'LP_SPEC("set")'; out_has 'LP_METHOD(erase, a) { return object.erase((int)a) ? 1 : 0; }'

# Headers for which there is no harness.
expect 2 init; says "no header given"; alone
expect 2 init missing.h; says "cannot read 'missing.h'"; alone
echo 'int x;' >nothing.h; expect 2 init nothing.h; says "'nothing.h' declares no functions"; alone

# ---- compile_commands.json ----
mkdir -p project/src project/include project/build
cat >project/include/limits_of_ours.h <<'C'
#define LIMIT 3
C
cat >project/src/flags.c <<'C'
#include <limits_of_ours.h>
#ifndef NAME
#error NAME is missing
#endif
int main(void) { const char *name = NAME; return name[0] == 'x' && LIMIT == 3 && EXTRA == 2 ? 0 : *(volatile int *)0; }
C
cat >project/compile_commands.json <<J
[
  { "directory": "$folder/project", "file": "src/other.c", "command": "cc -c src/other.c" },
  { "directory": "$folder/project", "output": {"a": [1, true, null]}, "file": "src/flags.c",
    "command": "/usr/bin/gcc -Werror -Wall -O2 -Iinclude -DNAME=\\\\\\"x\\\\\\" -DEXTRA=1 -MD -MF x.d -o flags.o -c src/flags.c" }
]
J
expect 0 run project/src/flags.c -q -- -UEXTRA -DEXTRA=2; err_empty
expect 0 run project/src/flags.c --verbose -- -UEXTRA -DEXTRA=2; err_has "note: flags from '$folder/project/compile_commands.json' for 'project/src/flags.c'"
expect 2 run project/src/flags.c --compile-commands none; err_has "limits_of_ours.h"
expect 2 run project/src/flags.c --compile-commands project/build; says "cannot read 'project/build/compile_commands.json'"
mv project/compile_commands.json project/build/
expect 2 run project/src/flags.c; err_has "limits_of_ours.h"
expect 0 run project/src/flags.c -q --compile-commands project/build -- -UEXTRA -DEXTRA=2
expect 0 run project/src/flags.c -q --compile-commands project/build/compile_commands.json -- -UEXTRA -DEXTRA=2
cat >project/build/compile_commands.json <<J
[{"directory": "$folder/project/build", "arguments": ["cc", "-I", "../include", "-D", "NAME=\"x\"", "-DEXTRA=2", "-c", "../src/flags.c"], "file": "../src/flags.c"}]
J
expect 0 run project/src/flags.c -q --compile-commands project/build
echo 'int main(void) { return 0; }' >project/src/unknown.c
expect 0 run project/src/unknown.c --verbose --compile-commands project/build; err_has "which does not have 'project/src/unknown.c'"
# The scope names flags from elsewhere, and says if assertions are compiled out.
cat >project/src/claims.c <<'C'
#include <assert.h>
int main(void) { assert(1 == 2); return 0; }
C
echo "[{\"directory\":\"$folder/project\",\"file\":\"src/claims.c\",\"command\":\"cc -DNDEBUG -c src/claims.c\"}]" >project/build/compile_commands.json
expect 1 run project/src/claims.c; out_lacks "assertions "
expect 0 run project/src/claims.c --compile-commands project/build; out_has "flags        also those of 'project/build/compile_commands.json'"; out_has "assertions   left out: NDEBUG is defined"
expect 1 run project/src/claims.c --compile-commands project/build -- -U NDEBUG; out_lacks "left out: NDEBUG"
expect 0 run project/src/claims.c -- -UNDEBUG -D NDEBUG=1; out_has "left out: NDEBUG"; out_lacks "also those of"
expect 1 run project/src/claims.c -- -DNDEBUGGING; out_lacks "left out: NDEBUG"
for text in '' '{' '[' '[{]' '[{"file":}]' '[{"file":"x"' '[{"file":"\uZZZZ"}]' '[{"arguments":[1]}]' '[1]' '[{"a":[[[[}]'; do
	printf '%s' "$text" >project/build/compile_commands.json
	expect 2 run project/src/unknown.c --compile-commands project/build; says "line 1 is not that of a compilation database"; alone
done
# A header gets the flags of its source, and so does the client of an object.
cat >project/src/reg.h <<'C'
#include <limits_of_ours.h>
int reg_read(void);
void reg_write(int v);
C
cat >project/src/reg.c <<'C'
#include <linchpin.h>
#include "reg.h"
int n[LIMIT];
int reg_read(void) { return n[0]; }
void reg_write(int v) { n[0] = v; }
LP_SPEC("register")
LP_METHOD(read) { return reg_read(); }
LP_METHOD(write, v) { reg_write((int)v); return LP_VOID; }
C
echo "[{\"directory\":\"$folder/project\",\"file\":\"src/reg.c\",\"command\":\"cc -Iinclude -c src/reg.c\"}]" >project/compile_commands.json
expect 0 init project/src/reg.h; out_has 'LP_SPEC("register")'
expect 1 check project/src/reg.c --emit-test client.c; out_has "violation: race"
grep -qF -- "-- -I$folder/project/include" client.c || fail "the client lacks the flags"
expect 1 run client.c -- -Iproject/include; out_has "violation: race"
finish
