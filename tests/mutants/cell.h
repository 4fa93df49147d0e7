/* cell.h -- parts of cell.cpp that are in a header: a template, an inline function of several methods, macros. */
#ifndef CELL_H
#define CELL_H

#include <atomic>

/* Several operations in one line, each expansion of which has mutants of its own. */
#define ADD_IF(condition, place, amount) do { if (condition) (place).fetch_add(amount); } while (0)

template <class T>
struct cell {
	std::atomic<T> value{0};

	T bump(T by)
	{
		return value.fetch_add(by, std::memory_order_relaxed) + by;
	}
};

static inline bool is_even(long n)
{
	return n % 2 == 0;
}

#endif
