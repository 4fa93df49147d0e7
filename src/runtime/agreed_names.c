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
