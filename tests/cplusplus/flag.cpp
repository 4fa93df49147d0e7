// A flag, for `linchpin states`: finitely many states, a class as the specification.
#include <atomic>

#include <linchpin.hpp>

struct Flag {
	bool raise() { return !std::exchange(up, true); }
	bool lower() { return std::exchange(up, false); }
	bool is_up() const { return up; }
	auto fields() { return std::tie(up); }
	bool up = false;
};
LP_SPEC_CLASS(Flag, raise, lower, is_up)

static std::atomic<bool> flag{ false };
#ifdef TEST_FIRST
LP_CALL(raise, [] { return flag ? false : (flag = true); })
#else
LP_CALL(raise, [] { return !flag.exchange(true); })
#endif
LP_CALL(lower, [] { return flag.exchange(false); })
LP_CALL(is_up, [] { return flag.load(); })
