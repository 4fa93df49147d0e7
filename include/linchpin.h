/* linchpin.h -- functions for programs under test, and macros for harnesses.
 *
 * Programs (`linchpin run`) do not need this header.  An object (`linchpin check`)
 * has a harness, which says how it is called and what its specification is:
 *
 *     #include <linchpin.h>
 *     #include "msqueue.h"
 *     static msqueue q;
 *     LP_SPEC("queue")
 *     LP_SETUP              { msqueue_init(&q); }
 *     LP_METHOD(enqueue, v) { msqueue_enqueue(&q, v); return LP_VOID; }
 *     LP_METHOD(dequeue)    { int v; return msqueue_dequeue(&q, &v) ? v : LP_EMPTY; }
 *
 * Methods have the names of the specification (`linchpin specs`) and up to three
 * arguments; arguments and results are 64-bit integers, with LP_VOID, LP_EMPTY, LP_FULL and
 * LP_NIL as special values.
 *
 * The functions declared here exist only while linchpin runs the program; no library has to be
 * linked.
 */
#ifndef LINCHPIN_H
#define LINCHPIN_H

#include <stddef.h>
#include <stdint.h>

#include "linchpin/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Records the outcome of the execution; the last call counts.  Reports list all
 * outcomes with the number of executions that end in each. */
void lp_outcome(const char *text);

/* Returns a number from 0 to count-1.  linchpin explores all of these numbers, each in executions of its own. */
unsigned lp_choose(unsigned count);

/* Defines a hash function from the keys 0 .. keys-1 to the codes 0 .. codes-1.  Every such function is explored; within
 * one execution, the function does not change.
 *
 *     LP_HASH(hash, 4, 2)
 *     LP_SETUP { hash_choose(); }
 *
 * Then hash(key) is the code of `key`.  If the object treats all codes alike, use hash_choose_alike() instead of
 * hash_choose().  It gives a key either the code of an earlier key or the least code that no earlier key has.  So of
 * several functions that differ only in the names of the codes, only one is explored. */
#define LP_HASH(name, keys, codes)                                                             \
	static unsigned name##_codes_[keys];                                                   \
	__attribute__((unused)) static inline unsigned name(int64_t key)                       \
	{                                                                                      \
		return name##_codes_[key];                                                     \
	}                                                                                      \
	__attribute__((unused)) static inline void name##_choose(void)                         \
	{                                                                                      \
		for (unsigned key_ = 0; key_ < (keys); key_++)                                 \
			name##_codes_[key_] = lp_choose(codes);                                \
	}                                                                                      \
	__attribute__((unused)) static inline void name##_choose_alike(void)                   \
	{                                                                                      \
		unsigned used_ = 0;                                                            \
		for (unsigned key_ = 0; key_ < (keys); key_++) {                               \
			name##_codes_[key_] = lp_choose(used_ < (codes) ? used_ + 1 : (codes)); \
			used_ += name##_codes_[key_] == used_;                                 \
		}                                                                              \
	}

/* Type-stable memory, like that of a pool that never returns memory to the system: a freed block
 * may still be read.  With --reuse a later lp_pool_alloc() of the same size may return it. */
void *lp_pool_alloc(size_t size);
void lp_pool_free(void *block);

/* Returns the number of the thread that makes the current call, for objects whose threads have numbers.  Threads are
 * numbered from 1, and there are at most as many threads as the client has calls.  In LP_SETUP, LP_TEARDOWN and other
 * code outside the client's threads, the function returns 0.  All calls of an LP_ROLE are made by one thread. */
unsigned lp_thread(void);

/* A partial lock, for specifications that are programs (docs/refinement.md): for the code that uses it, it is a lock
 * like any other, but the specification does not require the synchronisation that this lock provides.  A lock whose
 * bytes are all zero is free. */
struct lp_partial {
	uint64_t word;
};
void lp_partial_lock(struct lp_partial *lock);
void lp_partial_unlock(struct lp_partial *lock);

/* ---- for the harness ---- */

/* Names the specification: "queue", "stack:bounded=2", ... */
#define LP_SPEC(text) LP_HARNESS_TEXT_(LP_HARNESS_SPEC, text)

/* Your own specification: a `static const struct lp_kind` (linchpin/spec.h). */
#define LP_SPEC_OWN(kind)                                                                   \
	extern const struct lp_kind *const lp_harness_own_kind;                             \
	const struct lp_kind *const lp_harness_own_kind = &(kind);                          \
	LP_HARNESS_TEXT_(LP_HARNESS_OWN_SPEC, #kind)

/* LP_SETUP { ... } is code that runs before all calls, LP_TEARDOWN { ... } code that runs after all calls. */
#define LP_SETUP LP_HARNESS_BLOCK_(LP_HARNESS_SETUP, lp_setup)
#define LP_TEARDOWN LP_HARNESS_BLOCK_(LP_HARNESS_TEARDOWN, lp_teardown)

/* LP_INVARIANT { return true or false; }  The body must return true after the last call of a client has returned. */
#define LP_INVARIANT                                                                        \
	static int lp_invariant_holds(void);                                                \
	static void *lp_invariant(void *unused)                                             \
	{                                                                                   \
		(void)unused;                                                               \
		if (!lp_invariant_holds())                                                  \
			lp_invariant_broken();                                              \
		return 0;                                                                   \
	}                                                                                   \
	LP_HARNESS_ENTRY_(lp_invariant, LP_HARNESS_INVARIANT, 0, "", lp_invariant)          \
	static int lp_invariant_holds(void)

/* LP_PROPOSITION(name) { return true or false; }  Defines the proposition `name` of formulae (`linchpin states
 * --ltl`).  linchpin may evaluate it in any state, so it must only read. */
#define LP_PROPOSITION(name)                                                                \
	static int lp_proposition_##name(void);                                             \
	static void *lp_thread_proposition_##name(void *unused)                             \
	{                                                                                   \
		(void)unused;                                                               \
		lp_call_returns(lp_proposition_##name() != 0);                              \
		return 0;                                                                   \
	}                                                                                   \
	LP_HARNESS_ENTRY_(lp_harness_proposition_##name, LP_HARNESS_PROPOSITION, 0, #name,  \
			  lp_thread_proposition_##name)                                     \
	static int lp_proposition_##name(void)

/* LP_METHOD(name, arguments ...) { ...; return result; } */
#define LP_METHOD(...)                                                                      \
	LP_HARNESS_PICK_(__VA_ARGS__, LP_METHOD_6_, LP_METHOD_5_, LP_METHOD_4_,             \
			 LP_METHOD_3_, LP_METHOD_2_, LP_METHOD_1_, LP_METHOD_0_, 0)(__VA_ARGS__)

/* Makes one result of several values, as `scan` of a snapshot returns: return lp_several(values, count). */
int64_t lp_several(const int64_t *values, unsigned count);

/* Calls that are made in this order before the threads start: LP_PRE("enqueue(1); enqueue(2)"). */
#define LP_PRE(calls) LP_HARNESS_TEXT_(LP_HARNESS_PRE, calls)

/* Methods that only a single thread calls: LP_ROLE("enqueue") for a single producer,
 * LP_ROLE("push pop") for the owner of a work-stealing deque. */
#define LP_ROLE(methods) LP_HARNESS_TEXT_(LP_HARNESS_ROLE, methods)

/* A thread may call `method` only after it has called `before`: LP_AFTER("unlock", "lock").  Each call of `before`
 * allows one later call of `method`.  If several methods need `before`, each call of `before` allows one call of only
 * one of these methods.  With LP_AFTER_TRUE() a call of `before` counts only if it has returned something other than 0:
 * LP_AFTER_TRUE("unlock", "trylock"). */
#define LP_AFTER(method, before) LP_HARNESS_TEXT_(LP_HARNESS_AFTER, method " " before)
#define LP_AFTER_TRUE(method, before) LP_HARNESS_TEXT_(LP_HARNESS_AFTER_TRUE, method " " before)

/* A linearization point: the current call takes effect with the access directly before LP_POINT, and will return
 * `result`.  Only `linchpin states` uses LP_POINT; for other commands it does nothing.
 *
 *     if (atomic_compare_exchange_strong(&top, &n, n + 1)) {
 *             LP_POINT(1);
 *             return 1;
 *     }
 */
#define LP_POINT(result) lp_point(result)

/* The object relies on a garbage collector: `linchpin states` reclaims unreachable blocks, as with --gc.  LP_GC has no
 * effect on other commands. */
#define LP_GC LP_HARNESS_TEXT_(LP_HARNESS_GC, "")

/* Says what the object does with arguments: LP_ARGS("opaque") (it does not inspect them), LP_ARGS("equal") (it only
 * compares them for equality), or LP_ARGS("ordered") (it also compares them by <).  Or LP_ARGS lists the values to use as
 * arguments: LP_ARGS("1 2 3"), or for one method LP_ARGS("insert 1 2"). */
#define LP_ARGS(text) LP_HARNESS_TEXT_(LP_HARNESS_ARGS, text)

/* ---- what the macros are made of ---- */

enum lp_harness_kind {
	LP_HARNESS_SPEC,
	LP_HARNESS_OWN_SPEC,
	LP_HARNESS_SETUP,
	LP_HARNESS_TEARDOWN,
	LP_HARNESS_INVARIANT,
	LP_HARNESS_METHOD,
	LP_HARNESS_PRE,
	LP_HARNESS_ROLE,
	LP_HARNESS_AFTER,
	LP_HARNESS_AFTER_TRUE,
	LP_HARNESS_ARGS,
	LP_HARNESS_GC,
	LP_HARNESS_PROPOSITION,
};

struct lp_harness_entry {
	int kind; /* enum lp_harness_kind */
	int args;
	const char *text;
	void *(*body)(void *);
	int line;
	const char *file;
};

/* For the current call of the thread: lp_call_argument() returns an argument, lp_call_returns() records the result. */
int64_t lp_call_argument(unsigned index);
void lp_call_returns(int64_t result);
void lp_invariant_broken(void);
void lp_point(int64_t result);

/* linchpin finds the entries by their section.  The section holds pointers to entries, because between the entries
 * themselves the compiler could leave gaps. */
#define LP_HARNESS_ENTRY_(name, kind, args, text, body)                                     \
	static const struct lp_harness_entry name##_entry = { kind, args, text, body,       \
							      __LINE__, __FILE__ };         \
	static const struct lp_harness_entry *const name##_place                            \
		__attribute__((section("lp_harness"), used)) = &name##_entry;

#define LP_HARNESS_JOIN__(a, b) a##b
#define LP_HARNESS_JOIN_(a, b) LP_HARNESS_JOIN__(a, b)
#define LP_HARNESS_NAMED_(name, kind, text) LP_HARNESS_ENTRY_(name, kind, 0, text, 0)
#define LP_HARNESS_TEXT_(kind, text)                                                        \
	LP_HARNESS_NAMED_(LP_HARNESS_JOIN_(lp_harness_, __COUNTER__), kind, text)

#define LP_HARNESS_BLOCK_(kind, name)                                                       \
	static void name(void);                                                             \
	static void *name##_thread(void *unused)                                            \
	{                                                                                   \
		(void)unused;                                                               \
		name();                                                                     \
		return 0;                                                                   \
	}                                                                                   \
	LP_HARNESS_ENTRY_(name, kind, 0, "", name##_thread)                                 \
	static void name(void)

#define LP_HARNESS_PICK_(a, b, c, d, e, f, g, picked, ...) picked
/* The pragma makes the compiler reject methods that may end without returning a value. */
#define LP_METHOD_(name, count, parameters, arguments)                                      \
	_Pragma("GCC diagnostic error \"-Wreturn-type\"")                                   \
	static int64_t lp_method_##name parameters;                                         \
	static void *lp_thread_##name(void *unused)                                         \
	{                                                                                   \
		(void)unused;                                                               \
		lp_call_returns(lp_method_##name arguments);                                \
		return 0;                                                                   \
	}                                                                                   \
	LP_HARNESS_ENTRY_(lp_harness_##name, LP_HARNESS_METHOD, count, #name,               \
			  lp_thread_##name)                                                 \
	static int64_t lp_method_##name parameters
#define LP_METHOD_0_(name) LP_METHOD_(name, 0, (void), ())
#define LP_METHOD_1_(name, a) LP_METHOD_(name, 1, (int64_t a), (lp_call_argument(0)))
#define LP_METHOD_2_(name, a, b)                                                            \
	LP_METHOD_(name, 2, (int64_t a, int64_t b), (lp_call_argument(0), lp_call_argument(1)))
#define LP_METHOD_3_(name, a, b, c)                                                         \
	LP_METHOD_(name, 3, (int64_t a, int64_t b, int64_t c),                              \
		   (lp_call_argument(0), lp_call_argument(1), lp_call_argument(2)))
/* More than three arguments are too many: linchpin reports it when it reads the harness. */
#define LP_METHOD_4_(name, a, b, c, d)                                                      \
	LP_METHOD_(name, 4, (int64_t a, int64_t b, int64_t c, int64_t d), (0, 0, 0, 0))
#define LP_METHOD_5_(name, a, b, c, d, e)                                                   \
	LP_METHOD_(name, 5, (int64_t a, int64_t b, int64_t c, int64_t d, int64_t e), (0, 0, 0, 0, 0))
#define LP_METHOD_6_(name, a, b, c, d, e, f)                                                \
	LP_METHOD_(name, 6, (int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f), \
		   (0, 0, 0, 0, 0, 0))

#ifdef __cplusplus
}
#endif

#endif
