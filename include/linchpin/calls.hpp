// linchpin/calls.hpp -- callables as methods: LP_CALL of linchpin.hpp.
//
// A method can be a lambda, a function, or an object with one of its member functions.  The number of its arguments follows
// from its type.  If a function returns bool, a parameter of type `T &` is not an argument: the function leaves its result
// there if it returns true, so bool try_pop(long &) is treated like std::optional<long> try_pop().
#ifndef LINCHPIN_CALLS_HPP
#define LINCHPIN_CALLS_HPP

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "values.hpp"

namespace lp {

// ---- the types of parameters ----

template <typename R, typename... P> struct signature {
	static constexpr bool known = true;
	using result = R;
	using parameters = std::tuple<P...>;
	static constexpr std::size_t count = sizeof...(P);
};

template <typename F> struct signature_of;
template <typename R, typename... P> struct signature_of<R (*)(P...)> : signature<R, P...> {};
template <typename R, typename... P> struct signature_of<R (*)(P...) noexcept> : signature<R, P...> {};
#define LP_MEMBER_SIGNATURE_(qualifiers)                  \
	template <typename R, typename C, typename... P>  \
	struct signature_of<R (C::*)(P...) qualifiers> : signature<R, P...> {};
LP_MEMBER_SIGNATURE_()
LP_MEMBER_SIGNATURE_(const)
LP_MEMBER_SIGNATURE_(&)
LP_MEMBER_SIGNATURE_(const &)
LP_MEMBER_SIGNATURE_(noexcept)
LP_MEMBER_SIGNATURE_(const noexcept)
LP_MEMBER_SIGNATURE_(& noexcept)
LP_MEMBER_SIGNATURE_(const & noexcept)
#undef LP_MEMBER_SIGNATURE_

template <typename F, typename = void> struct is_class_with_call : std::false_type {};
template <typename F> struct is_class_with_call<F, std::void_t<decltype(&F::operator())>> : std::true_type {};

struct no_signature : signature<void> {
	static constexpr bool known = false;
};

// The parameters of a generic lambda are numbers; this function finds how many of them the lambda takes.
template <typename F> constexpr auto generic_signature()
{
	using N = std::int64_t;

	if constexpr (std::is_invocable_v<F>)
		return signature<std::invoke_result_t<F>>{};
	else if constexpr (std::is_invocable_v<F, N>)
		return signature<std::invoke_result_t<F, N>, N>{};
	else if constexpr (std::is_invocable_v<F, N, N>)
		return signature<std::invoke_result_t<F, N, N>, N, N>{};
	else if constexpr (std::is_invocable_v<F, N, N, N>)
		return signature<std::invoke_result_t<F, N, N, N>, N, N, N>{};
	else
		return no_signature{};
}

// A callable made of an object and one of its member functions.
template <typename Object, typename Member> struct bound {
	Object *object;
	Member member;

	template <typename... P> decltype(auto) operator()(P &&...p) const
	{
		return (object->*member)(static_cast<P &&>(p)...);
	}
};
template <typename Object, typename Member> struct signature_of<bound<Object, Member>> : signature_of<Member> {};

template <typename F> struct is_bound : std::false_type {};
template <typename Object, typename Member> struct is_bound<bound<Object, Member>> : std::true_type {};

template <typename F> constexpr auto find_signature()
{
	if constexpr (is_class_with_call<F>::value)
		return signature_of<decltype(&F::operator())>{};
	else if constexpr (std::is_class_v<F> && !is_bound<F>::value)
		return generic_signature<F>();
	else
		return signature_of<F>{};
}

// True if `P` is a reference through which the function returns a value.
template <typename P>
inline constexpr bool is_left = std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>;

template <typename Parameters> struct left_of;
template <> struct left_of<std::tuple<>> {
	static constexpr std::size_t count = 0;
};
template <typename P, typename... Rest> struct left_of<std::tuple<P, Rest...>> {
	static constexpr std::size_t count = is_left<P> + left_of<std::tuple<Rest...>>::count;
};

// ---- calls ----

template <typename F> auto invoke(const F &f)
{
	using R = decltype(f());

	if constexpr (std::is_void_v<R>) {
		f();
		return LP_VOID;
	} else if constexpr (is_several<std::decay_t<R>>::value) {
		const auto all = numbers(f());
		return lp_several(all.data(), static_cast<unsigned>(all.size()));
	} else {
		return number(static_cast<const std::decay_t<R> &>(f()));
	}
}

template <typename F, typename... On> class callable {
	using type = decltype(find_signature<F>());
	using parameters = typename type::parameters;
	static constexpr std::size_t left = left_of<parameters>::count;

public:
	static constexpr int args = static_cast<int>(std::min<std::size_t>(type::count - left, LP_MAX_ARGS));

	// The assertions are in a function: a class that failed one would have no members, and each use of a member would cause
	// a further error message.
	static constexpr void approve()
	{
		static_assert(type::known, "linchpin: a method is a lambda, a function, or an object and a member function of it, and "
					   "takes up to three integers");
		static_assert(left == 0 || (left == 1 && std::is_same_v<typename type::result, bool>),
			      "linchpin: a parameter that is a reference is where a function leaves a value: there is one at most, "
			      "and the function returns bool, which says whether it has");
		static_assert(type::count - left <= LP_MAX_ARGS, "linchpin: a method takes up to three arguments");
	}

	constexpr callable(F f, On... on) : f(f), handlers(on...) {}

	// The exceptions in `throws<...>` are results of their own (values.hpp).
	template <typename... E, typename... A> std::int64_t operator()(throws<E...>, A... argument) const
	{
		static_assert(sizeof...(A) == args, "linchpin: that is not the number of arguments that the method takes");
		const std::array<std::int64_t, LP_MAX_ARGS> all{ { static_cast<std::int64_t>(argument)... } };
		return std::apply([&](const auto &...h) {
			return guarded([&] { return call(all, std::make_index_sequence<type::count>()); }, h...,
				       on<E>{ thrown<E>() }...);
		}, handlers);
	}

private:
	template <std::size_t I> using parameter = std::tuple_element_t<I, parameters>;

	template <std::size_t... I> static constexpr std::size_t place_of_left(std::index_sequence<I...>)
	{
		std::size_t place = type::count;

		((place = is_left<parameter<I>> && place == type::count ? I : place), ...);
		return place;
	}

	// Returns what parameter I is bound to: `value`, if the function returns a value through this parameter; otherwise the next
	// argument.
	template <std::size_t I, typename Left>
	static decltype(auto) given(const std::array<std::int64_t, LP_MAX_ARGS> &all, Left &value)
	{
		if constexpr (is_left<parameter<I>>) {
			return (value);
		} else {
			constexpr std::size_t place = place_of_left(std::make_index_sequence<type::count>());
			return argument<parameter<I>>(all[left && I > place ? I - 1 : I]);
		}
	}

	template <std::size_t... I>
	std::int64_t call(const std::array<std::int64_t, LP_MAX_ARGS> &all, std::index_sequence<I...> order) const
	{
		if constexpr (!type::known) {
			return LP_VOID;
		} else if constexpr (left) {
			std::decay_t<parameter<place_of_left(order)>> value;
			return f(given<I>(all, value)...) ? number(value) : LP_NIL;
		} else {
			(void)order;
			return invoke([&]() -> decltype(auto) { return f(given<I>(all, all)...); });
		}
	}

	F f;
	std::tuple<On...> handlers;
};

template <typename T> struct is_on : std::false_type {};
template <typename E> struct is_on<on<E>> : std::true_type {};

template <typename F, typename... On> constexpr auto make_call(F f, On... on)
{
	constexpr bool good = (is_on<On>::value && ...);

	static_assert(good, "linchpin: LP_CALL(name, callable) or LP_CALL(name, object, &Class::member), and then what exceptions "
			    "stand for: lp::empty_on<std::out_of_range>");
	if constexpr (good) {
		callable<F, On...>::approve();
		return callable<F, On...>(f, on...);
	} else {
		return callable<F>(f);
	}
}

template <typename Object, typename Member, typename... On,
	  typename = std::enable_if_t<std::is_member_function_pointer_v<Member>>>
constexpr auto call(Object &object, Member member, On... on)
{
	return make_call(bound<Object, Member>{ &object, member }, on...);
}

// The callable, followed by any number of exceptions.
template <typename F> constexpr auto call(F f)
{
	return make_call(f);
}

template <typename F, typename First, typename... On,
	  typename = std::enable_if_t<!std::is_member_function_pointer_v<First>>, typename = void>
constexpr auto call(F f, First first, On... on)
{
	return make_call(f, first, on...);
}

} // namespace lp

#endif
