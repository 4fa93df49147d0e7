/* All threads share the place where strtok() goes on: each thread used to have its own.
 * expect sc,rc11 -- -DUNORDERED: violation race at BUG, says "the place of strtok()"
 * expect sc,rc11 -- -DINTERLEAVED: violation assertion
 * expect sc,rc11: verified
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *split(void *unused)
{
	char text[] = "a b";
#ifdef UNORDERED
	strtok(text, " "); /* BUG */
#else
	pthread_mutex_lock(&mutex);
	const char *first = strtok(text, " ");
	assert(first && !strcmp(first, "a"));
#ifdef INTERLEAVED
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&mutex);
#endif
	const char *second = strtok(NULL, " ");
	assert(second && !strcmp(second, "b"));
	assert(!strtok(NULL, " "));
	pthread_mutex_unlock(&mutex);
#endif
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, split, NULL);
	pthread_create(&b, NULL, split, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
