/* The same with a relaxed flag.
 * expect rc11: violation race at BUG
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> flag{false};
static int message;

int main()
{
	std::thread sender([] {
		message = 42; /* BUG */
		flag.store(true, std::memory_order_relaxed);
	});
	std::thread receiver([] {
		if (flag.load(std::memory_order_relaxed))
			assert(message == 42); /* BUG */
	});

	sender.join();
	receiver.join();
	return 0;
}
