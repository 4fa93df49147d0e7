/* What is used after setjmp() has returned a second time is live wherever longjmp() may be called, though
 * no path leads there.
 * expect sc,tso,ra,rc11: violation assertion at BUG
 * expect sc -- -DCLEANUP: violation assertion at BUG
 * expect sc -- -DBUILTIN: violation assertion at BUG
 */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>

#if defined BUILTIN && defined __x86_64__
#define JMP_BUF(name) void *name[5]
#define SETJMP __builtin_setjmp
#define LONGJMP __builtin_longjmp
#else
#define JMP_BUF(name) jmp_buf name
#define SETJMP setjmp
#define LONGJMP longjmp
#endif

static atomic_int x, ready, end;

static void *waits(void *unused)
{
	JMP_BUF(place);
	volatile int seen = 0;

	if (SETJMP(place)) {
		assert(!seen); /* BUG */
		return unused;
	}
	for (int first = 1;; first = 0) {
		seen = atomic_load(&x);
		if (first)
			atomic_store(&ready, 1);
		if (atomic_load(&end))
			LONGJMP(place, 1);
	}
}

static void ends(void *seen)
{
	assert(!seen); /* BUG */
}

/* pthread_cleanup_push() calls setjmp(). */
static void *exits(void *unused)
{
	for (int first = 1;; first = 0) {
		void *seen = atomic_load(&x) ? &x : NULL;
		if (first)
			atomic_store(&ready, 1);
		pthread_cleanup_push(ends, seen);
		if (atomic_load(&end))
			pthread_exit(unused);
		pthread_cleanup_pop(0);
	}
}

int main(void)
{
	pthread_t t;

#ifdef CLEANUP
	pthread_create(&t, NULL, exits, NULL);
	(void)waits;
#else
	pthread_create(&t, NULL, waits, NULL);
	(void)exits;
#endif
	while (!atomic_load(&ready))
		;
	atomic_store(&x, 1);
	atomic_store(&end, 1);
	pthread_join(t, NULL);
	return 0;
}
