/* The classes of C++ get the memory order as an argument.
 * expect rc11: violation invalid order at HERE, says "a load with memory_order_release"
 * expect rc11 -- -DSTORE: violation invalid order at HERE, says "a store with memory_order_acquire"
 * expect rc11 -- -DEXCHANGE: violation invalid order at HERE, says "that fails with memory_order_acq_rel"
 * expect rc11 -- -DFLAG: violation invalid order at HERE, says "a store with memory_order_acquire"
 * expect rc11 -- -DBUILTIN: error, says "memory order argument to atomic operation is invalid"
 * expect rc11 --invalid-orders ignore: verified, says "ignored: the operation is relaxed"
 * expect rc11 --invalid-orders ignore -- -DSTORE: verified
 * expect rc11 --invalid-orders ignore -- -DEXCHANGE: verified
 * expect rc11 --invalid-orders ignore -- -DFLAG: verified
 */
#include <atomic>
#include <thread>

static std::atomic<int> x;
static std::atomic_flag flag;

static int work()
{
	int seen = 0;

#if defined STORE
	x.store(1, std::memory_order_acquire); /* HERE */
#elif defined EXCHANGE
	x.compare_exchange_strong(seen, 1, std::memory_order_seq_cst, std::memory_order_acq_rel); /* HERE */
#elif defined FLAG
	flag.clear(std::memory_order_acquire); /* HERE */
#elif defined BUILTIN
	static int plain;
	seen = __atomic_load_n(&plain, __ATOMIC_RELEASE);
#else
	seen = x.load(std::memory_order_release); /* HERE */
#endif
	return seen;
}

int main()
{
	std::thread t(work);
	t.join();
	return 0;
}
