/* The standard's classes of exceptions: what() says what is expected, copies share their text, a thread has its own.
 * options: -- -std=c++17
 * expect sc,rc11: verified
 */
#include <any>
#include <cassert>
#include <cstdlib>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <typeinfo>
#include <variant>
#include <vector>

template <class T> static void says(const T &thrown, const char *what)
{
	try {
		throw thrown;
	} catch (const std::exception &e) {
		assert(std::string(e.what()) == what);
	}
}

struct polymorphic {
	virtual ~polymorphic() = default;
};
struct derived : polymorphic {};

static void thrown_by_library()
{
	int caught = 0;
	auto expect = [&caught](auto f, const char *what) {
		try {
			f();
		} catch (const std::exception &e) {
			assert(std::string(e.what()).find(what) == 0);
			caught++;
		}
	};
	expect([] { return std::vector<int>(1).at(1); }, "vector::_M_range_check: __n (which is 1) >= this->size() (which is 1)");
	expect([] { return std::string("a").substr(2).size(); }, "basic_string::substr");
	expect([] { return std::stoi("none"); }, "stoi");
	expect([] { std::vector<int>().reserve(SIZE_MAX); return 0; }, "vector::reserve");
	expect([] { return std::function<int()>()(); }, "bad_function_call");
	expect([] { return *std::shared_ptr<int>(std::weak_ptr<int>()); }, "bad_weak_ptr");
	expect([] { return std::optional<int>().value(); }, "bad optional access");
	expect([] { return std::get<int>(std::variant<int, char>('x')); }, "std::get: wrong index for variant");
	expect([] { return std::any_cast<int>(std::any('x')); }, "bad any_cast");
	expect([] { polymorphic p; return int(&dynamic_cast<derived &>(p) == nullptr); }, "std::bad_cast");
	expect([] { polymorphic *none = nullptr; return typeid(*none).name()[0]; }, "std::bad_typeid");
	expect([] { std::unique_lock<std::mutex>().lock(); return 0; }, "Operation not permitted");
	assert(caught == 12);
}

int main()
{
	says(std::exception(), "std::exception");
	says(std::bad_alloc(), "std::bad_alloc");
	says(std::bad_exception(), "std::bad_exception");
	says(std::logic_error("l"), "l");
	says(std::domain_error("d"), "d");
	says(std::invalid_argument(std::string("i")), "i");
	says(std::length_error("n"), "n");
	says(std::range_error("r"), "r");
	says(std::overflow_error("o"), "o");
	says(std::underflow_error(std::string("u")), "u");
	says(std::system_error(std::make_error_code(std::errc::timed_out), "late"), "late: Connection timed out");
	thrown_by_library();

	std::runtime_error first("a text that copies share"), copy(first);
	std::thread other([copy] { assert(std::string(copy.what()) == "a text that copies share"); });
	copy = std::runtime_error("another");
	assert(std::string(first.what()) == "a text that copies share" && std::string(copy.what()) == "another");
	other.join();

	std::set_terminate([] { std::_Exit(0); });
	throw 1;
}
