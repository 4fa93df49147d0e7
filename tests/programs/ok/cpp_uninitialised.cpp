/* Types of the library that leave memory unwritten until it is needed.
 * expect rc11: verified
 * expect rc11 -- -O2: verified
 */
#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

static std::atomic<int> sink;

struct point {
	int x, y;
};

static std::optional<point> find(bool there)
{
	if (there)
		return point{ 1, 2 };
	return std::nullopt;
}

static std::variant<char, point> either(bool small)
{
	if (small)
		return 'a';
	return point{ 3, 4 };
}

int main()
{
	auto none = find(false), some = find(true);
	auto copy = none;
	none = some;
	some = copy;
	sink = none->x + (some ? some->y : 0);
	auto v = either(true), w = v;
	v = either(false);
	sink = std::get<point>(v).y + std::get<char>(w);
	std::array<int, 4> a;
	a.fill(1);
	std::sort(a.begin(), a.end());
	int low = 1, high = 2;
	sink = std::min(low, high) + std::max(low, a[3]);
	std::string text("text"), moved(std::move(text));
	sink = (int)moved.size();
	auto [first, second] = std::make_pair(1, moved);
	sink = first + (int)second.size() + std::get<0>(std::make_tuple(1, 'c'));
	std::vector<point> points;
	points.push_back({ 1, 2 });
	points.emplace_back();
	sink = points.back().x;
	int n;
	auto set = [&n](int m) { n = m; };
	set(3);
	sink = n;
	return 0;
}
