/* The first caller initialises a static local, the others wait.
 * expect sc,rc11: verified
 */
#include <cassert>
#include <thread>

static int made;

struct thing {
	int value;
	thing() : value(42) { made++; }
};

static thing &get()
{
	static thing it;
	return it;
}

int main()
{
	auto use = [] { assert(get().value == 42); };
	std::thread a(use), b(use);

	a.join();
	b.join();
	assert(made == 1);
	return 0;
}
