/* Captured by reference, and changed by two threads.
 * expect rc11: violation race at BUG
 */
#include <thread>

int main()
{
	int count = 0;
	auto add = [&] {
		count++; /* BUG */
	};
	std::thread a(add), b(add);

	a.join();
	b.join();
	return count == 0;
}
