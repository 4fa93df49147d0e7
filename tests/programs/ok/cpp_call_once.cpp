/* std::call_once, and thread_local.
 * expect sc,rc11: verified
 */
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int made;
static thread_local int mine = 1;

int main()
{
	auto use = [] {
		std::call_once(once, [] { made++; });
		assert(made == 1 && ++mine == 2);
	};
	std::thread a(use), b(use);

	a.join();
	b.join();
	return 0;
}
