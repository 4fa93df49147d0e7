/* agreed_names.c -- names on which processes agree.
 *
 * Thread ids, and the places of execution state (regions.c), are handed out in the order in which
 * they are first asked for, and never change afterwards.  Several processes may explore the program,
 * forked from the one that loaded it.  They exchange executions, so they must use the same names.
 * Therefore names are recorded, in the order in which they are handed out, in memory that the
 * processes share.  Each process has its own tables for lookups, and brings them up to date when it
 * does not find something in them.  So a process takes the lock only when it meets something for the
 * first time.
 *
 * On several machines (lp_shared_class) one machine hands out names.  The others have the same record, or the beginning of
 * it, and a process that needs a further name waits until its machine has asked for it.
 *
 * A process may be killed at any time.  The lock and the record survive this: an entry counts only
 * when the count includes it, and the count is written last.
 */
#include "runtime/machine.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/error.h"
#include "base/hash.h"
#include "ranks/bytes.h"
#include "runtime/client.h"
#include "runtime/coverage_flags.h"

enum { PLACES = 1 << 20 };

/* A request for a name: that of the n-th child of a thread; or, if the thread is RT_NO_THREAD, that
 * of a place. */
struct request {
	uint32_t threads, places; /* how many names were handed out */
	uint64_t digest;          /* the digest of the machine */
	lp_tid parent;
	uint32_t n;
	uint64_t owner, size;
};

enum { SILENT, ASKED, SENT };

struct rt_names {
	pthread_mutex_t lock;
	uint32_t threads, places;
	uint32_t state_used; /* of RT_STATE */
	bool tells_apart;    /* some process has called rt_tells_apart() */
	bool follows;        /* this machine asks for names */
	pthread_mutex_t asking;
	_Atomic uint32_t asked; /* SILENT, ... */
	struct request request; /* the request of the process that has locked `asking` */
	lp_tid parent[RT_THREADS];
	struct rt_place place[PLACES];
};

static void open_locks(struct rt_names *names)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&names->lock, &attributes);
	pthread_mutex_init(&names->asking, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

static struct rt_names *map_names(int flags)
{
	void *at = mmap(NULL, sizeof(struct rt_names), PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

bool rt_names_open(struct lp_error *error)
{
	struct rt_names *shared = map_names(MAP_SHARED);

	if (!shared)
		return lp_fail(error, "cannot get memory to share: %s", strerror(errno));
	rt.family.names = shared;
	open_locks(shared);
	shared->threads = rt.family.known = 1; /* thread 0 is the child of no thread */
	return true;
}

void rt_names_close(void)
{
	if (rt.family.names)
		munmap(rt.family.names, sizeof *rt.family.names);
	rt.family.names = NULL;
}

void rt_tells_apart(void)
{
	if (!rt.family.names->tells_apart)
		rt.family.names->tells_apart = true;
}

bool lp_native_tells_apart(struct lp_native *native)
{
	(void)native;
	return rt.family.names->tells_apart;
}

static void set_bit(uint64_t *bits, lp_tid t)
{
	_Static_assert(LP_TOLD_APART >= RT_THREADS, "each thread has a bit");
	LP_HOLDS(t < RT_THREADS);
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

static void lock(pthread_mutex_t *mutex)
{
	if (pthread_mutex_lock(mutex) == EOWNERDEAD)
		pthread_mutex_consistent(mutex);
}

/* Asks the machine that leads for a name, and waits until it is in the record. */
static void ask(struct rt_names *names, struct request request)
{
	LP_HOLDS(names->follows); /* the machine that leads does not ask */
	lock(&names->asking);
	while (atomic_load(&names->asked) != SILENT) /* a process was killed after it had asked */
		nanosleep(&(struct timespec){ 0, 50000 }, NULL);
	names->request = request;
	atomic_store(&names->asked, ASKED);
	while (atomic_load(&names->asked) != SILENT)
		nanosleep(&(struct timespec){ 0, 50000 }, NULL);
	pthread_mutex_unlock(&names->asking);
}

/* The children of a thread are recorded in the order in which they were started, so that entry
 * number n is the n-th child. */
static void learn_threads(void)
{
	LP_HOLDS(rt.family.names->threads <= RT_THREADS);
	for (; rt.family.known < rt.family.names->threads; rt.family.known++)
		LP_PUSH(&rt.family.children[rt.family.names->parent[rt.family.known]], rt.family.known);
}

static void add_thread(struct rt_names *names, lp_tid parent)
{
	if (names->threads == RT_THREADS)
		return;
	LP_HOLDS(parent < names->threads);
	names->parent[names->threads] = parent;
	names->threads++;
}

lp_tid rt_child_id(lp_tid parent, uint32_t n)
{
	struct rt_names *names = rt.family.names;

	LP_HOLDS(n <= rt.family.children[parent].count || n < RT_THREADS);
	if (n < rt.family.children[parent].count)
		return rt.family.children[parent].at[n];
	lock(&names->lock);
	learn_threads();
	const bool asks = names->follows && n == rt.family.children[parent].count;
	if (n == rt.family.children[parent].count && !asks)
		add_thread(names, parent);
	learn_threads();
	pthread_mutex_unlock(&names->lock);
	if (asks) {
		ask(names, (struct request){ .parent = parent, .n = n });
		lock(&names->lock);
		learn_threads();
		pthread_mutex_unlock(&names->lock);
	}
	return n < rt.family.children[parent].count ? rt.family.children[parent].at[n] : RT_NO_THREAD;
}

/* Learns of the new places.  Returns true if one of them is the owner's. */
static bool learn_places(struct rt_names *names, const void *owner, size_t size, uint32_t *known, void (*learn)(const struct rt_place *))
{
	bool there = false;

	for (; *known < names->places; ++*known) {
		const struct rt_place *place = &names->place[*known];
		LP_HOLDS(place->owner && place->offset % 16 == 0);
		there |= place->owner == owner && place->size >= size;
		learn(place);
	}
	return there;
}

static void add_place(struct rt_names *names, const void *owner, size_t size)
{
	if (names->state_used + size + 64 > RT_STATE_SIZE || names->places == PLACES)
		LP_BUG("no room for more execution state");
	LP_HOLDS(size && names->state_used % 16 == 0);
	names->place[names->places] = (struct rt_place){ owner, names->state_used, (uint32_t)size };
	names->state_used += (uint32_t)(size + 15) & ~15u;
	names->places++;
}

void rt_new_place(const void *owner, size_t size, uint32_t *known,
		  void (*learn)(const struct rt_place *))
{
	struct rt_names *names = rt.family.names;

	lock(&names->lock);
	bool there = learn_places(names, owner, size, known, learn);
	if (!there && !names->follows) {
		add_place(names, owner, size);
		there = learn_places(names, owner, size, known, learn);
	}
	pthread_mutex_unlock(&names->lock);
	while (!there) {
		ask(names, (struct request){ .parent = RT_NO_THREAD, .owner = (uintptr_t)owner, .size = size });
		lock(&names->lock);
		there = learn_places(names, owner, size, known, learn);
		pthread_mutex_unlock(&names->lock);
	}
}

/* ---- as bytes ---- */

void rt_names_write(struct lp_bytes *to)
{
	struct rt_names *names = rt.family.names;

	lock(&names->lock);
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
	struct rt_names *names = rt.family.names;

	lock(&names->lock);
	names->tells_apart |= lp_cursor_number(from, true) != 0;
	merge_threads(names, from);
	merge_places(names, from);
	pthread_mutex_unlock(&names->lock);
	return !from->bad;
}

/* ---- several machines ---- */

/* A hash of the addresses of linchpin, the C library and the object, and of the client. */
static uint64_t digest(struct lp_program *program)
{
	const uintptr_t places[] = { (uintptr_t)digest, (uintptr_t)malloc, rt.loaded.object.base, rt.loaded.object.main };
	uint64_t h = rt_client_digest();

	(void)program;
	for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
		h = lp_mix(h ^ places[i]);
	return h;
}

static void follow(struct lp_program *program)
{
	(void)program;
	rt.family.names->follows = true;
}

static uint64_t digest_of_record(const struct rt_names *names, uint32_t threads, uint32_t places)
{
	uint64_t h = 0;

	LP_HOLDS(threads <= names->threads && places <= names->places);
	for (uint32_t i = 0; i < threads; i++)
		h = lp_mix(h ^ names->parent[i]);
	for (uint32_t i = 0; i < places; i++)
		h = lp_mix(h ^ (uintptr_t)names->place[i].owner ^ (uint64_t)names->place[i].offset << 32 ^ names->place[i].size);
	return h;
}

static bool asks(struct lp_program *program, struct lp_bytes *request)
{
	struct rt_names *names = rt.family.names;

	(void)program;
	if (atomic_load(&names->asked) != ASKED)
		return false;
	struct request r = names->request;
	r.threads = names->threads;
	r.places = names->places;
	r.digest = digest_of_record(names, r.threads, r.places);
	lp_bytes_put(request, &r, sizeof r);
	atomic_store(&names->asked, SENT);
	return true;
}

static uint32_t children_of(const struct rt_names *names, lp_tid parent)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i < names->threads; i++)
		count += names->parent[i] == parent;
	return count;
}

static bool has_place(const struct rt_names *names, const void *owner, size_t size)
{
	for (uint32_t i = 0; i < names->places; i++)
		if (names->place[i].owner == owner && names->place[i].size >= size)
			return true;
	return false;
}

/* Writes all names that the other machine does not know.  First hands out the name that it has asked
 * for, unless this was done before. */
static bool answer(struct lp_program *program, struct lp_cursor *from, struct lp_bytes *to)
{
	struct rt_names *names = rt.family.names;
	struct request r;

	(void)program;
	lp_cursor_get(from, &r, sizeof r);
	lock(&names->lock);
	const bool good = !from->bad && r.threads <= names->threads && r.places <= names->places &&
			  r.digest == digest_of_record(names, r.threads, r.places);
	if (good && r.parent == RT_NO_THREAD && !has_place(names, (const void *)(uintptr_t)r.owner, r.size))
		add_place(names, (const void *)(uintptr_t)r.owner, r.size);
	else if (good && r.parent < RT_THREADS && children_of(names, r.parent) == r.n)
		add_thread(names, r.parent);
	const uint32_t threads = good ? names->threads - r.threads : 0, places = good ? names->places - r.places : 0;
	lp_bytes_put(to, &threads, sizeof threads);
	lp_bytes_put(to, &places, sizeof places);
	lp_bytes_put(to, names->parent + names->threads - threads, sizeof *names->parent * threads);
	lp_bytes_put(to, names->place + names->places - places, sizeof *names->place * places);
	lp_bytes_put(to, &names->state_used, sizeof names->state_used);
	pthread_mutex_unlock(&names->lock);
	return good;
}

static bool learn(struct lp_program *program, struct lp_cursor *from)
{
	struct rt_names *names = rt.family.names;
	const uint32_t threads = lp_cursor_u32(from), places = lp_cursor_u32(from);

	(void)program;
	lock(&names->lock);
	if (threads <= RT_THREADS - names->threads && places <= PLACES - names->places) {
		lp_cursor_get(from, names->parent + names->threads, sizeof *names->parent * threads);
		lp_cursor_get(from, names->place + names->places, sizeof *names->place * places);
		lp_cursor_get(from, &names->state_used, sizeof names->state_used);
		names->threads += threads;
		names->places += places;
	} else {
		from->bad = true;
	}
	pthread_mutex_unlock(&names->lock);
	atomic_store(&names->asked, SILENT);
	return !from->bad;
}

/* Copies only the part that is in use, because most of it is not. */
static bool leave(struct lp_program *program)
{
	struct rt_names *own = map_names(MAP_PRIVATE), *all = rt.family.names;

	(void)program;
	if (!own)
		return false;
	lock(&all->lock);
	memcpy(own, all, offsetof(struct rt_names, place) + sizeof *all->place * all->places);
	pthread_mutex_unlock(&all->lock);
	open_locks(own);
	own->follows = false;
	rt.family.names = own;
	rt_doubts_leave();
	return true;
}

static void write_seen(struct lp_program *program, struct lp_bytes *to)
{
	const uint8_t apart = rt.family.names->tells_apart;

	(void)program;
	lp_bytes_put(to, &apart, sizeof apart);
	rt_doubts_write(to);
	rt_coverage_write_sites(to);
}

static bool merge_seen(struct lp_program *program, struct lp_cursor *from)
{
	uint8_t apart;

	(void)program;
	if (lp_cursor_get(from, &apart, sizeof apart) && apart)
		rt_tells_apart();
	return rt_doubts_merge(from) && rt_coverage_merge_sites(from);
}

const struct lp_shared_class rt_shared_class = {
	.digest = digest,
	.follow = follow,
	.asks = asks,
	.answer = answer,
	.learn = learn,
	.write_seen = write_seen,
	.merge_seen = merge_seen,
	.leave = leave,
};
