/* Threads that are started likewise, and something that tells them apart.  In each variant the error needs that the second thread
 * is ahead of the first one, or the other way round: of two executions that differ in their names, one has it.
 *
 * expect sc,rc11 -- -DARGUMENT: violation assertion
 * expect sc,rc11 -- -DDETACHED: violation assertion
 * expect rc11 -- -DEVENT: violation assertion
 * expect rc11 -- -DPLAIN: violation race
 * expect rc11 -- -DPLAIN_GIVEN: violation race
 * expect rc11 -- -DCALL: violation race|mutex misuse
 * expect sc,rc11 -- -DSELF: violation assertion
 * expect sc,rc11 -- -DTHREAD_LOCAL: violation assertion
 * expect sc,rc11 -- -DHEAP: violation assertion
 * expect sc,rc11 -- -DLOCAL: violation assertion
 * expect sc,rc11 -- -DFRAME: violation assertion
 * expect sc,rc11 -- -DBY_VALUE: violation assertion
 * expect sc,rc11 -- -DERRNO: violation assertion
 * expect sc,rc11 -- -DBELOW: violation assertion
 * expect sc,rc11 -- -DJOINED_BY_ANOTHER: violation race
 * expect sc,rc11 -- -DEVENT_BETWEEN_JOINS: violation assertion
 * expect sc,rc11 -- -DPLAIN_BETWEEN_JOINS: violation race
 * expect sc,rc11 -- -DFREE_BETWEEN_JOINS: violation use after free
 * expect sc,rc11 -- -DONE_JOINED: violation deadlock|liveness
 * expect sc,rc11 -- -DRESULT: violation assertion
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#undef NDEBUG
#include <assert.h>

#define load(p) atomic_load_explicit(p, memory_order_relaxed)
#define store(p, v) atomic_store_explicit(p, v, memory_order_relaxed)

static atomic_int turn, flag, never;
static int data, given[2], *block;
static uintptr_t sum;
static pthread_mutex_t mutex;
static uintptr_t of[2];          /* by turn: what a thread knows of itself */
static _Atomic(char *) published;
static pthread_t thread[3];

#ifdef BY_VALUE
struct large {
	char byte[64];
};

static __attribute__((noinline)) uintptr_t where(struct large l)
{
	return (uintptr_t)&l;
}
#endif
#ifdef THREAD_LOCAL
static _Thread_local int local;
#endif

static void *worker(void *arg)
{
#ifdef BELOW
	char own[8], *p;

	own[load(&never)] = 1;
	while (!(p = atomic_load_explicit(&published, memory_order_acquire)))
		;
#endif
#if defined EVENT || defined PLAIN || defined PLAIN_GIVEN || defined CALL
	const int mine = atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed);
#else
	const int mine = atomic_fetch_add_explicit(&turn, 1, memory_order_acq_rel);
#endif

#if defined ARGUMENT
	assert(mine == (int)(intptr_t)arg);
#elif defined EVENT
	assert(mine != 1 || load(&flag));
#elif defined PLAIN
	if (mine == 1)
		sum += (uintptr_t)data;
#elif defined PLAIN_GIVEN
	if (mine == 1)
		sum += (uintptr_t)given[1];
#elif defined CALL
	if (mine == 1) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
#elif defined SELF
	of[mine] = (uintptr_t)pthread_self();
#elif defined THREAD_LOCAL
	of[mine] = (uintptr_t)&local;
#elif defined HEAP
	of[mine] = (uintptr_t)malloc(1);
#elif defined LOCAL
	int local = mine;
	of[mine] = (uintptr_t)&local;
#elif defined FRAME
	of[mine] = (uintptr_t)__builtin_frame_address(0);
#elif defined BY_VALUE
	of[mine] = where((struct large){ { (char)mine } });
#elif defined ERRNO
	of[mine] = (uintptr_t)&errno;
#elif defined BELOW
	assert(mine || own < p);
#elif defined JOINED_BY_ANOTHER || defined PLAIN_BETWEEN_JOINS
	if (mine == 0)
		data = 1;
#elif defined FREE_BETWEEN_JOINS
	if (mine == 0)
		*block = 1;
#elif defined EVENT_BETWEEN_JOINS
	if (mine == 0)
		store(&flag, 1);
#elif defined ONE_JOINED
	while (mine == 1 && !load(&never))
		;
#elif defined RESULT
	return mine ? &data : NULL;
#endif
	(void)mine;
#ifndef PLAIN_GIVEN
	(void)arg;
#endif
	return NULL;
}

#if defined BELOW
static void *publishes(void *unused)
{
	char own[8];

	atomic_store_explicit(&published, own, memory_order_release);
	while (atomic_load_explicit(&turn, memory_order_acquire) < 2)
		;
	return unused;
}
#elif defined JOINED_BY_ANOTHER
static void *joins(void *unused)
{
	while (!atomic_load_explicit(&flag, memory_order_acquire))
		;
	pthread_join(thread[0], NULL);
	data = 2;
	return unused;
}
#endif

static void start(int i)
{
	void *arg = NULL;

#ifdef ARGUMENT
	arg = (void *)(intptr_t)i;
#elif defined PLAIN_GIVEN
	arg = &given[i];
#endif
	pthread_create(&thread[i], NULL, worker, arg);
}

static void between_starts(void)
{
#if defined EVENT
	store(&flag, 1);
#elif defined PLAIN
	data = 1;
#elif defined PLAIN_GIVEN
	given[1] = 1;
#elif defined CALL
	pthread_mutex_init(&mutex, NULL);
#elif defined BELOW
	pthread_create(&thread[2], NULL, publishes, NULL);
#endif
}

static void between_joins(void)
{
#if defined EVENT_BETWEEN_JOINS
	assert(load(&flag));
#elif defined PLAIN_BETWEEN_JOINS
	data = 2;
#elif defined FREE_BETWEEN_JOINS
	free(block);
#endif
}

int main(void)
{
	void *result = NULL;

	block = malloc(sizeof *block);
#ifdef DETACHED
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_create(&thread[0], &attr, worker, NULL);
	start(1);
	pthread_join(thread[1], NULL);
	assert(load(&turn) == 2);
	return 0;
#endif
	start(0);
	between_starts();
	start(1);
#ifdef JOINED_BY_ANOTHER
	pthread_create(&thread[2], NULL, joins, NULL);
	atomic_store_explicit(&flag, 1, memory_order_release);
#else
	pthread_join(thread[0], &result);
#endif
#ifdef ONE_JOINED
	return 0;
#endif
	between_joins();
	pthread_join(thread[1], NULL);
#if defined JOINED_BY_ANOTHER || defined BELOW
	pthread_join(thread[2], NULL);
#endif
	assert(!result);
	assert(!of[1] || of[0] < of[1]);
	return 0;
}
