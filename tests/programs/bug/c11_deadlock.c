/* expect sc,rc11: violation deadlock
 */
#include <threads.h>

static mtx_t a, b;

static int other(void *unused)
{
	(void)unused;
	mtx_lock(&b);
	mtx_lock(&a);
	mtx_unlock(&a);
	mtx_unlock(&b);
	return 0;
}

int main(void)
{
	thrd_t thread;

	mtx_init(&a, mtx_plain);
	mtx_init(&b, mtx_plain);
	thrd_create(&thread, other, 0);
	mtx_lock(&a);
	mtx_lock(&b);
	mtx_unlock(&b);
	mtx_unlock(&a);
	thrd_join(thread, 0);
	return 0;
}
