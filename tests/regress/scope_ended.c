/* A variable is accessed after the end of its block, by a pointer that becomes a value: then nothing else uses the address of
 * the variable, which used to become a value, too.
 * expect sc,rc11 -- -DREAD: violation use after free at BUG
 * expect sc,rc11 -- -DWRITE: violation use after free at BUG
 * expect sc,rc11 -- -DEITHER: violation use after free at BUG
 * expect sc,rc11 -- -DHELPER: violation use after free at BUG
 * expect sc,rc11: verified
 */
#include <assert.h>
#include <stddef.h>
#include <stdatomic.h>

static atomic_int zero;

static void set(int **to, int *p)
{
	*to = p;
}

int main(void)
{
	int *p = NULL;
#if defined READ
	{
		int x = 1;
		p = &x;
	}
	return *p - 1; /* BUG */
#elif defined WRITE
	{
		int x = 1;
		p = &x;
	}
	*p = 2; /* BUG */
#elif defined EITHER
	int y = 1;
	p = &y;
	if (zero == 0) {
		int x = 1;
		p = &x;
	}
	return *p - 1; /* BUG */
#elif defined HELPER
	{
		int x = 1;
		set(&p, &x);
	}
	return *p - 1; /* BUG */
#else
	for (int i = 0; i < 3; i++) { /* a new one each time */
		int x = i;
		set(&p, &x);
		++*p;
		assert(x == i + 1);
	}
#endif
	(void)set, (void)zero;
	return 0;
}
