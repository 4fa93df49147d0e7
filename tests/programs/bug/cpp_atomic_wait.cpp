/* libstdc++ 12 wakes no thread if it sees none waiting; that check may come before a release
 * store.  docs/findings/libstdcxx.md
 * options: -- -std=c++20
 * expect sc: verified
 * expect tso,rc11: violation deadlock
 * expect tso,rc11 -- -DSTORED=seq_cst: verified
 */
#include <atomic>
#include <thread>

#ifndef STORED
#define STORED release
#endif

static std::atomic<int> flag{0};

int main()
{
	std::thread sets([] {
		flag.store(1, std::memory_order::STORED);
		flag.notify_one();
	});

	flag.wait(0, std::memory_order_acquire);
	sets.join();
}
