/* tls.c -- thread-local variables, one set for each coroutine.
 *
 * The program's thread-locals are at lp_current.locals, the end of the coroutine's stack.
 * Thread-locals of libraries (libstdc++) stay where they are: they belong to the OS thread, which
 * all coroutines share.  The program does not communicate through them, so accesses to them are
 * neither races nor events.  Shims that rely on their values save and restore them (shim_once.c).
 */
#include <string.h>

#include "base/error.h"
#include "runtime/machine.h"

bool rt_is_foreign(uintptr_t p)
{
	for (uint32_t i = 0; i < rt.layout.foreign_count; i++)
		if (p - rt.layout.foreign[i] < sizeof(uint64_t))
			return true;
	return false;
}

LP_API void lp_foreign_local(void *p)
{
	if (!rt_is_foreign((uintptr_t)p) && rt.layout.foreign_count < RT_FOREIGN)
		rt.layout.foreign[rt.layout.foreign_count++] = (uintptr_t)p;
}

/* A new thread gets the initial values of the compiler; the main thread gets those that the
 * constructors have left. */
void rt_tls_begin(lp_tid t)
{
	uint8_t *at = (uint8_t *)rt_stack_top(t);

	LP_HOLDS(rt.module->locals_size <= rt.layout.tls_room && t < RT_THREADS);
	if (t || rt.setting_up) {
		memset(at, 0, rt.layout.tls_room);
		memcpy(at, rt.module->locals, rt.module->locals_size);
	} else {
		memcpy(at, rt.layout.main_tls, rt.layout.tls_room);
	}
}
