/* Two functions are left by longjmp(), and so is a block.  Their variables end there, although neither comes to its end;
 * one of the functions is inlined into the one that calls setjmp().  A variable in whose block setjmp() is called goes on.
 * expect sc,tso,ra,rc11: violation use after free at BUG
 * expect rc11 -- -DINLINED: violation use after free at BUG
 * expect rc11 -- -DBLOCK: violation use after free at BUG
 * expect sc,tso,ra,rc11 -- -DOUTER: verified
 */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>

static jmp_buf back;
static _Atomic(int *) shown;

#if !defined INLINED
__attribute__((noinline))
#endif
static void leave(void)
{
	int inner = 1;

	atomic_store(&shown, &inner);
	longjmp(back, 1);
}

static void leave_block(void)
{
	if (!setjmp(back)) {
		int inner = 1;
		atomic_store(&shown, &inner);
		longjmp(back, 1);
	}
}

static void leave_inner(int outer)
{
	for (int i = 0; i < 2; i++) {
		int each = outer + i;
		atomic_store(&shown, &each);
		if (!setjmp(back))
			longjmp(back, 1);
		assert(*atomic_load(&shown) == outer + i);
	}
	atomic_store(&shown, NULL);
}

static void *look(void *arg)
{
	int *p = atomic_load(&shown);

	(void)arg;
	if (p)
		*p = 2; /* BUG */
	return NULL;
}

int main(void)
{
	pthread_t thread;

#if defined OUTER
	leave_inner(3);
#elif defined BLOCK
	leave_block();
#else
	if (!setjmp(back))
		leave();
#endif
	pthread_create(&thread, NULL, look, NULL);
	pthread_join(thread, NULL);
}
