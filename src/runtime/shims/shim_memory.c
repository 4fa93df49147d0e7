/* shim_memory.c -- malloc and its relatives, operators new and delete.
 *
 * The C++ operators are also exported under their own names: programs may replace
 * them, and libstdc++ itself then allocates memory that the user's code frees.
 */
#include "runtime/shims/shim.h"

#include <errno.h>

#include "base/alloc.h"
#include "base/error.h"

#define MALLOC_ALIGN 16

/* Is the size larger than the memory of any machine?  Then the call fails, as on a real machine, and
 * this is not an error of the program. */
static bool absurd(size_t size)
{
	if (size <= (size_t)1 << 47)
		return false;
	*shim_errno() = ENOMEM;
	return true;
}

static bool is_power_of_two(size_t n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

static void *allocate(size_t size, size_t align, uintptr_t pc)
{
	if (absurd(size))
		return NULL;
	LP_HOLDS(!align || is_power_of_two(align));
	void *const block = rt_heap_alloc(size, align < MALLOC_ALIGN ? MALLOC_ALIGN : align, false, pc);
	LP_HOLDS((uintptr_t)block % (align < MALLOC_ALIGN ? MALLOC_ALIGN : align) == 0);
	return block;
}

static void release(void *block, uintptr_t pc)
{
	if (block)
		rt_heap_free(block, pc);
}

/* The old block is freed after its bytes are copied; a concurrent access to it races with
 * both. */
static void *resize(void *block, size_t size, uintptr_t pc)
{
	if (!block)
		return allocate(size, MALLOC_ALIGN, pc);
	if (absurd(size))
		return NULL;
	if (!rt_heap_live(block)) {
		rt_heap_free(block, pc); /* reports the error */
		return NULL;
	}
	if (size == 0) { /* glibc: free */
		rt_heap_free(block, pc);
		return NULL;
	}

	const size_t old = rt_heap_size(block);
	void *fresh = rt_heap_alloc(size, MALLOC_ALIGN, false, pc);
	LP_HOLDS(rt_heap_live(block) && fresh != block);
	LP_HOLDS(rt_heap_size(block) == old && rt_heap_size(fresh) == size);
	const size_t kept = old < size ? old : size;
	if (kept)
		rt_copy(fresh, block, kept, pc);
	rt_heap_free(block, pc);
	return fresh;
}

LP_API void *lp_shim_malloc(size_t size)
{
	return allocate(size, MALLOC_ALIGN, RT_PC);
}

LP_API void *lp_shim_calloc(size_t count, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total))
		total = SIZE_MAX;
	return absurd(total) ? NULL : rt_heap_alloc(total, MALLOC_ALIGN, true, RT_PC);
}

LP_API void *lp_shim_realloc(void *block, size_t size)
{
	return resize(block, size, RT_PC);
}

LP_API void *lp_shim_reallocarray(void *block, size_t count, size_t size)
{
	size_t total;

	if (__builtin_mul_overflow(count, size, &total))
		total = SIZE_MAX;
	return resize(block, total, RT_PC);
}

LP_API void lp_shim_free(void *block)
{
	release(block, RT_PC);
}

LP_API void *lp_shim_aligned_alloc(size_t align, size_t size)
{
	if (!is_power_of_two(align)) {
		*shim_errno() = EINVAL;
		return NULL;
	}
	return allocate(size, align, RT_PC);
}

LP_API void *lp_shim_memalign(size_t align, size_t size)
{
	if (!is_power_of_two(align)) {
		*shim_errno() = EINVAL;
		return NULL;
	}
	return allocate(size, align, RT_PC);
}

LP_API int lp_shim_posix_memalign(void **block, size_t align, size_t size)
{
	const uintptr_t pc = RT_PC;

	if (!is_power_of_two(align) || align % sizeof(void *) != 0)
		return EINVAL;
	void *fresh = allocate(size, align, pc);
	if (!fresh) /* an absurd size */
		return ENOMEM;
	RT_WRITE(block, fresh, pc);
	return 0;
}

LP_API void *lp_shim_valloc(size_t size)
{
	return allocate(size, 4096, RT_PC);
}

LP_API void *lp_shim_pvalloc(size_t size)
{
	return absurd(size) ? NULL : allocate((size + 4095) & ~(size_t)4095, 4096, RT_PC);
}

LP_API size_t lp_shim_malloc_usable_size(void *block)
{
	if (block && !rt_heap_live(block))
		rt_error(LP_ERROR_USE_AFTER_FREE, RT_PC, block, "malloc_usable_size() of something that is not allocated");
	return block ? rt_heap_size(block) : 0;
}

static char *duplicate(const struct shim_site *at, const char *text, size_t limit)
{
	const size_t length = shim_string_length(at, text, limit);
	LP_HOLDS(length <= limit && length < SIZE_MAX);
	char *copy = rt_heap_alloc(length + 1, MALLOC_ALIGN, false, at->pc);

	if (length)
		rt_copy(copy, text, length, at->pc);
	RT_WRITE(&copy[length], '\0', at->pc);
	return copy;
}

LP_API char *lp_shim_strdup(const char *text)
{
	return duplicate(SHIM_AT, text, SIZE_MAX);
}

LP_API char *lp_shim___strdup(const char *text)
{
	return duplicate(SHIM_NAMED("strdup"), text, SIZE_MAX);
}

LP_API char *lp_shim_strndup(const char *text, size_t limit)
{
	return duplicate(SHIM_AT, text, limit);
}

/* Allocates for operator new, which fails for an absurd size. */
static void *make(size_t size, size_t align, uintptr_t pc)
{
	void *block = allocate(size, align, pc);
	void (*fail)(void);

	if (block)
		return block;
	fail = (void (*)(void))shim_libstdcxx("_ZSt17__throw_bad_allocv");
	if (!fail)
		rt_error(LP_ERROR_OUT_OF_MEMORY, pc, NULL, "operator new of %zu bytes", size);
	fail();
	return NULL;
}

/* A block for library code, whose writes into it are not reported: it counts as
 * initialised. */
static void *make_for_library(size_t size, size_t align, uintptr_t pc)
{
	LP_HOLDS(!align || is_power_of_two(align));
	return absurd(size) ? NULL
			    : rt_heap_alloc(size, align < MALLOC_ALIGN ? MALLOC_ALIGN : align, true, pc);
}

/* Each operator under its two names.  Under its own it is called by libstdc++, which
 * may be being loaded or unloaded: such blocks do not belong to the program. */
#define NEW(name, how, align, ...)                                          \
	LP_API void *name(__VA_ARGS__);                                     \
	LP_API void *name(__VA_ARGS__)                                      \
	{                                                                   \
		return rt_entered() ? make_for_library(size, align, RT_PC)  \
				    : lp_alloc_aligned((align) < 16 ? 16 : (align), size); \
	}                                                                   \
	LP_API void *lp_shim_##name(__VA_ARGS__)                            \
	{                                                                   \
		return how(size, align, RT_PC);                             \
	}

#define DELETE(name, ...)                                                   \
	LP_API void name(__VA_ARGS__);                                      \
	LP_API void name(__VA_ARGS__)                                       \
	{                                                                   \
		if (rt_heap_owns(block) && rt_entered())                    \
			release(block, RT_PC);                              \
		else if (!rt_heap_owns(block))                              \
			lp_free(block);                                     \
	}                                                                   \
	LP_API void lp_shim_##name(__VA_ARGS__)                             \
	{                                                                   \
		release(block, RT_PC);                                      \
	}

#define UNUSED __attribute__((unused))

NEW(_Znwm, make, (size_t)0, size_t size)
NEW(_Znam, make, (size_t)0, size_t size)
NEW(_ZnwmSt11align_val_t, make, align, size_t size, size_t align)
NEW(_ZnamSt11align_val_t, make, align, size_t size, size_t align)
NEW(_ZnwmRKSt9nothrow_t, allocate, (size_t)0, size_t size, UNUSED const void *nothrow)
NEW(_ZnamRKSt9nothrow_t, allocate, (size_t)0, size_t size, UNUSED const void *nothrow)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, allocate, align, size_t size, size_t align,
    UNUSED const void *nothrow)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, allocate, align, size_t size, size_t align,
    UNUSED const void *nothrow)

DELETE(_ZdlPv, void *block)
DELETE(_ZdaPv, void *block)
DELETE(_ZdlPvm, void *block, UNUSED size_t size)
DELETE(_ZdaPvm, void *block, UNUSED size_t size)
DELETE(_ZdlPvSt11align_val_t, void *block, UNUSED size_t align)
DELETE(_ZdaPvSt11align_val_t, void *block, UNUSED size_t align)
DELETE(_ZdlPvmSt11align_val_t, void *block, UNUSED size_t size, UNUSED size_t align)
DELETE(_ZdaPvmSt11align_val_t, void *block, UNUSED size_t size, UNUSED size_t align)
DELETE(_ZdlPvRKSt9nothrow_t, void *block, UNUSED const void *nothrow)
DELETE(_ZdaPvRKSt9nothrow_t, void *block, UNUSED const void *nothrow)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, void *block, UNUSED size_t align,
       UNUSED const void *nothrow)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, void *block, UNUSED size_t align,
       UNUSED const void *nothrow)
