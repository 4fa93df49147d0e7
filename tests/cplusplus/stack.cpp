// A stack with a lock, whose methods throw; its specification is a class that throws, too, or a built-in kind.
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <vector>

class Stack {
public:
	void push(long v)
	{
		std::lock_guard<std::mutex> guard(lock);
		if (items.size() == 2)
			throw std::length_error("full");
		items.push_back(v);
		ready.notify_one();
	}

	long pop()
	{
		std::unique_lock<std::mutex> guard(lock);
		const bool was_empty = items.empty();
#ifdef THROWS_OTHER
		guard.unlock();
		guard.lock();
#endif
		if (items.empty() && !was_empty)
			throw std::range_error("taken away");
		return last();
	}

	long wait_pop()
	{
		std::unique_lock<std::mutex> guard(lock);
		ready.wait(guard, [this] { return !items.empty(); });
		return last();
	}

	std::vector<long> all()
	{
		std::lock_guard<std::mutex> guard(lock);
		return items;
	}

private:
	long last()
	{
		if (items.empty())
			throw std::out_of_range("empty");
		const long v = items.back();
		items.pop_back();
		return v;
	}

	std::mutex lock;
	std::condition_variable ready;
	std::vector<long> items;
};

#include <linchpin.hpp>

static Stack stack;

#ifdef BUILT_IN
LP_SPEC("stack:bounded=2")
LP_CALL(push, stack, &Stack::push, lp::full_on<std::length_error>)
#ifdef UNCAUGHT
LP_CALL(pop, stack, &Stack::pop)
#else
LP_CALL(pop, stack, &Stack::pop, lp::empty_on<std::logic_error>)
#endif
#else
class Model {
public:
	void push(long v)
	{
		if (items.size() == 2)
			throw std::length_error("full");
		items.push_back(v);
	}

	long pop()
	{
		if (items.empty())
			throw std::out_of_range("empty");
		const long v = items.back();
		items.pop_back();
		return v;
	}

	lp::may_wait<long> wait_pop()
	{
		if (items.empty())
			return lp::waits;
		return pop();
	}

	std::vector<long> all() const { return items; }

	auto fields() { return std::tie(items); }
	using throws = lp::throws<std::out_of_range, std::length_error, std::range_error>;
	static constexpr lp_independence data = LP_DATA_EQUALITY;
	static constexpr lp::role roles[] = { { "push", LP_INSERTS }, { "pop", LP_REMOVES }, { "wait_pop", LP_REMOVES } };

private:
	std::vector<long> items;
};

LP_SPEC_CLASS(Model, push, pop, wait_pop, all)
LP_CALL(push, stack, &Stack::push)
LP_CALL(pop, stack, &Stack::pop)
LP_CALL(wait_pop, stack, &Stack::wait_pop)
LP_CALL(all, stack, &Stack::all)
#endif
