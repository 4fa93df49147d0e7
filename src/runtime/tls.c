/* tls.c -- thread-local variables, one set a coroutine.
 *
 * The compiler asks __tls_get_addr(module, offset) for their addresses, which in
 * the user's objects is this function.  The thread-locals of a coroutine lie at
 * the end of its stack.  Those of other modules (libstdc++) stay where they are: they
 * belong to the OS thread, which all coroutines share.  Accesses to them are not the
 * program's communication, and so are neither races nor events; shims that rely on
 * their values take care of them (shim_once.c).
 */
#include <string.h>

#include "runtime/machine.h"

/* As the ABI of x86-64 and aarch64 has it. */
struct tls_index {
	unsigned long module, offset;
};

extern void *__tls_get_addr(struct tls_index *);
LP_API void *lp_tls_get_addr(struct tls_index *);

bool rt_is_foreign(uintptr_t p)
{
	for (uint32_t i = 0; i < rt.foreign_count; i++)
		if (p - rt.foreign[i] < sizeof(uint64_t))
			return true;
	return false;
}

static void note_foreign(uintptr_t at)
{
	if (!rt_is_foreign(at) && rt.foreign_count < RT_FOREIGN)
		rt.foreign[rt.foreign_count++] = at;
}

LP_API void *lp_tls_get_addr(struct tls_index *index)
{
	if (!rt.self || index->module != rt.object.tls_module) {
		void *const at = __tls_get_addr(index);
		note_foreign((uintptr_t)at);
		return at;
	}
	return (void *)(rt_stack_top(rt_id(rt.self)) + index->offset);
}

/* A thread's begin as the compiler made them; the main thread's, as the
 * constructors left them. */
void rt_tls_begin(lp_tid t)
{
	uint8_t *at = (uint8_t *)rt_stack_top(t);

	if (t || rt.setting_up) {
		memset(at, 0, rt.tls_room);
		memcpy(at, rt.object.tls_image, rt.object.tls_file_size);
	} else {
		memcpy(at, rt.main_tls, rt.tls_room);
	}
}
