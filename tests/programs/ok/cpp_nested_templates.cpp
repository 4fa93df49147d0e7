/* Small functions that call small functions, each of them twice: inlined all the way they would double forty
 * times.
 * expect sc,rc11: verified, executions 1
 */
#include <atomic>
#include <cassert>

static std::atomic<int> steps;

template <int N> int descend(int x)
{
	steps++;
	return x & 1 ? descend<N - 1>(x + N) : descend<N - 1>(x + 1);
}

template <> int descend<0>(int x)
{
	return x;
}

int main()
{
	assert(descend<40>(0) > 0 && steps == 40);
	return 0;
}
