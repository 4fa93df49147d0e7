/* looks.c -- queues that look at the values that they should only pass on, which shows only if these are equal, or in another
 * order than that of the calls. */
#include <linchpin.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

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
	pthread_mutex_lock(&mutex);
	if (inserts(value))
		queue[end++] = value;
	pthread_mutex_unlock(&mutex);
	return LP_VOID;
}

LP_METHOD(dequeue)
{
	int64_t value = LP_EMPTY;

	pthread_mutex_lock(&mutex);
	if (first != end) {
		const int at = place();
		value = queue[at];
		queue[at] = queue[first++];
	}
	pthread_mutex_unlock(&mutex);
	return value;
}
#endif
