/* tls.c -- thread-local variables, one set a coroutine.
 *
 * The compiler asks __tls_get_addr(module, offset) for their addresses, which in
 * the user's objects is this function.  The thread-locals of a coroutine lie at
 * the end of its stack.  Those of other modules (libstdc++) stay where they are.
 */
#include <string.h>

#include "runtime/machine.h"

/* As the ABI of x86-64 and aarch64 has it. */
struct tls_index {
	unsigned long module, offset;
};

extern void *__tls_get_addr(struct tls_index *);
LP_API void *lp_tls_get_addr(struct tls_index *);

LP_API void *lp_tls_get_addr(struct tls_index *index)
{
	if (!rt.self || index->module != rt.object.tls_module)
		return __tls_get_addr(index);
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
