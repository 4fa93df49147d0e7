/* mpmc.c -- N producers and N consumers on a ring of two cells with sequence numbers.
 *
 * A cell's number says whose turn it is: position p may be filled when it is p, and taken
 * when it is p + 1.  A full or empty ring is waited for. */
#include "../bench.h"

#ifndef N
#define N 2
#endif
#define CELLS 2

static struct {
	atomic_int turn;
	int value;
} cell[CELLS];
static atomic_int head, tail;

/* Claims the position of `index` whose cell has the number position + `ahead`. */
static int claim(atomic_int *index, int ahead)
{
	for (;;) {
		int at = load(index, relaxed);
		int turn = load(&cell[at % CELLS].turn, acquire);

		if (turn == at + ahead && cas(index, &at, at + 1, relaxed))
			return at;
	}
}

static void *producer(void *unused)
{
	int at = claim(&tail, 0);

	(void)unused;
	cell[at % CELLS].value = at + 1;
	store(&cell[at % CELLS].turn, at + 1, release);
	return NULL;
}

static void *consumer(void *unused)
{
	int at = claim(&head, 1);

	(void)unused;
	assert(cell[at % CELLS].value == at + 1);
	store(&cell[at % CELLS].turn, at + CELLS, release);
	return NULL;
}

int main(void)
{
	for (int i = 0; i < CELLS; i++)
		atomic_init(&cell[i].turn, i);
	run_both(N, producer, N, consumer);
	assert(load(&head, relaxed) == N && load(&tail, relaxed) == N);
	return 0;
}
