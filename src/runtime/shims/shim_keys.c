/* shim_keys.c -- thread-specific data, and the destructors that run at the end of a thread.
 *
 * A key is a number handed out by an operation, since two threads may create keys
 * at the same time.  Everything else is accessed only by threads that know the key.
 *
 * Deleting a key is an operation, too: a thread that ends at the same time may or may not still
 * call the destructor.  But uses of the key must be ordered with its deletion, so a use is a plain
 * read.
 */
#include "runtime/shims/shim.h"

#include <errno.h>
#include <limits.h>

#include "base/error.h"

#define MAX_KEYS 64
#define MAX_DESTROYS 32

struct key {
	uint64_t alive; /* changes by operations, except in create, which comes before everything
	                 * else */
	void (*destructor)(void *);
	const void *value[SHIM_THREADS];
};

/* Never written: their addresses name memory from rt_state(). */
static const char key_owner[MAX_KEYS], count_owner, destroys_owner[SHIM_THREADS];

static uint64_t *key_count(void)
{
	return rt_state(&count_owner, sizeof(uint64_t));
}

static struct key *find_key(unsigned key)
{
	LP_HOLDS(*key_count() <= MAX_KEYS);
	if (key >= MAX_KEYS || key >= *key_count())
		return NULL;
	return rt_state(&key_owner[key], sizeof(struct key));
}

/* Returns NULL if the key was deleted. */
static struct key *find_to_use(const struct shim_site *at, unsigned key)
{
	struct key *k = find_key(key);

	if (k)
		rt_read(&k->alive, sizeof k->alive, at->pc);
	return k && k->alive ? k : NULL;
}

int shim_key_create(const struct shim_site *at, unsigned *key, void (*destructor)(void *))
{
	const struct lp_response a = shim_rmw(at, key_count(), 8, SHIM_ADD(lp_value(1)), LP_RLX,
					      SHIM_IF_DIFFERENT(lp_value(MAX_KEYS), LP_ELSE_FAIL));

	if (a.failed)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL, "%s() of more than %d keys", at->name, MAX_KEYS);
	LP_HOLDS(a.value.lo < MAX_KEYS);
	struct key *k = rt_state(&key_owner[a.value.lo], sizeof *k);
	LP_HOLDS(!k->alive && !k->destructor); /* no number is handed out twice */
	k->alive = 1;
	k->destructor = destructor;
	rt_changed();
	RT_WRITE(key, (unsigned)a.value.lo, at->pc);
	return 0;
}

/* The program cannot get the value any more: memory that only it points to is leaked. */
static void forget_value(struct key *k)
{
	if (rt_self() < SHIM_THREADS)
		k->value[rt_self()] = NULL;
}

int shim_key_delete(const struct shim_site *at, unsigned key)
{
	struct key *k = find_to_use(at, key);

	if (!k)
		return EINVAL;
	shim_store(at, &k->alive, sizeof k->alive, LP_REL, 0);
	forget_value(k);
	return 0;
}

void *shim_key_get(const struct shim_site *at, unsigned key)
{
	const struct key *k = find_to_use(at, key);

	return k && rt_self() < SHIM_THREADS ? (void *)k->value[rt_self()] : NULL;
}

int shim_key_set(const struct shim_site *at, unsigned key, const void *value)
{
	struct key *k = find_to_use(at, key);

	if (!k)
		return EINVAL;
	if (rt_self() >= SHIM_THREADS)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL, "%s() by thread %u: keys have room for %d", at->name,
			 rt_self(), SHIM_THREADS);
	if (k->value[rt_self()] != value)
		rt_changed();
	k->value[rt_self()] = value;
	return 0;
}

LP_API int lp_shim_pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	return shim_key_create(SHIM_AT, key, destructor);
}

/* Another name of the function in glibc; libstdc++ takes its address to find out whether the
 * program has threads. */
LP_API int lp_shim___pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	return shim_key_create(SHIM_NAMED("pthread_key_create"), key, destructor);
}

LP_API int lp_shim_pthread_key_delete(pthread_key_t key)
{
	return shim_key_delete(SHIM_AT, key);
}

LP_API void *lp_shim_pthread_getspecific(pthread_key_t key)
{
	return shim_key_get(SHIM_AT, key);
}

LP_API int lp_shim_pthread_setspecific(pthread_key_t key, const void *value)
{
	return shim_key_set(SHIM_AT, key, value);
}

/* Destructors of C++ thread_local objects. */
struct destroys {
	struct {
		void (*destroy)(void *);
		void *object;
	} at[MAX_DESTROYS];
};

void shim_at_thread_exit(const struct shim_site *at, void (*destroy)(void *), void *object)
{
	if (rt_self() >= SHIM_THREADS)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, object, "thread_local objects in thread %u", rt_self());
	uint64_t *count = shim_word(SHIM_WORD_DESTROYS);
	LP_HOLDS(*count <= MAX_DESTROYS);
	if (*count == MAX_DESTROYS)
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, object, "more than %d thread_local objects", MAX_DESTROYS);
	struct destroys *d = rt_state(&destroys_owner[rt_self()], sizeof *d);
	d->at[*count].destroy = destroy;
	d->at[(*count)++].object = object;
	rt_changed();
}

void shim_run_thread_exits(void)
{
	uint64_t *words = rt_thread_words_if_any(rt_self());
	uint64_t *count = words ? &words[SHIM_WORD_DESTROYS] : NULL;

	while (count && *count > 0) {
		const struct destroys *d = rt_state(&destroys_owner[rt_self()], sizeof *d);
		LP_HOLDS(*count <= MAX_DESTROYS && rt_self() < SHIM_THREADS);
		(*count)--;
		d->at[*count].destroy(d->at[*count].object);
	}
}

static unsigned keys_made(void)
{
	const uint64_t *keys = rt_state_if_any(&count_owner);

	return keys ? (unsigned)*keys : 0;
}

/* One round over all keys; true if a destructor ran, which may set values again. */
static bool destroy_values(void)
{
	const struct shim_site *at = &(const struct shim_site){ .name = "end of thread" };
	const unsigned count = keys_made();
	bool any = false;
	LP_HOLDS(count <= MAX_KEYS && rt_self() < SHIM_THREADS);

	for (unsigned i = 0; i < count; i++) {
		struct key *k = find_key(i);
		if (!k || !k->destructor || !k->value[rt_self()] ||
		    !shim_load(at, &k->alive, sizeof k->alive, LP_ACQ).lo)
			continue;
		void *value = (void *)k->value[rt_self()];
		k->value[rt_self()] = NULL;
		k->destructor(value);
		any = true;
	}
	return any;
}

void rt_run_key_destructors(void)
{
	shim_run_thread_exits();
	if (rt_self() >= SHIM_THREADS)
		return;
	for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
		if (!destroy_values())
			break;
	}
	for (unsigned i = 0; i < keys_made(); i++)
		if (find_key(i)) /* another thread may have only begun to create it */
			forget_value(find_key(i));
}
