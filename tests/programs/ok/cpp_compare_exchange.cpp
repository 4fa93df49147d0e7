/* compare_exchange_weak in a loop, fetch_add, operators.
 * expect sc,rc11: verified
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x{0};
static std::atomic<unsigned long> total{0};

int main()
{
	auto raise = [] {
		int old = x.load(std::memory_order_relaxed);
		while (!x.compare_exchange_weak(old, old + 1, std::memory_order_acq_rel))
			;
		total += 2;
	};
	std::thread a(raise), b(raise);

	a.join();
	b.join();
	assert(x == 2 && total.exchange(0) == 4);
	return 0;
}
