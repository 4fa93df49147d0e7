// options: check --ops 3
// A template, with two instances; a lambda; an exception that is thrown for an empty stack.
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <vector>

template <typename T> class stack {
public:
	void push(T value)
	{
		std::lock_guard<std::mutex> guard(lock_);  // @+
		if (items_.size() == 100)                  // @+ never +1
			return;                                // @-
		items_.push_back(value);                   // @+
	}

	T pop()
	{
		std::lock_guard<std::mutex> guard(lock_);  // @+
		if (items_.empty())                        // @+
			throw std::out_of_range("empty");      // @+
		T value = items_.back();                   // @+
		items_.pop_back();                         // @+
		return value;                              // @+
	}

	bool never_used()
	{
		return items_.empty();                     // @0
	}

private:
	std::mutex lock_;
	std::vector<T> items_;
};

static stack<long> numbers;
static stack<int> set_up_only;

#include <linchpin.h>

LP_SPEC("stack")
LP_SETUP { set_up_only.push(1); }
LP_METHOD(push, v)
{
	auto add = [](long x) { numbers.push(x); };    // @+
	add(v);                                        // @+
	return LP_VOID;                                // @+
}
LP_METHOD(pop)
{
	try {
		return numbers.pop();                      // @+
	} catch (const std::out_of_range &) {
		return LP_EMPTY;                           // @+
	} catch (...) {
		return LP_NIL;                             // @-
	}
}
