/* C11 threads, mutexes, conditions, thread-specific storage and call_once.
 * expect sc,rc11: verified
 */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t slot;
static int ready, initialised;

static void initialise(void)
{
	initialised++;
}

static int waiter(void *arg)
{
	call_once(&once, initialise);
	tss_set(slot, arg);
	mtx_lock(&lock);
	while (!ready)
		cnd_wait(&changed, &lock);
	mtx_unlock(&lock);
	assert(tss_get(slot) == arg);
	return 7;
}

int main(void)
{
	thrd_t thread;
	int result;

	assert(mtx_init(&lock, mtx_plain) == thrd_success);
	assert(cnd_init(&changed) == thrd_success);
	assert(tss_create(&slot, 0) == thrd_success);
	assert(thrd_create(&thread, waiter, &ready) == thrd_success);
	call_once(&once, initialise);
	mtx_lock(&lock);
	ready = 1;
	cnd_signal(&changed);
	mtx_unlock(&lock);
	assert(thrd_join(thread, &result) == thrd_success && result == 7);
	assert(initialised == 1);
	mtx_destroy(&lock);
	cnd_destroy(&changed);
	tss_delete(slot);
	return 0;
}
