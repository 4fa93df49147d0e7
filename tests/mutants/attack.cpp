// attack.cpp -- code that is hard on mutants: exceptions, lambdas, virtual functions, switches, gotos, recursion, bit-fields,
// 16 bytes at a time, statements in one line, an endless loop without any access.
#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>

#include <linchpin.h>

struct pair {
	long a, b;
	bool operator==(const pair &) const = default;
};

struct base {
	virtual ~base() = default;
	virtual long step(long by) = 0;
};

template <class T> struct counter final : base {
	std::atomic<T> n{0};
	std::mutex lock;
	long plain = 0;

	long step(long by) override
	{
		std::lock_guard<std::mutex> guard(lock);
		if (by < 0) throw std::invalid_argument("negative"); else plain += by;
		auto add = [this](T v) { return n.fetch_add(v, std::memory_order_acq_rel) + v; };
		return static_cast<long>(add(static_cast<T>(by)));
	}
};

static counter<long> one;
static base *object = &one;
static std::atomic<pair> wide{};

static long depth(long n)
{
	return n <= 0 ? 0 : 1 + depth(n - 1);
}

static long careful(long by)
{
	long result = 0;
	try {
		result = object->step(by);
	} catch (const std::invalid_argument &) {
		return -1;
	}
	switch (by) {
	case 0: return result;
	case 1: break;
	default: goto out;
	}
	for (pair was = wide.load(), next; next = { was.a + 1, was.b - 1 }, !wide.compare_exchange_weak(was, next);)
		;
	if (depth(2) == 3) for (;;) {}
out:
	return result;
}

LP_SPEC("counter")
LP_METHOD(increment_fetch) { return careful(1); }
