// linchpin/model.hpp -- an ordinary class as a specification: LP_SPEC_CLASS of linchpin.hpp.
//
// Each step of such a specification makes an object from the words of the state, calls the method, compares its result or exception with the
// observed one, and turns the object into words again.  This code does not run as part of the program under test: it
// is compiled like any other code, without instrumentation, and uses the real standard library.
#ifndef LINCHPIN_MODEL_HPP
#define LINCHPIN_MODEL_HPP

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "calls.hpp"
#include "state.hpp"

namespace lp {

// ---- further types that methods of such a class may return or take ----

struct waits_t {};
// The call waits in this state: lp::may_wait<long> take() { if (items.empty()) return lp::waits; ... }
inline constexpr waits_t waits{};

template <typename R> struct may_wait {
	std::optional<R> value;

	may_wait(waits_t) {}
	template <typename V> may_wait(V &&v) : value(std::forward<V>(v)) {}
};
template <> struct may_wait<void> {
	bool waiting = false;

	may_wait() = default;
	may_wait(waits_t) : waiting(true) {}
};

// A method that allows several results takes a chooser as its first parameter, and asks it to choose; each answer is
// tried.
class chooser {
public:
	// Returns a number from 0 to count-1.
	unsigned choose(unsigned count)
	{
		if (asked == answers.size())
			answers.push_back({ 0, count });
		return answers[asked++].first;
	}
	bool either() { return choose(2) != 0; }

	// Goes on to the next sequence of answers.  Returns false if there are no more.
	bool next()
	{
		asked = 0;
		while (!answers.empty() && answers.back().first + 1 >= answers.back().second)
			answers.pop_back();
		if (answers.empty())
			return false;
		answers.back().first++;
		return true;
	}

private:
	std::vector<std::pair<unsigned, unsigned>> answers;
	std::size_t asked = 0;
};

// ---- one step ----

// Returns an object in the initial state.  kind_of::make() refuses a class without a default constructor.
template <typename T> T begun()
{
	if constexpr (std::is_default_constructible_v<T>)
		return T{};
	else
		return static_cast<T (*)()>(nullptr)();
}

template <typename R> struct is_may_wait : std::false_type {};
template <typename R> struct is_may_wait<may_wait<R>> : std::true_type {};
template <typename R> struct without_wait {
	using type = R;
};
template <typename R> struct without_wait<may_wait<R>> {
	using type = R;
};

template <typename T, typename = void> struct exceptions_of {
	using type = throws<>;
};
template <typename T> struct exceptions_of<T, std::void_t<typename T::throws>> {
	using type = typename T::throws;
};

template <typename P> struct drop_chooser {
	using type = P;
	static constexpr bool chooses = false;
};
template <typename... P> struct drop_chooser<std::tuple<chooser &, P...>> {
	using type = std::tuple<P...>;
	static constexpr bool chooses = true;
};

[[noreturn]] inline void stop(std::string_view name)
{
	std::fprintf(stderr, "linchpin: the specification '%.*s' threw an exception that its 'using throws = lp::throws<...>' does not list\n",
		     static_cast<int>(name.size()), name.data());
	std::_Exit(2);
}

template <typename T, auto M> class method_of {
	using type = signature_of<decltype(M)>;
	using result = std::decay_t<typename type::result>;
	using value = typename without_wait<result>::type;
	using dropped = drop_chooser<typename type::parameters>;
	using parameters = typename dropped::type;
	static constexpr std::size_t args = std::tuple_size_v<parameters>;

	static constexpr lp_shape shape()
	{
		if constexpr (std::is_void_v<value>)
			return LP_NOTHING;
		else if constexpr (std::is_same_v<value, bool>)
			return LP_TRUTH;
		else if constexpr (is_several<value>::value)
			return LP_VALUES;
		else
			return is_optional<value>::value ? LP_VALUE_OR_EMPTY : LP_VALUE;
	}

	static lp_answer answers(const lp_spec_call *c, std::int64_t is)
	{
		return lp_answers(c, shape() == LP_VALUE_OR_EMPTY && is == LP_NIL ? LP_EMPTY : is);
	}

	template <typename R> static lp_answer compare(const lp_spec_call *c, const R &returned)
	{
		if constexpr (is_may_wait<R>::value) {
			if constexpr (std::is_void_v<value>)
				return returned.waiting ? LP_BLOCKS : answers(c, LP_VOID);
			else
				return returned.value ? compare(c, *returned.value) : LP_BLOCKS;
		} else if constexpr (is_several<R>::value) {
			const auto all = numbers(returned);
			return !c->result || std::equal(all.begin(), all.end(), c->result, c->result + c->results) ? LP_ACCEPTS :
														     LP_REJECTS;
		} else {
			return answers(c, number(returned));
		}
	}

	template <std::size_t... I> static decltype(auto) invoke(T &model, const lp_spec_call *c, chooser &may, std::index_sequence<I...>)
	{
		(void)c;
		if constexpr (dropped::chooses) {
			return (model.*M)(may, argument<std::tuple_element_t<I, parameters>>(c->arg[I])...);
		} else {
			(void)may;
			return (model.*M)(argument<std::tuple_element_t<I, parameters>>(c->arg[I])...);
		}
	}

	template <typename... E> static lp_answer once(throws<E...>, T &model, const lp_spec_call *c, chooser &may)
	{
		lp_answer answer = LP_REJECTS;
		const auto body = [&]() -> std::int64_t {
			constexpr auto order = std::make_index_sequence<args>();
			if constexpr (std::is_void_v<result>) {
				invoke(model, c, may, order);
				answer = answers(c, LP_VOID);
			} else {
				answer = compare(c, static_cast<const result &>(invoke(model, c, may, order)));
			}
			return 0;
		};
		const std::int64_t exception = guarded(body, on<E>{ thrown<E>() }...);
		return exception ? answers(c, exception) : answer;
	}

	static T read(const lp_state *s)
	{
		const std::int64_t *at = s->at;
		T model = begun<T>();

		get(at, model);
		return model;
	}

	static lp_answer all(lp_state *s, const lp_spec_call *c)
	{
		std::uint32_t accepted = 0;
		lp_answer last = LP_REJECTS;
		chooser may;

		do {
			T model = read(s);
			const lp_answer answer = once(typename exceptions_of<T>::type(), model, c, may);
			if (answer == LP_ACCEPTS && accepted++ == c->choice) {
				s->count = 0;
				put(s, model);
				return answer;
			}
			last = answer == LP_BLOCKS ? answer : last;
		} while (may.next());
		return accepted ? LP_REJECTS : last;
	}

	static lp_answer step(lp_state *s, const lp_spec_call *c)
	{
#ifdef __cpp_exceptions
		try {
			return all(s, c);
		} catch (...) {
			stop(type_name<T>());
		}
#else
		return all(s, c);
#endif
	}

	template <typename F> struct is_const : std::false_type {};
	template <typename R, typename C, typename... P> struct is_const<R (C::*)(P...) const> : std::true_type {};
	template <typename R, typename C, typename... P> struct is_const<R (C::*)(P...) const noexcept> : std::true_type {};

public:
	static constexpr lp_method row(const char *name, unsigned roles)
	{
		static_assert(args <= LP_MAX_ARGS, "linchpin: a method of a specification takes up to three arguments");
		const unsigned found = (is_const<decltype(M)>::value ? unsigned(LP_READS) : 0u) |
				       (dropped::chooses ? unsigned(LP_CHOOSES) : 0u);
		return { name, static_cast<std::uint32_t>(args), shape(), roles | found, step };
	}
};

// ---- the class ----

// The roles of methods, which --sync and the choice of arguments use:
//     static constexpr lp::role roles[] = { { "push", LP_INSERTS }, { "pop", LP_REMOVES } };
struct role {
	std::string_view method;
	unsigned roles;
};

template <typename T, typename = void> struct roles_of {
	static constexpr unsigned of(std::string_view) { return 0; }
	template <std::size_t N> static constexpr bool known(const std::string_view (&)[N]) { return true; }
};
template <typename T> struct roles_of<T, std::void_t<decltype(T::roles)>> {
	static constexpr unsigned of(std::string_view name)
	{
		unsigned all = 0;
		for (const role &r : T::roles)
			all |= r.method == name ? r.roles : 0u;
		return all;
	}
	template <std::size_t N> static constexpr bool known(const std::string_view (&names)[N])
	{
		for (const role &r : T::roles) {
			bool found = false;
			for (const std::string_view name : names)
				found = found || name == r.method;
			if (!found)
				return false;
		}
		return true;
	}
};

template <typename T, typename = void> struct data_of : std::integral_constant<lp_independence, LP_DATA_NONE> {};
template <typename T>
struct data_of<T, std::void_t<decltype(T::data)>> : std::integral_constant<lp_independence, T::data> {};
template <typename T, typename = void> struct by_key_of : std::false_type {};
template <typename T> struct by_key_of<T, std::void_t<decltype(T::by_key)>> : std::bool_constant<T::by_key> {};
template <typename T, typename = void> struct shows : std::false_type {};
template <typename T>
struct shows<T, std::void_t<decltype(std::string(std::declval<const T &>().show()))>> : std::true_type {};

template <typename Exceptions> struct thrown_table;
template <typename... E> struct thrown_table<throws<E...>> {
	static constexpr lp_thrown at[sizeof...(E) + 1] = { { thrown<E>(), type_text<E>::at.data() }..., {} };
	static constexpr std::uint32_t count = sizeof...(E);
};

template <typename T> class kind_of {
	static void begin(lp_state *s, const std::int64_t *)
	{
		T model = begun<T>();

		put(s, model);
	}

	static void show(const lp_state *s, const std::int64_t *, char *out, std::size_t size)
	{
		const std::int64_t *at = s->at;
		std::string text;
		T model = begun<T>();

		get(at, model);
		if constexpr (shows<T>::value)
			text = static_cast<const T &>(model).show();
		else
			tell(text, model);
		std::snprintf(out, size, "%s", text.c_str());
	}

public:
	template <std::size_t N> static constexpr lp_kind make(const char *name, const lp_method (&methods)[N])
	{
		static_assert(std::is_default_constructible_v<T>,
			      "linchpin: a specification begins as its default constructor makes it: it must have one");
		using table = thrown_table<typename exceptions_of<T>::type>;
		return { name, "a class", data_of<T>::value, by_key_of<T>::value, methods, N, nullptr, 0, begin, nullptr, show,
			 table::at, table::count, nullptr, false };
	}
};

} // namespace lp

#endif
