/* An exception that is caught in its thread.
 * expect sc,rc11: verified, executions 1
 */
#include <cassert>
#include <stdexcept>
#include <thread>

int main()
{
	int caught = 0;
	std::thread t([&] {
		try {
			throw std::runtime_error("no");
		} catch (const std::exception &) {
			caught++;
		}
	});

	t.join();
	assert(caught == 1);
	return 0;
}
