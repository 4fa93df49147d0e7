/* A local variable that two threads use is called by its name, where it is not accessed by a pointer.
 * expect rc11: violation assertion, says "state.flag (a local variable of thread 0)"
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct state { int unused; atomic_int flag; };

static void *work(void *arg)
{
	struct state *its = arg;

	assert(atomic_load(&its->flag) == 0);
	return NULL;
}

int main(void)
{
	struct state state = { 0 };
	pthread_t t;

	pthread_create(&t, NULL, work, &state);
	atomic_store(&state.flag, 1);
	pthread_join(t, NULL);
	return 0;
}
