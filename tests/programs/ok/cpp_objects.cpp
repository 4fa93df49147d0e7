/* Classes, virtual calls, new and delete, a vector and a unique_ptr handed to a thread.
 * expect sc,rc11: verified, executions 1
 */
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

struct shape {
	virtual ~shape() = default;
	virtual int area() const = 0;
};

struct square : shape {
	int side;
	explicit square(int s) : side(s) {}
	int area() const override { return side * side; }
};

int main()
{
	std::unique_ptr<shape> s(new square(3));
	std::vector<int> areas;
	std::thread worker([&areas, p = std::move(s)] {
		areas.push_back(p->area());
		areas.push_back(2 * p->area());
	});

	worker.join();
	assert(areas.size() == 2 && areas[0] == 9 && areas[1] == 18);
	return 0;
}
