/* iriw.c -- two writers, N readers that read both locations in turns; release and acquire next to
 * seq_cst, so that no simpler model is the same. */
#include "../bench.h"

#ifndef N
#define N 2
#endif

static atomic_int x, y;
static int first[N], second[N];

static void *write_x(void *unused)
{
	(void)unused;
	store(&x, 1, seq_cst);
	return NULL;
}

static void *write_y(void *unused)
{
	(void)unused;
	store(&y, 1, release);
	return NULL;
}

static void *reader(void *arg)
{
	int me = number(arg);

	first[me] = load(me % 2 ? &x : &y, seq_cst);
	second[me] = load(me % 2 ? &y : &x, acquire);
	return NULL;
}

int main(void)
{
	pthread_t thread[N + 2];

	start(thread, 1, write_x);
	start(thread + 1, 1, write_y);
	start_numbered(thread + 2, N, reader, 0);
	join(thread, N + 2);
	return 0;
}
