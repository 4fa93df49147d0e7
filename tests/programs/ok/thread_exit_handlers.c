/* The handlers of pthread_cleanup_push() run when a thread exits, the innermost one first: in C they are jumped to, and with
 * -fexceptions the stack is unwound.
 * expect sc,tso,ra,rc11: verified
 * expect rc11 -- -fexceptions: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static int order;

static void add(void *digit)
{
	order = order * 10 + (int)(intptr_t)digit;
}

static __attribute__((noinline)) void leave(void)
{
	pthread_cleanup_push(add, (void *)2);
	pthread_cleanup_push(add, (void *)3);
	pthread_exit(&order);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
}

static void *run(void *arg)
{
	(void)arg;
	pthread_cleanup_push(add, (void *)1);
	leave();
	pthread_cleanup_pop(0);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, &result);
	assert(order == 321 && result == &order);
}
