/* An iteration that changes a local array at a computed index is not redundant, whatever sort of memory
 * the array is in.
 * expect sc -- -DKIND=0 -O0: violation assertion
 * expect sc -- -DKIND=1 -O2: violation assertion
 * expect sc -- -DKIND=2 -O0: violation assertion
 * expect sc -- -DKIND=3 -O2: violation assertion
 * expect sc -- -DKIND=4 -O0: violation assertion
 * expect sc -- -DKIND=5 -O2: violation assertion
 * expect sc -- -DKIND=6 -O0: violation assertion
 * expect sc -- -DKIND=7 -O2: violation assertion
 * expect sc -- -DKIND=8 -O0: violation assertion
 * expect sc -- -DKIND=9 -O2: violation assertion
 */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int done;
static volatile int which = 2;

static void *finish(void *unused)
{
	(void)unused;
	atomic_store(&done, 1);
	return NULL;
}

static void *count(void *unused)
{
	(void)unused;
	const int i = which;
#if KIND == 0
	int c[4] = { 0 };
	while (!atomic_load(&done)) {
		c[i]++;
		assert(c[i] != 3);
	}
#elif KIND == 1
	struct { char first; int c[4]; } s = { 0 };
	while (!atomic_load(&done)) {
		s.c[i]++;
		assert(s.c[i] != 3);
	}
#elif KIND == 2
	static _Thread_local int c[4];
	while (!atomic_load(&done)) {
		c[i]++;
		assert(c[i] != 3);
	}
#elif KIND == 3
	int *c = alloca(4 * sizeof *c);
	memset(c, 0, 4 * sizeof *c);
	while (!atomic_load(&done)) {
		c[i]++;
		assert(c[i] != 3);
	}
#elif KIND == 4
	int c[i + 2];
	memset(c, 0, sizeof c);
	while (!atomic_load(&done)) {
		c[i]++;
		assert(c[i] != 3);
	}
#elif KIND == 5
	atomic_int c[4];
	for (int k = 0; k < 4; k++)
		atomic_init(&c[k], 0);
	while (!atomic_load(&done))
		assert(atomic_fetch_add_explicit(&c[i], 1, memory_order_relaxed) != 2);
#elif KIND == 6
	int c[4] = { 0 }, *p = &c[i];
	while (!atomic_load(&done)) {
		++*p;
		assert(*p != 3);
	}
#elif KIND == 7
	unsigned char c[8] = { 0 };
	while (!atomic_load(&done)) {
		memmove(c + 1, c, 7);
		c[0] = 1;
		assert(!c[i]);
	}
#elif KIND == 8
	union { int words[2]; char bytes[8]; } u = { { 0, 0 } };
	while (!atomic_load(&done)) {
		u.bytes[i]++;
		assert(u.bytes[2] != 3);
	}
#else
	int c[4] = { 0 };
	while (!atomic_load(&done)) {
		int copy[4];
		memcpy(copy, c, sizeof copy);
		copy[i]++;
		memcpy(c, copy, sizeof c);
		assert(c[i] != 3);
	}
#endif
	return NULL;
}

int main(void)
{
	pthread_t thread[2];

	pthread_create(&thread[0], NULL, finish, NULL);
	pthread_create(&thread[1], NULL, count, NULL);
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	return 0;
}
