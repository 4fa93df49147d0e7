// idpool.cpp -- small numbers for threads to use for a while, as slots of hazard pointers are.
//
// Which free number a caller gets is the pool's business, so that the specification has a choice: it is the class Free
// below.  Running out of numbers, and giving back one that is not taken, are exceptions.
#include <atomic>
#include <set>
#include <stdexcept>

class IdPool {
public:
	static constexpr int size = 2;

	// All in one word: a thread that looks at one number after the other may find each of them taken at a time when
	// another one was free.
	int take()
	{
		for (unsigned seen = taken;;)
			for (int id = 0;; id++) {
				if (id == size)
					throw std::length_error("no number is free");
				if (!(seen & 1u << id)) {
					if (claim(seen, seen | 1u << id))
						return id;
					break;
				}
			}
	}

	void give(int id)
	{
		if (!(taken.fetch_and(~(1u << id)) & 1u << id))
			throw std::invalid_argument("the number is not taken");
	}

private:
	bool claim(unsigned &seen, unsigned with)
	{
#ifdef LOOK_FIRST // for bug_idpool.cpp
		if (taken != seen)
			return seen = taken, false;
		taken = with;
		return true;
#else
		return taken.compare_exchange_strong(seen, with);
#endif
	}

	std::atomic<unsigned> taken{ 0 };
};

#include <linchpin.hpp>

class Free {
public:
	int take(lp::chooser &may)
	{
		if (ids.empty())
			throw std::length_error("no number is free");
		const auto any = std::next(ids.begin(), may.choose(static_cast<unsigned>(ids.size())));
		const int id = *any;
		ids.erase(any);
		return id;
	}

	void give(int id)
	{
		if (!ids.insert(id).second)
			throw std::invalid_argument("the number is not taken");
	}

	auto fields() { return std::tie(ids); }
	using throws = lp::throws<std::length_error, std::invalid_argument>;

private:
	std::set<int> ids{ 0, 1 };
};

static IdPool pool;

LP_SPEC_CLASS(Free, take, give)
LP_ARGS("give 0 1")
LP_CALL(take, pool, &IdPool::take)
LP_CALL(give, pool, &IdPool::give)
