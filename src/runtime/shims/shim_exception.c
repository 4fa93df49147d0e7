/* shim_exception.c -- C++ exceptions of a single thread, and those shared by std::exception_ptr.
 *
 * The library throws and catches.  It keeps the exceptions that are being handled in a thread-local
 * record, and their objects in the heap.  The shims provide the record and the memory, so that each
 * thread has its own, and both are saved with the execution.
 *
 * An exception that std::exception_ptr refers to has several owners, in several threads.  Operations
 * count the owners, so the explorer tries which owner destroys the object.  From the moment the
 * exception is shared, the library's own handler drops its reference in the same way, by the clean-up
 * function.
 *
 * The layout is that of the Itanium C++ ABI, as in libstdc++.
 */
#include "runtime/shims/shim.h"

#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "base/alloc.h"
#include "base/error.h"

/* The header in front of an object that is thrown. */
struct header {
	int32_t owners, unused[3];
	void *type;
	void (*destroy)(void *);
	void *unexpected_handler, *terminate_handler;
	struct header *next;
	int32_t handlers, switch_value;
	const void *action, *language_data, *catch_temporary;
	void *adjusted;
	struct _Unwind_Exception unwind;
};

/* The header that is thrown instead when an exception_ptr is rethrown.  The words after `owners` have
 * the same places as in the other header. */
struct dependent {
	int32_t unused[4];
	void *object;
	void (*padding)(void *);
	void *unexpected_handler, *terminate_handler;
	struct header *next;
	int32_t handlers, switch_value;
	const void *action, *language_data, *catch_temporary;
	void *adjusted;
	struct _Unwind_Exception unwind;
};

_Static_assert(sizeof(struct header) == 128 && offsetof(struct header, type) == 16 &&
	       sizeof(struct dependent) == 128, "of the ABI");

/* By thread: the ABI's __cxa_eh_globals. */
struct handled {
	void *last; /* the exception's `type` field */
	unsigned uncaught;
};

#define CLASS(end) UINT64_C(0x474e5543432b2b##end) /* "GNUCC++" */
enum { PRIMARY, DEPENDENT };

static struct header *header_of(void *object)
{
	return (struct header *)object - 1;
}

static bool is_of(const struct _Unwind_Exception *e, int kind)
{
	return e->exception_class == (kind == DEPENDENT ? CLASS(01) : CLASS(00));
}

/* ---- functions that the library itself calls ---- */

LP_API void *__cxa_get_globals(void);
LP_API void *__cxa_get_globals_fast(void);
LP_API void *__cxa_allocate_exception(size_t size);
LP_API void __cxa_free_exception(void *object);
LP_API _Noreturn void _ZSt9terminatev(void);

LP_API void *__cxa_get_globals(void)
{
	static uint64_t outside[2];

	return rt_entered() ? shim_word(SHIM_WORD_CAUGHT) : outside;
}

LP_API void *__cxa_get_globals_fast(void)
{
	return __cxa_get_globals();
}

/* While functions of the library unwind the stack, a thread has no live state that could be compared. */
LP_API void *__cxa_allocate_exception(size_t size)
{
	if (rt_compared())
		rt_error(LP_ERROR_UNSUPPORTED, RT_PC, NULL,
			 "linchpin states, unlike linchpin check, does not follow exceptions: one is thrown");
	LP_HOLDS(size <= SIZE_MAX - sizeof(struct header));
	char *block = rt_entered() ? rt_heap_alloc(size + sizeof(struct header), 16, true, RT_PC)
				   : lp_alloc_zero(1, size + sizeof(struct header));

	return block + sizeof(struct header);
}

LP_API void __cxa_free_exception(void *object)
{
	char *block = (char *)header_of(object);

	LP_HOLDS(!rt_compared()); /* none is thrown there */
	if (rt_heap_owns(block))
		rt_heap_free(block, RT_PC);
	else
		lp_free(block);
}

/* ---- termination ---- */

/* Never written: its address names memory from rt_state(). */
static const char handler_owner;

typedef void terminate_handler(void);

static uint64_t *handler_word(void)
{
	return rt_state(&handler_owner, sizeof(uint64_t));
}

LP_API terminate_handler *lp_shim__ZSt13set_terminatePFvvE(terminate_handler *handler)
{
	const struct lp_response before = shim_rmw(SHIM_NAMED("std::set_terminate"), handler_word(), 8,
						   SHIM_XCHG(lp_value((uintptr_t)handler)), LP_ACQREL, SHIM_ALWAYS);

	return (terminate_handler *)(uintptr_t)before.value.lo;
}

LP_API terminate_handler *lp_shim__ZSt13get_terminatev(void)
{
	return (terminate_handler *)(uintptr_t)shim_load(SHIM_NAMED("std::get_terminate"), handler_word(), 8, LP_ACQ).lo;
}

/* The type of the exception that the thread handles, which was not caught, such as "std::out_of_range"; "" if there is
 * none.  A type_info is its virtual table, and its name, which may begin with an asterisk. */
static void handled_type(char *out, size_t size)
{
	const struct handled *h = __cxa_get_globals();
	char *const *type = h->last ? *(char *const *const *)h->last : NULL;

	out[0] = '\0';
	if (type)
		rt_describe_type(type[1] + (*type[1] == '*'), out, size);
}

/* A handler may end the program in its own way. */
static _Noreturn void terminate(const struct shim_site *named, bool thrown)
{
	const struct shim_site at = { named->name, rt_user_pc(named->pc), named->simple, named->partial };
	terminate_handler *const handler = rt_compared() ? NULL :
		(terminate_handler *)(uintptr_t)shim_load(&at, handler_word(), 8, LP_ACQ).lo;
	char type[160];

	if (handler)
		handler();
	handled_type(type, sizeof type);
	/* If the library calls this within a function of the user, that function is noexcept. */
	if (thrown || (type[0] && at.pc != named->pc))
		rt_error(LP_ERROR_ASSERTION, at.pc, NULL, "an exception%s%s is not caught: std::terminate() was called",
			 type[0] ? " of type " : "", type);
	rt_error(LP_ERROR_ASSERTION, at.pc, NULL, "std::terminate() was called");
}

/* The library also calls this function, when an exception is not caught. */
LP_API _Noreturn void _ZSt9terminatev(void)
{
	if (!rt_entered())
		abort();
	terminate(SHIM_NAMED("std::terminate"), true);
}

LP_API _Noreturn void lp_shim__ZSt9terminatev(void)
{
	terminate(SHIM_NAMED("std::terminate"), false);
}

LP_API _Noreturn void lp_shim___cxa_pure_virtual(void)
{
	rt_error(LP_ERROR_ASSERTION, RT_PC, NULL, "a pure virtual function was called");
}

/* ---- several owners ---- */

static void add_owner(const struct shim_site *at, void *object)
{
	shim_rmw(at, &header_of(object)->owners, 4, SHIM_ADD(lp_value(1)), LP_RLX, SHIM_ALWAYS);
}

static void drop_owner(const struct shim_site *at, void *object)
{
	struct header *const h = header_of(object);
	const struct lp_response a =
		shim_rmw(at, &h->owners, 4, SHIM_ADD(lp_value(UINT32_MAX)), LP_ACQREL, SHIM_ALWAYS);

	LP_HOLDS((uint32_t)a.value.lo && rt_heap_owns(h)); /* its own */
	if ((uint32_t)a.value.lo != 1)
		return;
	if (h->destroy)
		h->destroy(object);
	rt_heap_free(h, at->pc);
}

/* The last handler of a shared exception has ended. */
static void end_shared(_Unwind_Reason_Code code, struct _Unwind_Exception *e)
{
	(void)code;
	LP_HOLDS(is_of(e, PRIMARY));
	drop_owner(SHIM_NAMED("end of handler"), e + 1);
}

static void end_dependent(_Unwind_Reason_Code code, struct _Unwind_Exception *e)
{
	const struct shim_site *const at = SHIM_NAMED("end of handler");
	struct dependent *const d = (struct dependent *)(e + 1) - 1;
	void *const object = d->object;

	(void)code;
	LP_HOLDS(is_of(e, DEPENDENT) && object);
	rt_heap_free(d, at->pc);
	drop_owner(at, object);
}

/* The object being handled by the current thread; NULL if there is none. */
static void *current_object(const struct shim_site *at)
{
	char *const last = ((struct handled *)__cxa_get_globals())->last;

	if (!last)
		return NULL;
	struct header *const h = (struct header *)(last - offsetof(struct header, type));
	if (is_of(&h->unwind, DEPENDENT))
		return ((struct dependent *)h)->object;
	if (!is_of(&h->unwind, PRIMARY))
		rt_error(LP_ERROR_UNSUPPORTED, at->pc, NULL, "%s() of an exception that is not libstdc++'s", at->name);
	LP_HOLDS(rt_heap_owns(h)); /* __cxa_allocate_exception() */
	if (h->unwind.exception_cleanup != end_shared) /* only this thread knows it yet */
		h->unwind.exception_cleanup = end_shared;
	return h + 1;
}

/* std::exception_ptr is a pointer to the object; it is returned in memory. */
LP_API void **lp_shim__ZSt17current_exceptionv(void **result)
{
	const struct shim_site *const at = SHIM_NAMED("std::current_exception");
	void *const object = current_object(at);

	if (object)
		add_owner(at, object);
	RT_WRITE(result, object, at->pc);
	return result;
}

LP_API void lp_shim__ZNSt15__exception_ptr13exception_ptrC1EPv(void **self, void *object)
{
	const struct shim_site *const at = SHIM_NAMED("std::exception_ptr");

	add_owner(at, object);
	RT_WRITE(self, object, at->pc);
}

LP_API void lp_shim__ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void **self)
{
	const struct shim_site *const at = SHIM_NAMED("std::exception_ptr");

	rt_read(self, sizeof *self, at->pc);
	if (*self)
		add_owner(at, *self);
}

LP_API void lp_shim__ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **self)
{
	const struct shim_site *const at = SHIM_NAMED("std::~exception_ptr");

	rt_read(self, sizeof *self, at->pc);
	void *const object = *self;
	RT_WRITE(self, NULL, at->pc);
	if (object)
		drop_owner(at, object);
}

LP_API void *lp_shim__ZNKSt15__exception_ptr13exception_ptr6_M_getEv(void *const *self)
{
	rt_read(self, sizeof *self, RT_PC);
	return *self;
}

LP_API void lp_shim__ZNSt15__exception_ptr13exception_ptr4swapERS0_(void **self, void **other)
{
	const uintptr_t pc = RT_PC;

	rt_read(self, sizeof *self, pc);
	void *const mine = *self;
	rt_read(other, sizeof *other, pc);
	RT_WRITE(self, *other, pc);
	RT_WRITE(other, mine, pc);
}

LP_API const void *lp_shim__ZNKSt15__exception_ptr13exception_ptr20__cxa_exception_typeEv(void *const *self)
{
	rt_read(self, sizeof *self, RT_PC);
	return *self ? header_of(*self)->type : NULL;
}

/* std::make_exception_ptr() makes an object that was never thrown. */
LP_API void *lp_shim___cxa_init_primary_exception(void *object, void *type, void (*destroy)(void *))
{
	struct header *const h = header_of(object);

	(void)RT_PC;
	LP_HOLDS(rt_heap_owns(h));
	h->owners = 0;
	h->type = type;
	h->destroy = destroy;
	h->unwind.exception_class = CLASS(00);
	h->unwind.exception_cleanup = end_shared;
	return h;
}

/* The argument is passed by reference. */
LP_API _Noreturn void
lp_shim__ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE(void *const *pointer)
{
	const struct shim_site *const at = SHIM_NAMED("std::rethrow_exception");

	rt_read(pointer, sizeof *pointer, at->pc);
	void *const object = *pointer;
	if (!object)
		rt_error(LP_ERROR_CRASH, at->pc, pointer, "std::rethrow_exception() of no exception");
	struct dependent *const d = rt_heap_alloc(sizeof *d, 16, true, at->pc);
	d->object = object;
	add_owner(at, object);
	LP_HOLDS(!rt_compared()); /* there is no exception to rethrow */
	d->unwind.exception_class = CLASS(01);
	d->unwind.exception_cleanup = end_dependent;
	((struct handled *)__cxa_get_globals())->uncaught++;
	_Unwind_RaiseException(&d->unwind);
	void *(*const begin_catch)(void *) = (void *(*)(void *))shim_libstdcxx("__cxa_begin_catch");
	if (begin_catch)
		begin_catch(&d->unwind);
	terminate(at, true);
}
