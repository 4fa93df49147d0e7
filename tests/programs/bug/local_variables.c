/* Local variables are memory like any other: they end, and have bytes that were never written.
 * expect sc,rc11: violation use after free at BUG, says "a local variable of thread 0, which has ended"
 * expect sc,rc11 -- -DCOVERED: violation use after free at BUG, says "which has ended"
 * expect sc,rc11 -- -DBYTE: violation uninitialised at BUG
 * expect sc,rc11 -- -DRIGHT: verified
 */
#include <stdlib.h>

#include "../parallel.h"

static int *kept;
static atomic_int ready;
static int sum;

static __attribute__((noinline)) void add(const int *p)
{
	sum += *p; /* BUG */
}

static __attribute__((noinline)) void keep(void)
{
	int local = 1;

	kept = &local;
	add(kept);
}

/* Its variables are where those of keep() were. */
static __attribute__((noinline)) void cover(void)
{
	int others[64] = { 0 };

	add(&others[5]);
	store(&ready, 1, release);
}

static void owner(void)
{
	keep();
	cover();
	while (load(&ready, acquire) != 2)
		;
}

static void user(void)
{
	if (load(&ready, acquire) == 1)
		add(kept);
	store(&ready, 2, release);
}

struct pair {
	char first;
	int second; /* with bytes before it that nothing is ever written to */
};

static __attribute__((noinline)) void set(struct pair *p)
{
	p->first = 1;
	p->second = 2;
}

static __attribute__((noinline)) char last(const char *text, int length)
{
	return text[length - 1]; /* BUG */
}

static void copy(void)
{
	struct pair local, *heap = malloc(sizeof *heap);

	set(&local);
	*heap = local;
	add(&heap->second);
	free(heap);
}

static void bytes(int written)
{
	char text[8];

	for (int i = 0; i < written; i++)
		text[i] = (char)i;
	sum += last(text, 5);
}

int main(void)
{
#if defined COVERED
	parallel(owner, user);
#elif defined BYTE
	bytes(4);
#elif defined RIGHT
	bytes(5);
	copy();
	for (int i = 0; i < 3; i++)
		keep();
	cover();
	(void)owner, (void)user;
#else
	keep();
	add(kept);
	(void)owner, (void)user;
#endif
	return 0;
}
