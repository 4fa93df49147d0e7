// objects.cpp -- templates, exceptions, destructors, lambdas.
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct tracer {
	int *count;
	explicit tracer(int *c) : count(c) { ++*count; }
	~tracer()
	{
		--*count;
	}
};

template <typename T> class bounded {
public:
	explicit bounded(std::size_t most) : most_(most) {}

	bool push(const T &value)
	{
		if (items_.size() >= most_)
			return false;
		items_.push_back(value);
		return true;
	}

	T pop()
	{
		if (items_.empty())
			throw std::out_of_range("empty");
		T value = items_.back();
		items_.pop_back();
		return value;
	}

	bool is_full() const
	{
		return items_.size() == most_;
	}

private:
	std::size_t most_;
	std::vector<T> items_;
};

struct shape {
	virtual ~shape() = default;
	virtual int area() const = 0;
};

struct square : shape {
	int side = 3;
	int area() const override
	{
		return side * side;
	}
};

struct circle : shape {
	int area() const override
	{
		return 3;
	}
};

int risky(int n, int *alive)
{
	tracer t(alive);
	if (n == 0)
		throw std::runtime_error("zero");
	if (n == 1)
		throw 7;
	return n;
}

int guarded(int n, int *alive)
{
	try {
		tracer t(alive);
		int r = risky(n, alive);
		return r + 1;
	} catch (const std::runtime_error &) {
		return -1;
	} catch (int code) {
		return -code;
	} catch (...) {
		return -100;
	}
}

int counter()
{
	static int start = 40;
	return ++start;
}

} // namespace

int main()
{
	int alive = 0, sum = 0;
	bounded<int> numbers(2);
	bounded<std::string> words(1);

	numbers.push(1);
	numbers.push(2);
	numbers.push(3);
	sum += numbers.pop();
	words.push("a");
	auto twice = [](int x) {
		if (x > 100)
			return x;
		return 2 * x;
	};
	sum += twice(3);
	sum += guarded(0, &alive);
	sum += guarded(1, &alive);
	sum += counter() + counter();
	std::unique_ptr<shape> s(new square);
	sum += s->area();
	for (int x : { 1, 2, 3 })
		sum += x;
	if (alive != 0)
		return 2;
	try {
		words.pop();
		words.pop();
		sum = 0;
	} catch (const std::out_of_range &) {
		sum++;
	}
	return sum > 0 ? 0 : 1;
}
