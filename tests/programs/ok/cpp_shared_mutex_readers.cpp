/* ISO C++ does not order a reader's unlock before the lock of a later reader; glibc does, and so does linchpin: the race is
 * not found (docs/soundness.md).
 * options: -- -std=c++17
 * expect sc,tso,rc11: verified
 */
#include <atomic>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static std::atomic<int> flag;
static int data;

int main()
{
	std::thread first([] {
		lock.lock_shared();
		data = 1;
		lock.unlock_shared();
		flag.store(1, std::memory_order_relaxed);
	});
	std::thread second([] {
		if (!flag.load(std::memory_order_relaxed))
			return;
		lock.lock_shared();
		data = 2;
		lock.unlock_shared();
	});

	first.join();
	second.join();
}
