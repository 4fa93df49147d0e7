/* rwlock.h -- N readers and N writers, each once in the critical section. */
#include "../bench.h"

#ifndef N
#define N 2
#endif
#ifndef READERS
#define READERS N
#endif
#ifndef WRITERS
#define WRITERS N
#endif

static void read_lock(void);
static void read_unlock(void);
static void write_lock(void);
static void write_unlock(void);

static int value;

static void *reader(void *unused)
{
	int seen;

	(void)unused;
	read_lock();
	seen = value;
	assert(seen >= 0 && seen <= WRITERS);
	read_unlock();
	return NULL;
}

static void *writer(void *unused)
{
	(void)unused;
	write_lock();
	value++;
	write_unlock();
	return NULL;
}

int main(void)
{
	run_both(READERS, reader, WRITERS, writer);
	assert(value == WRITERS);
	return 0;
}
