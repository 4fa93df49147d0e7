/* Atomic accesses to two shared pointers do not order each other.  The standard library may use one mutex for both, but a
 * program cannot rely on this.  The expected value of a compare-exchange is not accessed atomically (-DAS_EXPECTED).
 * options: -- -std=c++17
 * expect sc,tso: verified
 * expect rc11: violation race at RACE
 * expect sc,tso,rc11 -- -DSAME: verified
 * expect sc,tso,rc11 -- -DEXPECTED: verified
 * expect sc,tso,rc11 -- -DAS_EXPECTED: violation race
 */
#include <atomic>
#include <memory>
#include <thread>

/* An initialiser accesses the pointer before there are threads. */
static std::shared_ptr<int> p = [] {
	std::shared_ptr<int> made;
	std::atomic_store(&made, std::make_shared<int>(1));
	return made;
}();
static std::shared_ptr<int> q;
static std::atomic<int> flag;
static int data;

int main()
{
	std::thread writer([] {
		data = 1; /* RACE */
		std::atomic_store(&p, std::shared_ptr<int>());
		flag.store(1, std::memory_order_relaxed);
	});
	std::thread reader([] {
#ifdef AS_EXPECTED
		std::atomic_compare_exchange_strong(&q, &p, std::shared_ptr<int>());
#endif
		if (!flag.load(std::memory_order_relaxed))
			return;
#if defined SAME
		std::atomic_load(&p);
#elif defined EXPECTED
		std::shared_ptr<int> expected = std::make_shared<int>(2);
		std::atomic_compare_exchange_strong(&p, &expected, std::shared_ptr<int>());
#else
		std::atomic_load(&q);
#endif
		data = 2; /* RACE */
	});

	writer.join();
	reader.join();
}
