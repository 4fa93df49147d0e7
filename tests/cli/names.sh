#!/usr/bin/env bash
# names.sh LINCHPIN -- reports name memory as the source does, and all reports agree: types and fields of
# blocks, and what pointers point to.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
examples=$(cd "$here/../../examples" && pwd)

cat >names.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
typedef struct { long value; _Atomic(void *) next; } cell;
struct pair { int a; atomic_int b[3]; struct { atomic_long c; } in; };
static void *fresh(size_t n) { void *p = malloc(n); return p; }
static cell *new_cell(void) { return malloc(sizeof(cell)); }
static _Atomic(void *) shared;
static atomic_uintptr_t marked;
static atomic_long *slots;
static void *put(void *x)
{
	cell *c = new_cell(), *d = malloc(sizeof *d);
	struct pair *p = fresh(2 * sizeof *p);
	atomic_store(&p[1].b[2], 7);
	atomic_store(&p[1].in.c, 8);
	atomic_store(&c->next, &p[1]);
	atomic_store(&d->next, c);
	atomic_store(&marked, (uintptr_t)c | 1);
	atomic_store(&marked, (uintptr_t)c | 3ull << 48);
	atomic_store(&slots[2], 3);
	atomic_store(&shared, &slots);
	return x;
}
int main(void)
{
	pthread_t a;
	slots = calloc(4, sizeof *slots);
	pthread_create(&a, 0, put, 0);
	pthread_join(a, 0);
	assert(atomic_load(&slots[2]) == 4);
}
C
expect 1 run --trace t.trace --sarif t.sarif names.c
for name in "store pair#1[1].b[2] = 7" "store pair#1[1].in.c = 8" "store cell#1.next = &pair#1[1]" \
	    "store cell#2.next = &cell#1" "store marked = &cell#1+1" "store marked = {&cell#1, 3}" \
	    "store long#1[2] = 3" "store shared = &slots" "cell#1 (allocated at names.c:8)"; do
	out_has "$name"
done
grep -qF 'store cell#1.next = &pair#1[1]' t.sarif || fail "SARIF lacks the names"
expect 1 replay t.trace
out_has "store cell#1.next = &pair#1[1]"
expect 1 run --json names.c
json_has '"wrote":"&pair#1[1]"'

cat >names.cpp <<'C'
#include <atomic>
#include <cassert>
#include <thread>
namespace lib {
template <class T> struct queue {
	struct node { T value; std::atomic<node *> next{nullptr}; };
	std::atomic<node *> head{nullptr};
	void push(T v)
	{
		auto n = new node{v};
		n->next.store(head.load());
		head.store(n);
	}
};
}
lib::queue<int> q;
int main()
{
	std::thread a([] { q.push(1); });
	q.push(2);
	a.join();
	assert(q.head.load()->next.load());
}
C
expect 1 run names.cpp
out_has "store q.head = &node#1"
out_has "node#2.next = 0"

expect 1 states "$examples/bug_treiber_free.c"
out_has "malloc of 16 bytes: node#1"
out_has "store node#1.value = 1 (plain)"
out_has "free of node#1"

# The end of a block belongs to the flexible array of its type; memory that another object occupies has no names.
cat >open.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct slot { atomic_int state; int value; };
struct ring { atomic_int head; int mask; struct slot slots[]; };
struct base { atomic_int count; };
struct node { atomic_int count, full; };
static struct ring *r;
static struct base *b;
static struct node *n;
static void *fill(void *unused)
{
	atomic_store(&r->slots[2].state, 5);
	atomic_store(&n->full, 6);
	atomic_store(&r->head, 1);
	return unused;
}
static void *allocate(size_t size) { return malloc(size); }
int main(void)
{
	pthread_t a;
	r = allocate(sizeof *r + 3 * sizeof(struct slot));
	atomic_init(&r->head, 0);
	b = (struct base *)malloc(sizeof *b + sizeof *n + 2);
	n = (struct node *)(b + 1);
	pthread_create(&a, NULL, fill, NULL);
	pthread_join(a, NULL);
	assert(!atomic_load(&r->head));
}
C
expect 1 run open.c
out_has "store ring#1.slots[2].state = 5"
out_has "store ring#1.head = 1"
out_has "store base#1+8 = 6"

# Each name stands for one place, each place has one name, and values that are read were written.
for file in "$examples"/bug_*.c; do
	timeout 60 "$linchpin" check --json --time 20 "$file" >.out 2>.err
	command_line="check --json $file"
	python3 - <<'P' || fail "names do not agree"
import json, re, sys
result = json.load(open(".out"))
steps = result.get("violation", {}).get("steps", [])
names, places = {}, {}
for i, s in enumerate(steps):
    if "place" in s:
        assert names.setdefault(s["place"], s["location"]) == s["location"], s
        assert places.setdefault(s["location"], s["place"]) == s["place"], s
    origin = s.get("reads_from")
    if isinstance(origin, int) and "read" in s:
        assert steps[origin]["wrote"] == s["read"], (i, s)
    for value in (s.get("read", ""), s.get("wrote", "")):
        assert not re.match("0x2[0-9a-f]{11}$", value), s
P
done
finish
