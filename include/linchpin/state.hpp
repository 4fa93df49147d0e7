// linchpin/state.hpp -- turns the members of a class into the words of a specification's state, and into text.
//
// A state is identified by its words, and a state with the same words is not tried twice.  So the words of a
// container must depend on its contents alone.  Hashed containers are refused, because the order of their elements
// also depends on their past.
#ifndef LINCHPIN_STATE_HPP
#define LINCHPIN_STATE_HPP

#include <algorithm>
#include <array>
#include <optional>
#include <queue>
#include <stack>
#include <string>
#include <tuple>
#include <type_traits>

#include "values.hpp"

namespace lp {

// ---- kinds of members ----

template <typename T> struct is_tuple : std::false_type {};
template <typename... T> struct is_tuple<std::tuple<T...>> : std::true_type {};
template <typename A, typename B> struct is_tuple<std::pair<A, B>> : std::true_type {};
template <typename T> struct is_array : std::false_type {};
template <typename T, std::size_t N> struct is_array<std::array<T, N>> : std::true_type {};
template <typename T> struct is_adaptor : std::false_type {};
template <typename T, typename C> struct is_adaptor<std::queue<T, C>> : std::true_type {};
template <typename T, typename C> struct is_adaptor<std::stack<T, C>> : std::true_type {};

template <typename T, typename = void> struct has_fields : std::false_type {};
template <typename T> struct has_fields<T, std::void_t<decltype(std::declval<T &>().fields())>> : std::true_type {};
template <typename T, typename = void> struct is_ordered : std::false_type {};
template <typename T> struct is_ordered<T, std::void_t<typename T::key_compare>> : std::true_type {};
template <typename T, typename = void> struct is_map : std::false_type {};
template <typename T> struct is_map<T, std::void_t<typename T::mapped_type>> : std::true_type {};
template <typename T, typename = void> struct is_hashed : std::false_type {};
template <typename T> struct is_hashed<T, std::void_t<typename T::hasher>> : std::true_type {};
template <typename T, typename = void> struct is_sequence : std::false_type {};
template <typename T>
struct is_sequence<T, std::void_t<decltype(std::declval<T &>().push_back(std::declval<typename T::value_type>()))>>
    : std::true_type {};

template <typename T>
inline constexpr bool is_kept = is_number<T> || is_optional<T>::value || is_tuple<T>::value || is_array<T>::value ||
				is_adaptor<T>::value || is_ordered<T>::value || is_sequence<T>::value || has_fields<T>::value;

template <typename T> constexpr void refuse()
{
	if constexpr (is_hashed<T>::value)
		static_assert(never<T>, "linchpin: a specification's state cannot have containers that hash, whose order is not that of "
					"their contents: take std::set or std::map");
	else if constexpr (std::is_pointer_v<T> || std::is_floating_point_v<T>)
		static_assert(never<T>, "linchpin: a specification's state has neither pointers nor floating-point numbers");
	else
		static_assert(never<T>, "linchpin: a class in a specification's state must list its members: "
					"auto fields() { return std::tie(first, second); }");
}

// The container of a std::queue or std::stack.
template <typename T> auto &inside(T &adaptor)
{
	struct open : T {
		static auto &of(T &t) { return t.*&open::c; }
	};
	return open::of(adaptor);
}

// The type of a container's elements, without the const of a map's keys, so that an element can be filled in.
template <typename T, bool = is_map<T>::value> struct element_of {
	using type = typename T::value_type;
};
template <typename T> struct element_of<T, true> {
	using type = std::pair<typename T::key_type, typename T::mapped_type>;
};

// ---- all members listed? ----

// Returns the size of a class that has exactly these members, in this order.
template <typename... M> constexpr std::size_t size_of_members(std::tuple<M &...> *)
{
	std::size_t end = 0, alignment = 1;

	((end = (end + alignof(M) - 1) / alignof(M) * alignof(M) + sizeof(M),
	  alignment = std::max(alignment, alignof(M))), ...);
	return (end + alignment - 1) / alignment * alignment;
}

template <typename T> constexpr bool has_all_fields()
{
	using all = decltype(std::declval<T &>().fields());
	constexpr std::size_t table = std::is_polymorphic_v<T> ? sizeof(void *) : 0;

	static_assert(std::is_empty_v<T> || sizeof(T) <= size_of_members(static_cast<all *>(nullptr)) + table,
		      "linchpin: fields() must list all members, in the order of their declaration: what is not listed is lost "
		      "between two calls");
	return true;
}

// ---- to words, and back ----

template <typename T> void put(lp_state *s, T &value)
{
	if constexpr (!is_kept<T>) {
		refuse<T>();
	} else if constexpr (has_fields<T>::value) {
		static_assert(has_all_fields<T>());
		std::apply([&](auto &...each) { (put(s, each), ...); }, value.fields());
	} else if constexpr (is_number<T>) {
		lp_state_push(s, static_cast<std::int64_t>(value));
	} else if constexpr (is_optional<T>::value) {
		lp_state_push(s, value.has_value());
		if (value)
			put(s, *value);
	} else if constexpr (is_tuple<T>::value) {
		std::apply([&](auto &...each) { (put(s, each), ...); }, value);
	} else if constexpr (is_adaptor<T>::value) {
		put(s, inside(value));
	} else {
		if constexpr (!is_array<T>::value)
			lp_state_push(s, static_cast<std::int64_t>(value.size()));
		for (const auto &from : value) {
			typename element_of<T>::type each = from;
			put(s, each);
		}
	}
}

template <typename T> void get(const std::int64_t *&at, T &value)
{
	if constexpr (!is_kept<T>) { // refused by put()
	} else if constexpr (has_fields<T>::value) {
		std::apply([&](auto &...each) { (get(at, each), ...); }, value.fields());
	} else if constexpr (is_number<T>) {
		value = static_cast<T>(*at++);
	} else if constexpr (is_optional<T>::value) {
		value.reset();
		if (*at++)
			get(at, value.emplace());
	} else if constexpr (is_tuple<T>::value) {
		std::apply([&](auto &...each) { (get(at, each), ...); }, value);
	} else if constexpr (is_adaptor<T>::value) {
		get(at, inside(value));
	} else if constexpr (is_array<T>::value) {
		for (auto &each : value)
			get(at, each);
	} else {
		value.clear();
		for (std::int64_t left = *at++; left > 0; left--) {
			typename element_of<T>::type each{};
			get(at, each);
			value.insert(value.end(), std::move(each));
		}
	}
}

// ---- to text ----

template <typename T> void tell(std::string &out, T &value);

template <typename T> void tell_all(std::string &out, T &values, const char *brackets)
{
	const char *between = "";

	out += brackets[0];
	for (const auto &from : values) {
		typename element_of<T>::type each = from;
		out += between;
		if constexpr (is_map<T>::value) {
			tell(out, each.first);
			out += ": ";
			tell(out, each.second);
		} else {
			tell(out, each);
		}
		between = ", ";
	}
	out += brackets[1];
}

template <typename T> void tell_each(std::string &out, T &&members)
{
	const char *between = "";

	std::apply([&](auto &...each) { ((out += between, tell(out, each), between = ", "), ...); }, members);
}

template <typename T> void tell(std::string &out, T &value)
{
	if constexpr (!is_kept<T>)
		return;
	else if constexpr (has_fields<T>::value)
		tell_each(out, value.fields());
	else if constexpr (std::is_same_v<T, bool>)
		out += value ? "true" : "false";
	else if constexpr (is_number<T>)
		out += std::to_string(static_cast<std::int64_t>(value));
	else if constexpr (is_tuple<T>::value)
		tell_each(out, value);
	else if constexpr (is_adaptor<T>::value)
		tell(out, inside(value));
	else if constexpr (!is_optional<T>::value)
		tell_all(out, value, is_ordered<T>::value ? "{}" : "[]");
	else if (value)
		tell(out, *value);
	else
		out += "nil";
}

} // namespace lp

#endif
