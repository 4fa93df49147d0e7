// linchpin.hpp -- harnesses in C++ (C++17).  This is a header-only library, which includes linchpin.h.
//
//     #include <linchpin.hpp>
//     #include "ring.hpp"
//     static Ring<long, 2> ring;
//     LP_SPEC("queue:bounded=2")
//     LP_CALL(enqueue, ring, &Ring<long, 2>::put)                       // bool put(long)
//     LP_CALL(dequeue, ring, &Ring<long, 2>::take)                      // std::optional<long> take(), or bool take(long &)
//     LP_CALL(size,    [] { return ring.end() - ring.begin(); })
//     LP_CALL(pop,     ring, &Ring<long, 2>::at, lp::empty_on<std::out_of_range>)
//
// The object is a variable with static storage.  Each execution constructs it, and destroys it when all calls have
// returned.  linchpin/values.hpp says how results and exceptions become numbers, and linchpin/calls.hpp says what can be
// called.  All macros of linchpin.h can be used, too.  A lambda of several lines should be a variable that LP_CALL names, because a
// report shows all code in a macro as one line.
//
// A specification can be an ordinary class:
//
//     struct Flags {
//             bool raise(int f)            { return up.insert(f).second; }
//             bool is_raised(int f) const  { return up.count(f) != 0; }
//             void lower(int f)            { if (!up.erase(f)) throw std::out_of_range("lower"); }
//
//             auto fields() { return std::tie(up); }                     // the state: all members
//             using throws = lp::throws<std::out_of_range>;              // results that are exceptions
//             std::set<int> up;
//     };
//     LP_SPEC_CLASS(Flags, raise, is_raised, lower)                      // before LP_CALL
//
// The data members of such a class are numbers, standard containers that do not hash, and classes with fields().  The class may also have the
// members `data` and `by_key` (see struct lp_kind), `roles`, and `std::string show() const`.  Its methods may return
// lp::may_wait<R> and take an lp::chooser & (linchpin/model.hpp).
#ifndef LINCHPIN_HPP
#define LINCHPIN_HPP

#if __cplusplus < 201703L
#error "linchpin: linchpin.hpp needs C++17: -std=c++17"
#include "linchpin.h"
#define LP_CALL(...) // avoids a second error message
#define LP_SPEC_CLASS(...)
#else

#include "linchpin/calls.hpp"
#include "linchpin/model.hpp"

// LP_CALL uses this class if there is no LP_SPEC_CLASS.
struct lp_no_class {};
lp_no_class *lp_class_of(...);

// LP_CALL(name, callable, exceptions...) or LP_CALL(name, object, &Class::member, exceptions...)
#define LP_CALL(name, ...)                                                                            \
	static constexpr auto lp_callable_##name = ::lp::call(__VA_ARGS__);                           \
	using lp_class_at_##name = std::remove_pointer_t<decltype(lp_class_of(0))>;                   \
	template <typename... A> static int64_t lp_method_##name(A... a)                              \
	{                                                                                             \
		return lp_callable_##name(typename ::lp::exceptions_of<lp_class_at_##name>::type(), a...); \
	}                                                                                             \
	static void *lp_thread_##name(void *)                                                         \
	{                                                                                             \
		if constexpr (lp_callable_##name.args == 0)                                           \
			lp_call_returns(lp_method_##name());                                          \
		else if constexpr (lp_callable_##name.args == 1)                                      \
			lp_call_returns(lp_method_##name(lp_call_argument(0)));                       \
		else if constexpr (lp_callable_##name.args == 2)                                      \
			lp_call_returns(lp_method_##name(lp_call_argument(0), lp_call_argument(1)));  \
		else                                                                                  \
			lp_call_returns(lp_method_##name(lp_call_argument(0), lp_call_argument(1), lp_call_argument(2))); \
		return nullptr;                                                                       \
	}                                                                                             \
	LP_HARNESS_ENTRY_(lp_harness_##name, LP_HARNESS_METHOD, lp_callable_##name.args, #name, lp_thread_##name)

// LP_SPEC_CLASS(Class, method, ...): up to 16 methods, each with the name that LP_CALL has.
#define LP_SPEC_CLASS(Class, ...)                                                                     \
	static_assert(::lp::roles_of<Class>::known({ LP_EACH_(LP_CLASS_NAME_, Class, __VA_ARGS__) }),  \
		      "linchpin: roles of " #Class " names a method that LP_SPEC_CLASS does not");    \
	static constexpr struct lp_method lp_class_methods[] = { LP_EACH_(LP_CLASS_ROW_, Class, __VA_ARGS__) }; \
	static constexpr struct lp_kind lp_class_kind = ::lp::kind_of<Class>::make(#Class, lp_class_methods); \
	LP_SPEC_OWN(lp_class_kind)                                                                    \
	Class *lp_class_of(int);

#define LP_CLASS_NAME_(Class, method) std::string_view(#method),
#define LP_CLASS_ROW_(Class, method)                                                                  \
	::lp::method_of<Class, &Class::method>::row(#method, ::lp::roles_of<Class>::of(#method)),

#define LP_EACH_PICK_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, picked, ...) picked
#define LP_EACH_(row, Class, ...)                                                                     \
	LP_EACH_PICK_(__VA_ARGS__, LP_EACH_16_, LP_EACH_15_, LP_EACH_14_, LP_EACH_13_, LP_EACH_12_, LP_EACH_11_, \
		      LP_EACH_10_, LP_EACH_9_, LP_EACH_8_, LP_EACH_7_, LP_EACH_6_, LP_EACH_5_, LP_EACH_4_, LP_EACH_3_, \
		      LP_EACH_2_, LP_EACH_1_, 0)(row, Class, __VA_ARGS__)
#define LP_EACH_1_(row, Class, m) row(Class, m)
#define LP_EACH_2_(row, Class, m, ...) row(Class, m) LP_EACH_1_(row, Class, __VA_ARGS__)
#define LP_EACH_3_(row, Class, m, ...) row(Class, m) LP_EACH_2_(row, Class, __VA_ARGS__)
#define LP_EACH_4_(row, Class, m, ...) row(Class, m) LP_EACH_3_(row, Class, __VA_ARGS__)
#define LP_EACH_5_(row, Class, m, ...) row(Class, m) LP_EACH_4_(row, Class, __VA_ARGS__)
#define LP_EACH_6_(row, Class, m, ...) row(Class, m) LP_EACH_5_(row, Class, __VA_ARGS__)
#define LP_EACH_7_(row, Class, m, ...) row(Class, m) LP_EACH_6_(row, Class, __VA_ARGS__)
#define LP_EACH_8_(row, Class, m, ...) row(Class, m) LP_EACH_7_(row, Class, __VA_ARGS__)
#define LP_EACH_9_(row, Class, m, ...) row(Class, m) LP_EACH_8_(row, Class, __VA_ARGS__)
#define LP_EACH_10_(row, Class, m, ...) row(Class, m) LP_EACH_9_(row, Class, __VA_ARGS__)
#define LP_EACH_11_(row, Class, m, ...) row(Class, m) LP_EACH_10_(row, Class, __VA_ARGS__)
#define LP_EACH_12_(row, Class, m, ...) row(Class, m) LP_EACH_11_(row, Class, __VA_ARGS__)
#define LP_EACH_13_(row, Class, m, ...) row(Class, m) LP_EACH_12_(row, Class, __VA_ARGS__)
#define LP_EACH_14_(row, Class, m, ...) row(Class, m) LP_EACH_13_(row, Class, __VA_ARGS__)
#define LP_EACH_15_(row, Class, m, ...) row(Class, m) LP_EACH_14_(row, Class, __VA_ARGS__)
#define LP_EACH_16_(row, Class, m, ...) row(Class, m) LP_EACH_15_(row, Class, __VA_ARGS__)

#endif
#endif
