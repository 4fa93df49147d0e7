/* A key is deleted while another thread uses it; at the end of a thread it may be, and then it is
 * open whether its destructor is called.
 * expect sc,rc11: violation race
 * expect sc,rc11 -- -DDELETE_FIRST: violation race
 * expect sc,rc11 -- -DDONE: verified, outcomes called | not called
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void lp_outcome(const char *);

static pthread_key_t key;
static atomic_int set;
static int calls;

static void destroy(void *value)
{
	(void)value;
	calls++;
}

static void *use(void *unused)
{
	pthread_setspecific(key, &key);
	set = 1;
#ifndef DONE
	pthread_getspecific(key);
#endif
	return unused;
}

static void *delete(void *unused)
{
	if (set)
		pthread_key_delete(key);
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_key_create(&key, destroy);
#ifdef DELETE_FIRST
	pthread_create(&b, NULL, delete, NULL);
	pthread_create(&a, NULL, use, NULL);
#else
	pthread_create(&a, NULL, use, NULL);
	pthread_create(&b, NULL, delete, NULL);
#endif
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	lp_outcome(calls ? "called" : "not called");
	return 0;
}
