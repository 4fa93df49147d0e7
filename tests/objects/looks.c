/* looks.c -- queues that look at the values that they should only pass on, which shows only if these are equal, or in another
 * order than that of the calls. */
#include <linchpin.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef OWNER
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#endif

#ifdef CELL
/* A queue of one cell.  A value that was taken and inserted again meanwhile is mistaken for the same one. */
static _Atomic int64_t cell;
static _Atomic int count;

LP_SPEC("queue:bounded=1")

LP_METHOD(enqueue, value)
{
	pthread_mutex_lock(&mutex);
	const int ok = !cell;
	if (ok) {
		count++;
		cell = value;
	}
	pthread_mutex_unlock(&mutex);
	return ok;
}

LP_METHOD(dequeue)
{
	for (;;) {
		const int before = count;
		const int64_t value = cell;
		if (!value)
			return LP_EMPTY;
		if (before != count)
			continue;
		pthread_mutex_lock(&mutex);
		const int same = cell == value, now = count;
		if (same)
			cell = 0;
		pthread_mutex_unlock(&mutex);
		if (same)
			return before == now ? value : -1;
	}
}
#else
static int64_t queue[16];
static int first, end;

#ifdef OWNER
/* Who inserts a value owns the queue, and equal values are taken for the same owner. */
static _Atomic int64_t owner;

static void acquire(int64_t value)
{
	for (int64_t seen = 0; !atomic_compare_exchange_strong(&owner, &seen, value) && (value < 0 || seen != value); seen = 0)
		;
}

static void release(void) { owner = 0; }
#else
static void acquire(int64_t value)
{
	(void)value;
	pthread_mutex_lock(&mutex);
}

static void release(void) { pthread_mutex_unlock(&mutex); }
#endif

/* Whether the queue inserts the value, and which one it removes first. */
static int inserts(int64_t value)
{
#ifdef REPEATED
	return first == end || queue[end - 1] != value;
#else
	return value != 0;
#endif
}

static int place(void)
{
	int least = first;

#ifdef LEAST
	for (int i = first; end - first > 2 && i < end; i++)
		if (queue[i] < queue[least])
			least = i;
#endif
	return least;
}

LP_SPEC("queue")

LP_METHOD(enqueue, value)
{
	acquire(value);
	if (inserts(value))
		queue[end++] = value;
	release();
	return LP_VOID;
}

LP_METHOD(dequeue)
{
	int64_t value = LP_EMPTY;

	acquire(-1);
	if (first != end) {
		const int at = place();
		value = queue[at];
		queue[at] = queue[first++];
	}
	release();
	return value;
}
#endif
