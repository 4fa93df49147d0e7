/* shim.h -- functions that shims share: operations on internal words, and the calls from one family
 * of shims to another.
 *
 * A synchronisation object is one word (sometimes two) inside the user's object,
 * at an aligned place that static initialisers set to zero.  The word changes by
 * operations only, so that the explorer sees and orders every change.
 * Data that only one thread at a time accesses, such as who holds a mutex and how many times, is
 * in plain memory from rt_state(): the holder writes it between acquiring and releasing the word, so the
 * synchronisation by the word orders these writes, too.
 *
 * init and destroy are plain writes of the whole object: they do not synchronise, and they race
 * with unordered uses of the object.
 *
 * The caller is passed as a `struct shim_site`, taken by SHIM_AT at the outermost
 * level of a shim: functions called lp_shim_x report themselves as "x".
 */
#ifndef LP_RUNTIME_SHIMS_SHIM_H
#define LP_RUNTIME_SHIMS_SHIM_H

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/rt.h"

struct shim_site {
	const char *name;
	uintptr_t pc;
	bool simple; /* what the shim does after its operation depends only on the answer and on
	              * `name` */
	bool partial; /* the operation is on a partial lock (linchpin.h) */
};

#define SHIM_AT (&(const struct shim_site){ &__func__[sizeof "lp_shim_" - 1], RT_PC, false, false })
#define SHIM_SIMPLY_AT (&(const struct shim_site){ &__func__[sizeof "lp_shim_" - 1], RT_PC, true, false })
#define SHIM_PARTIAL_AT (&(const struct shim_site){ &__func__[sizeof "lp_shim_" - 1], RT_PC, false, true })
#define SHIM_NAMED(text) (&(const struct shim_site){ text, RT_PC, false, false })

/* The number of threads for which sets of threads (waiters, readers) have room. */
#define SHIM_THREADS 128

/* The uses of the sixteen words of a thread. */
enum shim_thread_word {
	SHIM_WORD_ERRNO,   /* an int that user code reads and writes by address */
	SHIM_WORD_FLAGS = RT_WORD_OF_OTHERS, /* enum shim_thread_flag */
	SHIM_WORD_CLOCK,   /* has the thread looked at a clock? */
	SHIM_WORD_RANDOM,  /* state of rand(); with --nondet, whether it was seeded */
	SHIM_WORD_CLEANUP, /* innermost pthread_cleanup_push() */
	SHIM_WORD_RESULT,  /* the argument of pthread_exit(), while clean-up handlers run */
	SHIM_WORD_CAUGHT,  /* C++ exceptions being handled: first of two words that are laid out as in libstdc++ */
	SHIM_WORD_UNCAUGHT, /* the second of these words */
	SHIM_WORD_DESTROYS, /* thread_local objects to be destroyed at the end */
	SHIM_WORD_SHARED_PTR, /* the shared pointer that the thread accesses atomically, or 0 */
	SHIM_WORD_UNWINDING, /* by pthread_exit(): a struct _Unwind_Exception, of SHIM_UNWINDING_WORDS words */
};

#define SHIM_UNWINDING_WORDS 4

enum shim_thread_flag { SHIM_DETACHED = 1, SHIM_JOINED = 2 };

static inline uint64_t *shim_word(enum shim_thread_word which)
{
	return &rt_thread_words(rt_self())[which];
}

/* The user's errno of the current thread. */
static inline int *shim_errno(void)
{
	return (int *)shim_word(SHIM_WORD_ERRNO);
}

/* How a wait can end if the event that it waits for does not happen. */
enum shim_patience {
	SHIM_FOREVER,     /* it never ends: a deadlock */
	SHIM_MAY_GIVE_UP, /* it may end by itself, but a program cannot rely on this, so it counts
	                   * as a deadlock, too */
	SHIM_TIMED,       /* the wait may end by itself, at any time */
};

/* Before a timed wait, the explorer chooses whether the wait times out.  If it chooses that the wait
 * does not time out, but the awaited event does not happen, the execution is dropped: the explorer also
 * tries the other choice, which covers this case. */
static inline enum lp_else shim_otherwise(enum shim_patience patience)
{
	return patience == SHIM_TIMED ? LP_ELSE_DROP : LP_ELSE_WAIT;
}

/* The condition of an operation, and what happens if it does not hold. */
struct shim_if {
	enum lp_when when;
	enum lp_else otherwise;
	struct lp_value mask, value;
};

#define SHIM_ALL_BITS ((struct lp_value){ UINT64_MAX, UINT64_MAX })
#define SHIM_ALWAYS ((struct shim_if){ .when = LP_ALWAYS })
#define SHIM_IF_EQUAL(v, e) ((struct shim_if){ LP_IF_EQUAL, e, SHIM_ALL_BITS, v })
#define SHIM_IF_DIFFERENT(v, e) ((struct shim_if){ LP_IF_DIFFERENT, e, SHIM_ALL_BITS, v })
#define SHIM_IF_CLEAR(bits, e) ((struct shim_if){ LP_IF_EQUAL, e, bits, { 0, 0 } })
#define SHIM_IF_SET(bits, e) ((struct shim_if){ LP_IF_DIFFERENT, e, bits, { 0, 0 } })
#define SHIM_IF_AT_LEAST(v, e) ((struct shim_if){ LP_IF_AT_LEAST, e, SHIM_ALL_BITS, v })

/* The change that an RMW makes to its word. */
struct shim_change {
	enum lp_rmw rmw;
	struct lp_value operand;
};

#define SHIM_ADD(v) ((struct shim_change){ LP_ADD, v })
#define SHIM_SUB(v) ((struct shim_change){ LP_SUB, v })
#define SHIM_AND(v) ((struct shim_change){ LP_AND, v })
#define SHIM_OR(v) ((struct shim_change){ LP_OR, v })
#define SHIM_XCHG(v) ((struct shim_change){ LP_XCHG, v })

/* Operations on an internal word.  A failed RMW (LP_ELSE_FAIL) is a relaxed read, because a trylock
 * that fails does not synchronise. */
struct lp_response shim_rmw(const struct shim_site *, void *loc, unsigned size, struct shim_change, enum lp_order,
			    struct shim_if);
/* Counts an arrival at a barrier of `total` threads, and returns the number of arrivals before it. */
struct lp_value shim_arrive(const struct shim_site *, uint64_t *arrivals, uint64_t total);
struct lp_value shim_load(const struct shim_site *, const void *loc, unsigned size,
			  enum lp_order);
/* An acquire load that waits for its condition. */
struct lp_value shim_await(const struct shim_site *, const void *loc, unsigned size,
			   struct shim_if);
void shim_store(const struct shim_site *, void *loc, unsigned size, enum lp_order, uint64_t);
/* Chooses whether a timed wait for the word at `loc` times out.  Executions in which it times out although
 * the condition `busy` does not hold for the word are dropped, because a thread need not wait if the word
 * is not busy.  If the wait times out, the clock has reached `until`. */
bool shim_times_out(const struct shim_site *, const void *loc, struct shim_if busy,
		    const struct timespec *until);
/* Take and release a lock; 0 means free.  Only its owner releases it. */
void shim_take(const struct shim_site *, void *loc, unsigned size, uint64_t owner, enum shim_patience);
void shim_give_back(const struct shim_site *, void *loc, unsigned size);
/* Stops the thread if the lock, called `what`, is held. */
void shim_must_be_free(const struct shim_site *, const void *loc, unsigned size, const char *what);
/* To be called before a lock is initialised: stops the thread if `owner` (an id plus one, or 0) holds the
 * lock.  There is one exception: if the owner is the thread itself, and the lock is one of its local
 * variables, the value may be left over from a function that has returned. */
void shim_refuse_held(const struct shim_site *, const void *lock, lp_tid owner, const char *what);
void shim_yield(const struct shim_site *);

/* Stops the thread unless [object, object+size) can be an object of the program. */
void shim_object(const struct shim_site *, const void *object, size_t size);
/* For objects that do not use their last eight bytes: shim_destroy() fills an object with zeros, and writes a mark into
 * these bytes.  The mark stays until the program writes there.  shim_usable() does what shim_object() does, and also
 * stops the thread if the object has the mark.
 * Where states are compared, nothing is marked. */
void shim_destroy(const struct shim_site *, void *object, size_t size);
void shim_usable(const struct shim_site *, const void *object, size_t size, const char *what);

/* An internal lock without an owner, for spin locks and futex buckets: 0 is free, 1 is taken. */
void shim_lock(const struct shim_site *, uint64_t *word);
void shim_unlock(const struct shim_site *, uint64_t *word);

/* Mutexes, for condition variables, C11 and C++. */
int shim_mutex_lock(const struct shim_site *, pthread_mutex_t *);
int shim_mutex_unlock(const struct shim_site *, pthread_mutex_t *);
void shim_mutex_init(const struct shim_site *, pthread_mutex_t *, int kind);
int shim_mutex_trylock(const struct shim_site *, pthread_mutex_t *);
int shim_mutex_timedlock(const struct shim_site *, pthread_mutex_t *, const struct timespec *until);
int shim_mutex_destroy(const struct shim_site *, pthread_mutex_t *);

/* Condition variables, for C11 and C++. */
void shim_cond_init(const struct shim_site *, pthread_cond_t *);
/* If `until` is NULL, the wait has no time limit. */
int shim_cond_wait(const struct shim_site *, pthread_cond_t *, pthread_mutex_t *,
		   const struct timespec *until);
void shim_cond_signal(const struct shim_site *, pthread_cond_t *);
void shim_cond_broadcast(const struct shim_site *, pthread_cond_t *);
void shim_cond_destroy(const struct shim_site *, pthread_cond_t *);

/* Sets of waiting threads; a set takes 16 bytes.  A thread joins a set, and waits until another
 * thread takes it out of the set. */
struct lp_value shim_own_bit(const struct shim_site *);
void shim_waiters_join(const struct shim_site *, void *set);
bool shim_waiters_wait(const struct shim_site *, void *set, enum shim_patience); /* false: the wait
                                                                                  * ended by itself */
bool shim_waiters_wake_one(const struct shim_site *, void *set); /* false: the set is empty */
uint32_t shim_waiters_wake_all(const struct shim_site *, void *set); /* returns how many */

/* Threads, for C11 and C++.  A pthread_t is the id plus one. */
pthread_t shim_thread_create(const struct shim_site *, void *(*start)(void *), void *arg,
			     bool detached, pthread_t like);
int shim_thread_join(const struct shim_site *, pthread_t, void **result);
int shim_thread_detach(const struct shim_site *, pthread_t);
_Noreturn void shim_thread_exit(void *result);

/* Thread-specific keys, for C11.  The int results are 0, EAGAIN or EINVAL. */
int shim_key_create(const struct shim_site *, unsigned *key, void (*destructor)(void *));
int shim_key_delete(const struct shim_site *, unsigned key);
void *shim_key_get(const struct shim_site *, unsigned key);
int shim_key_set(const struct shim_site *, unsigned key, const void *value);

/* Registers `destroy(object)` to be called when the current thread ends.  Functions are called in the
 * reverse order of their registration. */
void shim_at_thread_exit(const struct shim_site *, void (*destroy)(void *), void *object);
void shim_run_thread_exits(void);

/* Reports what a printf-like call reads through `args`. */
void shim_format_accesses(const struct shim_site *, const char *format, va_list args);
/* Reports and reads one byte. */
unsigned char shim_byte(const struct shim_site *, const void *at);
/* strlen() that reports the read of each byte, terminator included.  It stops after `limit` bytes. */
size_t shim_string_length(const struct shim_site *, const char *text, size_t limit);

/* A symbol of the C++ library that the program has loaded, or NULL. */
void *shim_libstdcxx(const char *symbol);

/* How a shim determines a value that would differ from run to run, such as a random number. */
enum shim_source {
	SHIM_IGNORED, /* any value will do: the program does not use it */
	SHIM_CHOSEN,  /* shim_choose() chooses the value */
	SHIM_FIXED,   /* one possible value is used, and reports say that others were not tried */
};

/* How must the shim determine the value that it returns and, if `to` is not NULL, writes to `to`? */
enum shim_source shim_source(const struct shim_site *, const void *to);

/* To be called when a wait with the limit `until` has timed out: from now on, clocks that the thread
 * reads are past `until`. */
struct timespec;
void shim_time_is_up(const struct shim_site *, const struct timespec *until);

/* Chooses a number that is in the range of --nondet and also from `least` to `most`; all such numbers are explored. */
int64_t shim_choose(const struct shim_site *, int64_t least, int64_t most);

#endif
