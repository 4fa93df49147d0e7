// linchpin/values.hpp -- C++ values as the numbers that calls take and return.
//
// A result is a number: that of an integer, a bool or an enumerator; LP_VOID where a function returns nothing; LP_NIL for a
// std::optional that has no value (queues and stacks read it as LP_EMPTY); several numbers for a std::array or std::vector.
// An exception is a result, too.  Either it stands for one of the words (lp::empty_on<std::out_of_range>), or, with a
// specification that is a class and throws it as well, for itself: a number made of its name.
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

// Not before a template is used.
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
		return static_cast<T (*)()>(nullptr)(); // of its type, so that there is no second message
}

// ---- exceptions ----

// The name of a type as the compiler writes it.
template <typename T> constexpr std::string_view type_name()
{
	constexpr std::string_view all = __PRETTY_FUNCTION__;
	constexpr std::size_t from = all.find("T = ") + 4;

	return all.substr(from, all.find_first_of(";]", from) - from);
}

// The same, with a 0 at its end.
template <typename T> struct type_text {
	static constexpr std::size_t size = type_name<T>().size();
	template <std::size_t... I> static constexpr std::array<char, size + 1> copy(std::index_sequence<I...>)
	{
		return { { type_name<T>()[I]..., '\0' } };
	}
	static constexpr std::array<char, size + 1> at = copy(std::make_index_sequence<size>());
};

// The number that stands for an exception: by FNV-1a, from LP_THROWN up to LP_LOWEST.
template <typename E> constexpr std::int64_t thrown()
{
	std::uint64_t hash = 14695981039346656037u;

	for (const char c : type_name<E>())
		hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
	return LP_THROWN + static_cast<std::int64_t>(hash >> 3);
}

// What an exception stands for.
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

// The first one that fits counts, as with the clauses of a try.
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
