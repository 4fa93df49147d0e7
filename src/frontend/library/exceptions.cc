// exceptions.cc -- the standard classes of exceptions, and the functions that throw them.
//
// The text of an exception is shared by its copies, as in libstdc++.  The layout is that of libstdc++, too, so an
// exception that libstdc++ itself has thrown can be copied and destroyed here.
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <typeinfo>

namespace {

struct text {
	size_t size, room;
	int others; // owners but one
	char at[1];
};

constexpr size_t text_offset = 3 * sizeof(size_t);

text *text_of(const char *at)
{
	return reinterpret_cast<text *>(const_cast<char *>(at) - text_offset);
}

const char *new_text(const char *from, size_t size)
{
	text *t = static_cast<text *>(::operator new(text_offset + size + 1));

	t->size = t->room = size;
	t->others = 0;
	char *const at = reinterpret_cast<char *>(t) + text_offset;
	std::memcpy(at, from, size);
	at[size] = '\0';
	return at;
}

void take(const char *at)
{
	__atomic_fetch_add(&text_of(at)->others, 1, __ATOMIC_RELAXED);
}

void drop(const char *at)
{
	if (at && __atomic_fetch_add(&text_of(at)->others, -1, __ATOMIC_ACQ_REL) <= 0)
		::operator delete(text_of(at));
}

} // namespace

namespace std {

// An empty text is one that was moved away.
__cow_string::__cow_string() : _M_p(new_text("", 0)) {}
__cow_string::__cow_string(const string &s) : _M_p(new_text(s.data(), s.size())) {}
__cow_string::__cow_string(const char *s, size_t size) : _M_p(new_text(s, size)) {}
__cow_string::__cow_string(const __cow_string &from) noexcept : _M_p(from._M_p) { take(_M_p); }
__cow_string::__cow_string(__cow_string &&from) noexcept : _M_p(from._M_p) { from._M_p = new_text("", 0); }
__cow_string::~__cow_string() { drop(_M_p); }

__cow_string &__cow_string::operator=(const __cow_string &from) noexcept
{
	take(from._M_p);
	drop(_M_p);
	_M_p = from._M_p;
	return *this;
}

__cow_string &__cow_string::operator=(__cow_string &&from) noexcept
{
	const char *const mine = _M_p;

	_M_p = from._M_p;
	from._M_p = mine;
	return *this;
}

// ---- classes ----

#define PLAIN(name, text)                                   \
	name::~name() noexcept {}                           \
	const char *name::what() const noexcept { return text; }

PLAIN(exception, "std::exception")
PLAIN(bad_exception, "std::bad_exception")
PLAIN(bad_alloc, "std::bad_alloc")
PLAIN(bad_array_new_length, "std::bad_array_new_length")
PLAIN(bad_cast, "std::bad_cast")
PLAIN(bad_typeid, "std::bad_typeid")
PLAIN(bad_function_call, "bad_function_call")
PLAIN(bad_weak_ptr, "bad_weak_ptr")

nested_exception::~nested_exception() noexcept {}

#define ROOT(name)                                                                        \
	name::name(const string &s) : exception(), _M_msg(s) {}                           \
	name::name(const char *s) : exception(), _M_msg(s, strlen(s)) {}                  \
	name::name(const name &from) noexcept : exception(from), _M_msg(from._M_msg) {}   \
	name::name(name &&from) noexcept : exception(), _M_msg(static_cast<__cow_string &&>(from._M_msg)) {} \
	name &name::operator=(const name &from) noexcept                                  \
	{                                                                                 \
		_M_msg = from._M_msg;                                                     \
		return *this;                                                             \
	}                                                                                 \
	name &name::operator=(name &&from) noexcept                                       \
	{                                                                                 \
		_M_msg = static_cast<__cow_string &&>(from._M_msg);                       \
		return *this;                                                             \
	}                                                                                 \
	name::~name() noexcept {}                                                         \
	const char *name::what() const noexcept { return _M_msg._M_p; }

ROOT(logic_error)
ROOT(runtime_error)

#define DERIVED(name, base)                       \
	name::name(const string &s) : base(s) {}  \
	name::name(const char *s) : base(s) {}    \
	name::~name() noexcept {}

DERIVED(domain_error, logic_error)
DERIVED(invalid_argument, logic_error)
DERIVED(length_error, logic_error)
DERIVED(out_of_range, logic_error)
DERIVED(range_error, runtime_error)
DERIVED(overflow_error, runtime_error)
DERIVED(underflow_error, runtime_error)

system_error::~system_error() noexcept {}
future_error::~future_error() noexcept {}
const char *future_error::what() const noexcept { return logic_error::what(); }

// ---- codes of errors ----

error_category::~error_category() {}
__cow_string error_category::_M_message(int code) const { return __cow_string(message(code)); }

error_condition error_category::default_error_condition(int code) const noexcept
{
	return error_condition(code, *this);
}

bool error_category::equivalent(int code, const error_condition &condition) const noexcept
{
	return default_error_condition(code) == condition;
}

bool error_category::equivalent(const error_code &code, int condition) const noexcept
{
	return *this == code.category() && code.value() == condition;
}

error_condition error_code::default_error_condition() const noexcept
{
	return category().default_error_condition(value());
}

} // namespace std

namespace {

struct generic_errors : std::error_category {
	const char *name() const noexcept override { return "generic"; }
	std::string message(int code) const override { return std::strerror(code); }
};

// On Linux every code of the system is one of errno.
struct system_errors : generic_errors {
	const char *name() const noexcept override { return "system"; }
	std::error_condition default_error_condition(int code) const noexcept override
	{
		return std::error_condition(code, std::generic_category());
	}
};

struct future_errors : std::error_category {
	const char *name() const noexcept override { return "future"; }
	std::string message(int code) const override
	{
		switch (std::future_errc(code)) {
		case std::future_errc::promise_already_satisfied:
			return "Promise already satisfied";
		case std::future_errc::future_already_retrieved:
			return "Future already retrieved";
		case std::future_errc::no_state:
			return "No associated state";
		case std::future_errc::broken_promise:
			return "Broken promise";
		default:
			return "Unknown error";
		}
	}
};

// Initialised when they are compiled, and never destroyed: a program that does not use them has none of them.
[[clang::no_destroy]] constinit const generic_errors generic;
[[clang::no_destroy]] constinit const system_errors system_;
[[clang::no_destroy]] constinit const future_errors future_;

} // namespace

namespace std {

inline namespace _V2 {
const error_category &generic_category() noexcept { return generic; }
const error_category &system_category() noexcept { return system_; }
} // namespace _V2
const error_category &future_category() noexcept { return future_; }

// ---- what throws them ----

void __throw_bad_exception() { throw bad_exception(); }
void __throw_bad_alloc() { throw bad_alloc(); }
void __throw_bad_array_new_length() { throw bad_array_new_length(); }
void __throw_bad_cast() { throw bad_cast(); }
void __throw_bad_typeid() { throw bad_typeid(); }
void __throw_bad_function_call() { throw bad_function_call(); }
void __throw_logic_error(const char *s) { throw logic_error(s); }
void __throw_domain_error(const char *s) { throw domain_error(s); }
void __throw_invalid_argument(const char *s) { throw invalid_argument(s); }
void __throw_length_error(const char *s) { throw length_error(s); }
void __throw_out_of_range(const char *s) { throw out_of_range(s); }
void __throw_runtime_error(const char *s) { throw runtime_error(s); }
void __throw_range_error(const char *s) { throw range_error(s); }
void __throw_overflow_error(const char *s) { throw overflow_error(s); }
void __throw_underflow_error(const char *s) { throw underflow_error(s); }
void __throw_system_error(int code) { throw system_error(error_code(code, generic_category())); }
void __throw_future_error(int code) { throw future_error(make_error_code(future_errc(code))); }

void __throw_out_of_range_fmt(const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	throw out_of_range(text);
}

} // namespace std

// The compiler calls these, too.
extern "C" {
[[noreturn]] void __cxa_bad_cast() { throw std::bad_cast(); }
[[noreturn]] void __cxa_bad_typeid() { throw std::bad_typeid(); }
[[noreturn]] void __cxa_throw_bad_array_new_length() { throw std::bad_array_new_length(); }
}
