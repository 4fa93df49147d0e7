// linchpin/values.hpp -- C++ values as the numbers that calls take and return.
//
// A result is a number: an integer, a bool or an enumerator is converted; a function that returns nothing has the result
// LP_VOID; a std::optional without a value is LP_NIL, which queues and stacks read as LP_EMPTY.  A std::array or
// std::vector is a result of several numbers.  An exception is a result, too.  It can stand for a special value
// (lp::empty_on<std::out_of_range>); if the specification is a class that throws the same exception, the result is a number
// computed from the exception's name.
#ifndef LINCHPIN_VALUES_HPP
#define LINCHPIN_VALUES_HPP

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../linchpin.h"

namespace lp {

template <typename T> struct is_optional : std::false_type {};
template <typename T> struct is_optional<std::optional<T>> : std::true_type {};

template <typename T> struct is_several : std::false_type {};
template <typename T, std::size_t N> struct is_several<std::array<T, N>> : std::true_type {};
template <typename T, typename A> struct is_several<std::vector<T, A>> : std::true_type {};

template <typename T> inline constexpr bool is_number = std::is_integral_v<T> || std::is_enum_v<T>;

// False, but only known once a template is instantiated, so that static_assert(never<T>) fails only then.
template <typename> inline constexpr bool never = false;

template <typename T> std::int64_t number(const T &value)
{
	if constexpr (is_optional<T>::value)
		return value ? number(*value) : LP_NIL;
	else if constexpr (is_number<T>)
		return static_cast<std::int64_t>(value);
	else
		static_assert(never<T>, "linchpin: a result must be an integer, a bool, an enumerator, a std::optional of these, a "
					"std::array or std::vector of these, or nothing; let a lambda convert it");
	return 0;
}

template <typename T> std::vector<std::int64_t> numbers(const T &values)
{
	std::vector<std::int64_t> all;

	for (const auto &value : values)
		all.push_back(number(value));
	return all;
}

// ---- arguments ----

template <typename P> decltype(auto) argument(std::int64_t value)
{
	using T = std::decay_t<P>;

	static_assert(is_number<T> || std::is_constructible_v<T, std::int64_t>,
		      "linchpin: a parameter of a method must be an integer, a bool, an enumerator, or be made of an integer; "
		      "let a lambda convert it");
	if constexpr (is_number<T>)
		return static_cast<T>(value);
	else if constexpr (std::is_constructible_v<T, std::int64_t>)
		return T(value);
	else
		return static_cast<T (*)()>(nullptr)(); // any expression of type T, to avoid a second error message
}

// ---- exceptions ----

// Returns the name of a type as the compiler writes it.
template <typename T> constexpr std::string_view type_name()
{
	constexpr std::string_view all = __PRETTY_FUNCTION__;
	constexpr std::size_t from = all.find("T = ") + 4;

	return all.substr(from, all.find_first_of(";]", from) - from);
}

// The name of a type as a C string.
template <typename T> struct type_text {
	static constexpr std::size_t size = type_name<T>().size();
	template <std::size_t... I> static constexpr std::array<char, size + 1> copy(std::index_sequence<I...>)
	{
		return { { type_name<T>()[I]..., '\0' } };
	}
	static constexpr std::array<char, size + 1> at = copy(std::make_index_sequence<size>());
};

// Returns the number that stands for an exception, from LP_THROWN up to LP_LOWEST: the FNV-1a hash of its name.
template <typename E> constexpr std::int64_t thrown()
{
	std::uint64_t hash = 14695981039346656037u;

	for (const char c : type_name<E>())
		hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
	return LP_THROWN + static_cast<std::int64_t>(hash >> 3);
}

// Maps an exception to a result.
template <typename E> struct on {
	std::int64_t value;
};
template <typename E> inline constexpr on<E> empty_on{ LP_EMPTY };
template <typename E> inline constexpr on<E> full_on{ LP_FULL };
template <typename E> inline constexpr on<E> nil_on{ LP_NIL };
template <typename E> inline constexpr on<E> false_on{ 0 };

// The exceptions of a class that is a specification: using throws = lp::throws<std::out_of_range>;
template <typename... E> struct throws {};

template <typename Body> std::int64_t guarded(const Body &body)
{
	return body();
}

// As with the handlers of a try block, the first exception that matches decides.
template <typename Body, typename E, typename... Rest>
std::int64_t guarded(const Body &body, const on<E> &first, const Rest &...rest)
{
#ifdef __cpp_exceptions
	const auto caught = [&]() -> std::int64_t {
		try {
			return body();
		} catch (const E &) {
			return first.value;
		}
	};
	return guarded(caught, rest...);
#else
	static_assert(never<Body>, "linchpin: an exception can only be a result if exceptions are enabled");
	return 0;
#endif
}

} // namespace lp

#endif
