/* agreed_names.c -- names that processes agree on.
 *
 * Thread ids, and the places of execution state (regions.c), are handed out in the
 * order in which they are first asked for, and then hold forever.  When a program is
 * explored by several processes, forked from the one that loaded it, they exchange
 * executions, so the names must be common: what is handed out is written down, in order,
 * in memory that they share.  Each process keeps its own tables for looking things up,
 * which are brought up to date when something is not found in them; so nothing is locked
 * but when a process meets something for the first time.
 *
 * A process may be killed at any time.  The lock survives that, and the record too:
 * an entry is there once the count says so, which is the last thing written.
 */
#include "runtime/machine.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { PLACES = 1 << 20 };

struct rt_names {
	pthread_mutex_t lock;
	uint32_t threads, places;
	uint32_t state_used; /* of RT_STATE */
	bool tells_apart;    /* rt_tells_apart() was called, in any of them */
	lp_tid parent[RT_THREADS];
	struct rt_place place[PLACES];
};

bool rt_names_open(struct lp_error *error)
{
	pthread_mutexattr_t attributes;
	void *shared = mmap(NULL, sizeof *rt.names, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (shared == MAP_FAILED)
		return lp_fail(error, "cannot get memory to share: %s", strerror(errno));
	rt.names = shared;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&rt.names->lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	rt.names->threads = rt.known_threads = 1; /* thread 0 is the child of no thread */
	return true;
}

void rt_names_close(void)
{
	if (rt.names)
		munmap(rt.names, sizeof *rt.names);
	rt.names = NULL;
}

void rt_tells_apart(void)
{
	if (!rt.names->tells_apart)
		rt.names->tells_apart = true;
}

bool lp_native_tells_apart(struct lp_native *native)
{
	(void)native;
	return rt.names->tells_apart;
}

static void set_bit(uint64_t *bits, lp_tid t)
{
	_Static_assert(LP_TOLD_APART >= RT_THREADS, "each thread has a bit");
	bits[t / 64] |= UINT64_C(1) << t % 64;
	rt.program.told_apart.any = true;
}

void rt_differs(void)
{
	if (rt.self && rt_recognises())
		set_bit(rt.program.told_apart.differs, rt_id(rt.self));
}

void rt_returned(void)
{
	set_bit(rt.program.told_apart.returned, rt_id(rt.self));
}

void rt_asks_for_result(lp_tid t)
{
	set_bit(rt.program.told_apart.asked, t);
}

static void lock(struct rt_names *names)
{
	if (pthread_mutex_lock(&names->lock) == EOWNERDEAD)
		pthread_mutex_consistent(&names->lock);
}

/* A thread's children are written down in the order of their birth, so that the entry
 * says which one it is. */
static void learn_threads(void)
{
	for (; rt.known_threads < rt.names->threads; rt.known_threads++)
		LP_PUSH(&rt.children[rt.names->parent[rt.known_threads]], rt.known_threads);
}

lp_tid rt_child_id(lp_tid parent, uint32_t n)
{
	struct rt_names *names = rt.names;

	if (n < rt.children[parent].count)
		return rt.children[parent].at[n];
	lock(names);
	learn_threads();
	if (n == rt.children[parent].count && names->threads < RT_THREADS) {
		names->parent[names->threads] = parent;
		names->threads++;
		learn_threads();
	}
	pthread_mutex_unlock(&names->lock);
	return n < rt.children[parent].count ? rt.children[parent].at[n] : RT_NO_THREAD;
}

void rt_new_place(const void *owner, size_t size, uint32_t *known,
		  void (*learn)(const struct rt_place *))
{
	struct rt_names *names = rt.names;
	bool there = false;

	lock(names);
	for (; *known < names->places; ++*known) {
		const struct rt_place *place = &names->place[*known];
		there |= place->owner == owner && place->size >= size;
		learn(place);
	}
	if (!there) {
		if (names->state_used + size + 64 > RT_STATE_SIZE || names->places == PLACES)
			LP_BUG("no room for more execution state");
		names->place[*known] =
			(struct rt_place){ owner, names->state_used, (uint32_t)size };
		names->state_used += (uint32_t)(size + 15) & ~15u;
		names->places++;
		learn(&names->place[(*known)++]);
	}
	pthread_mutex_unlock(&names->lock);
}

/* ---- as bytes ---- */

void rt_names_write(struct lp_bytes *to)
{
	struct rt_names *names = rt.names;

	lock(names);
	lp_bytes_put_number(to, names->tells_apart);
	lp_bytes_put_number(to, names->threads);
	lp_bytes_put(to, names->parent, names->threads * sizeof *names->parent);
	lp_bytes_put_number(to, names->places);
	for (uint32_t i = 0; i < names->places; i++) {
		lp_bytes_put_number(to, (uintptr_t)names->place[i].owner);
		lp_bytes_put_number(to, names->place[i].offset);
		lp_bytes_put_number(to, names->place[i].size);
	}
	lp_bytes_put_number(to, names->state_used);
	pthread_mutex_unlock(&names->lock);
}

static bool is_same_place(const struct rt_place *a, const struct rt_place *b)
{
	return a->owner == b->owner && a->offset == b->offset && a->size == b->size;
}

static void merge_threads(struct rt_names *names, struct lp_cursor *from)
{
	const uint32_t count = (uint32_t)lp_cursor_number(from, RT_THREADS);

	for (uint32_t t = 0; t < count; t++) {
		const lp_tid parent = lp_cursor_u32(from);
		from->bad |= t && (parent >= t || (t < names->threads && parent != names->parent[t]));
		if (!from->bad)
			names->parent[t] = parent;
	}
	from->bad |= count < names->threads;
	if (!from->bad)
		names->threads = count;
}

static void merge_places(struct rt_names *names, struct lp_cursor *from)
{
	const uint32_t count = (uint32_t)lp_cursor_number(from, PLACES);

	for (uint32_t i = 0; i < count && !from->bad; i++) {
		struct rt_place p = { (const void *)(uintptr_t)lp_cursor_u64(from), 0, 0 };
		p.offset = (uint32_t)lp_cursor_number(from, RT_STATE_SIZE);
		p.size = (uint32_t)lp_cursor_number(from, RT_STATE_SIZE - p.offset);
		from->bad |= !p.owner || (i < names->places && !is_same_place(&p, &names->place[i]));
		if (!from->bad)
			names->place[i] = p;
	}
	const uint32_t used = (uint32_t)lp_cursor_number(from, RT_STATE_SIZE);
	from->bad |= count < names->places || used < names->state_used;
	if (from->bad)
		return;
	names->places = count;
	names->state_used = used;
}

bool rt_names_merge(struct lp_cursor *from)
{
	struct rt_names *names = rt.names;

	lock(names);
	names->tells_apart |= lp_cursor_number(from, true) != 0;
	merge_threads(names, from);
	merge_places(names, from);
	pthread_mutex_unlock(&names->lock);
	return !from->bad;
}
