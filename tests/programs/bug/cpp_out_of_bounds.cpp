/* Elements of local arrays, past the end.
 * expect rc11: violation out of bounds at BUG
 * expect rc11 -- -O2: violation out of bounds at BUG
 * expect rc11 -- -DREFERENCE: violation out of bounds at BUG
 */
#include <algorithm>
#include <atomic>

static std::atomic<int> sink, four(4);

struct ring {
	int slots[4] = {};

	int &at(int i) { return slots[i]; }
};

int main()
{
	const int i = four;
	ring r;
#ifdef REFERENCE
	int &slot = r.at(i);
	slot = 1; /* BUG */
#else
	int values[4] = { 4, 3, 2, 1 };
	std::sort(values, values + i);
	sink = values[i]; /* BUG */
#endif
	sink = r.at(0);
	return 0;
}
