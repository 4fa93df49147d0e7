/* A member that no constructor writes.
 * expect rc11: violation uninitialised at BUG
 * expect rc11 -- -O2: violation uninitialised at BUG
 * expect rc11 -- -DCAPTURED: violation uninitialised at BUG
 */
#include <atomic>

static std::atomic<int> sink;

struct counter {
	int start, step;

	explicit counter(int s) : start(s) {}
	int next() const { return start + step; } /* BUG */
};

int main()
{
#ifdef CAPTURED
	int n;
	auto f = [&n] { sink = n; }; /* BUG */
	f();
#else
	counter c(1);
	sink = c.next();
#endif
	return 0;
}
