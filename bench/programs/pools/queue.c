/* queue.c -- N workers share a queue under a mutex: main() submits N tasks, then closes it.
 *
 * A worker that finds nothing waits until there is something, or the pool is closed. */
#include "../bench.h"

#ifndef N
#define N 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int taken; /* under the mutex */
static atomic_int submitted, closed, done;

static bool work_once(void)
{
	int available;

	pthread_mutex_lock(&mutex);
	available = load(&submitted, acquire);
	if (taken < available) {
		taken++;
		pthread_mutex_unlock(&mutex);
		fetch_add(&done, 1, relaxed);
		return true;
	}
	pthread_mutex_unlock(&mutex);
	while (load(&submitted, acquire) == available && !load(&closed, acquire))
		;
	return load(&submitted, acquire) != available;
}

static void *worker(void *unused)
{
	(void)unused;
	while (work_once())
		;
	return NULL;
}

int main(void)
{
	pthread_t thread[N];

	start(thread, N, worker);
	for (int i = 1; i <= N; i++)
		store(&submitted, i, release);
	store(&closed, 1, release);
	join(thread, N);
	assert(load(&done, relaxed) == N);
	return 0;
}
