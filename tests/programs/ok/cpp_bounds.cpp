/* Local arrays and what the library does with them.
 * expect rc11: verified
 * expect rc11 -- -O2: verified
 */
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <numeric>
#include <string>
#include <vector>

static std::atomic<int> four(4);

struct shape {
	virtual ~shape() = default;
	virtual int corners() const = 0;
};
struct square : shape {
	int corners() const override { return 4; }
};
struct triangle : shape {
	int corners() const override { return 3; }
};

int main()
{
	const int i = four;
	std::array<int, 4> a = { 4, 3, 2, 1 };
	int plain[] = { 1, 2, 3, 4 };
	std::sort(a.begin(), a.begin() + i);
	assert(std::equal(a.begin(), a.end(), plain) && a[i - 1] == 4);
	assert(std::accumulate(plain, plain + i, 0) == 10);
	std::string text(i, 'x'), more = text + "yz";
	assert(more[i] == 'y' && more.c_str()[i + 2] == '\0');
	std::vector<std::string> texts = { "one", more };
	for (const auto &t : { std::string("a"), more })
		texts.push_back(t);
	std::reverse(texts.begin(), texts.end());
	assert(texts[3] == "one");
	square s;
	triangle t;
	const shape *const shapes[] = { &s, &t };
	int corners = 0;
	for (const shape *each : shapes)
		corners += each->corners();
	assert(corners == 7 && dynamic_cast<const square *>(shapes[i - 4]));
	try {
		int thrown[2] = { 1, 2 };
		throw thrown[i - 3];
	} catch (int n) {
		assert(n == 2);
	}
	return 0;
}
