/* A thread-local variable is named, with the part of it that is accessed, and its thread.
 * expect rc11: violation use after free at BUG, says "rec.b of T1", says "thread-local variables of thread 1, which has ended"
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct record {
	int a;
	atomic_int b;
};

static _Thread_local struct record rec;
static _Atomic(atomic_int *) where;

static void *show(void *unused)
{
	(void)unused;
	rec.b = 1;
	where = &rec.b;
	return NULL;
}

static void *look(void *unused)
{
	(void)unused;
	atomic_int *p = where;
	return p && *p == 2 ? p : NULL; /* BUG */
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, show, NULL);
	pthread_create(&b, NULL, look, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
