/* Memory orders that the operation cannot have; the compiler may only warn.
 * options: -- -w
 * expect sc,rc11: violation invalid order at HERE, says "a load with memory_order_release"
 * expect rc11 -- -DSTORE: violation invalid order at HERE, says "a store with memory_order_acquire"
 * expect rc11 -- -DEXCHANGE: violation invalid order at HERE, says "that fails with memory_order_release"
 * expect rc11 --invalid-orders ignore: verified, executions 1, says "ignored: the operation is relaxed"
 * expect rc11 --invalid-orders ignore -- -DSTORE: verified, executions 1
 * expect rc11 --invalid-orders ignore -- -DEXCHANGE: verified, executions 1
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *arg)
{
	int seen = 0;

#if defined(STORE)
	__atomic_store_n((int *)&x, 1, __ATOMIC_ACQUIRE); /* HERE */
#elif defined(EXCHANGE)
	__atomic_compare_exchange_n((int *)&x, &seen, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELEASE); /* HERE */
#else
	seen = __atomic_load_n((int *)&x, __ATOMIC_RELEASE); /* HERE */
#endif
	return seen ? arg : NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	return 0;
}
