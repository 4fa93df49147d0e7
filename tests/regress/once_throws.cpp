/* A call_once() whose function throws leaves the turn to the next one; waiting threads were left
 * to wait forever.
 *
 * expect sc,tso,ra,rc11: verified
 * expect rc11 -- -DALWAYS: verified
 */
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int calls;

static void call()
{
	try {
		std::call_once(once, [] {
#ifdef ALWAYS
			calls++;
			throw 1;
#else
			if (calls++ == 0)
				throw 1;
#endif
		});
	} catch (int) {
	}
}

int main()
{
	std::thread a(call), b(call);

	a.join();
	b.join();
	assert(calls == 2);
}
