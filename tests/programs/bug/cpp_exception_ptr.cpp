/* Exceptions that come out of another thread, or are kept: std::exception_ptr, nested ones, promises, std::async.
 * Each is destroyed once, after its last use.
 * options: -- -std=c++17
 * expect sc,rc11: verified
 * expect sc,rc11 -- -DRACE: violation race at BUG
 */
#include <cassert>
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

static int live;

struct failure {
	int code;
	explicit failure(int c) : code(c) { live++; }
	failure(const failure &f) : code(f.code) { live++; }
	~failure() { live--; }
};

static void share()
{
	std::exception_ptr kept;

	try {
		throw failure(3);
	} catch (...) {
		kept = std::current_exception();
	}
	assert(live == 1);
	std::thread other([kept] {
		try {
			std::rethrow_exception(kept);
		} catch (failure &f) {
#ifdef RACE
			f.code = 4; /* BUG */
#endif
			assert(f.code >= 3);
		}
	});
	try {
		std::rethrow_exception(kept);
	} catch (const failure &f) {
		assert(f.code >= 3); /* BUG */
	}
	kept = nullptr;
	other.join();
	assert(live == 0); /* the last owner destroyed it, in either thread */
}

static void nest()
{
	try {
		try {
			throw std::runtime_error("inner");
		} catch (...) {
			std::throw_with_nested(std::logic_error("outer"));
		}
	} catch (const std::exception &outer) {
		assert(std::string(outer.what()) == "outer");
		try {
			std::rethrow_if_nested(outer);
			assert(false);
		} catch (const std::runtime_error &inner) {
			assert(std::string(inner.what()) == "inner");
		}
	}
	std::exception_ptr made = std::make_exception_ptr(5);
	try {
		std::rethrow_exception(made);
	} catch (int i) {
		assert(i == 5 && std::current_exception() == made);
	}
}

static void promise()
{
	std::future<int> broken;
	{
		std::promise<int> p;
		broken = p.get_future();
	}
	try {
		broken.get();
		assert(false);
	} catch (const std::future_error &e) {
		assert(e.code() == std::future_errc::broken_promise && *e.what());
	}
	std::future<int> thrown = std::async(std::launch::async, []() -> int { throw std::out_of_range("async"); });
	try {
		thrown.get();
		assert(false);
	} catch (const std::logic_error &e) {
		assert(std::string(e.what()) == "async");
	}
}

int main()
{
	share();
#ifndef RACE
	nest();
	promise();
#endif
	return 0;
}
