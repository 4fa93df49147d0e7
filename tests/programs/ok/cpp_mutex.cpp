/* std::mutex with its guards; a lambda that captures by reference.
 * options: --no-symmetry
 * expect sc,rc11: verified, executions 2
 */
#include <cassert>
#include <mutex>
#include <thread>

int main()
{
	std::mutex lock;
	int count = 0;
	auto add = [&] {
		std::lock_guard<std::mutex> guard(lock);
		count++;
	};
	std::thread a(add), b(add);

	a.join();
	b.join();
	assert(count == 2);
	return 0;
}
