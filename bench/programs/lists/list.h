/* list.h -- N threads on a sorted list that has the keys 2, 4, ... from the start.
 *
 * Thread i inserts 2i + 1; if it is odd, it then removes 2i.  The program has insert() and
 * erase(), which say whether they did anything, and setup(). Nodes are an array, and a node's
 * number is its key: 0 is the first one, LAST the last. */
#include "../bench.h"

#ifndef N
#define N 2
#endif
#define LAST (2 * N + 2)

static void setup(void);
static bool insert(int key);
static bool erase(int key);

static void *worker(void *arg)
{
	int i = number(arg);
	bool done = insert(2 * i + 1);

	assert(done);
	if (i % 2) {
		done = erase(2 * i);
		assert(done);
	}
	return NULL;
}

int main(void)
{
	setup();
	run_numbered(N, worker, 0);
	return 0;
}
