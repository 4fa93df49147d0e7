/* A detached thread uses a static object while that is destroyed, after main(): a race with the destructor, or a
 * use of memory that it has freed.
 * expect sc,rc11: violation race at BUG
 * expect sc,rc11 -- -DFREED: violation race|use after free
 * expect sc,rc11 -- -DASSERTS: violation assertion at BUG
 * expect sc,rc11 -- -DTHREAD_LOCAL: violation race at BUG
 * expect sc,rc11 -- -DJOINED: verified
 */
#include <cassert>
#include <thread>
#include <vector>

struct counter {
	int count = 0;
	~counter()
	{
#ifdef ASSERTS
		assert(count == 1); /* BUG */
#else
		count = 0; /* BUG */
#endif
	}
};

#ifdef THREAD_LOCAL
static thread_local counter c; /* of the main thread: it ends before static objects do */
#else
static counter c;
#endif
static std::vector<int> numbers(1);

int main()
{
	counter *const seen = &c;
	std::thread t([seen] {
#ifdef FREED
		numbers[0] = 1; /* BUG */
#elif !defined ASSERTS
		seen->count = 1; /* BUG */
#endif
		(void)seen;
	});
#ifdef JOINED
	t.join();
#else
	t.detach();
#endif
	return 0;
}
