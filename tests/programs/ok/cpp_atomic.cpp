/* std::atomic and std::thread: message passing.
 * expect sc,rc11: verified, executions 2
 */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> flag{false};
static int message;

int main()
{
	std::thread sender([] {
		message = 42;
		flag.store(true, std::memory_order_release);
	});
	std::thread receiver([] {
		if (flag.load(std::memory_order_acquire))
			assert(message == 42);
	});

	sender.join();
	receiver.join();
	return 0;
}
