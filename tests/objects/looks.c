/* looks.c -- queues that look at the values that they should only pass on, which shows only if these are equal, or in another
 * order than that of the calls.  And a register that does more with values than to compare them for equality. */
#include <linchpin.h>
#include <pthread.h>
#include <stdatomic.h>

#if !defined OWNER && !defined SCAN && !defined WAITING && !defined GROWS
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
#elif defined RING
/* A ring of two cells.  The value that a dequeue takes may have been taken and inserted again meanwhile, one round later.  This happens
 * in one of very many executions, and is an attempt that fails if values are different. */
enum { CELLS = 2 };

static _Atomic int64_t cell[CELLS];
static _Atomic unsigned first, end;

LP_SPEC("queue:bounded=2")

LP_METHOD(enqueue, value)
{
	pthread_mutex_lock(&mutex);
	const unsigned mine = end;
	const int ok = mine - first < CELLS;
	if (ok) {
		cell[mine % CELLS] = value;
		end = mine + 1;
	}
	pthread_mutex_unlock(&mutex);
	return ok;
}

LP_METHOD(dequeue)
{
	for (;;) {
		unsigned at = first;
		if (at == end)
			return LP_EMPTY;
		int64_t value = cell[at % CELLS];
		if (!value || at != first)
			continue;
		if (atomic_compare_exchange_strong(&cell[at % CELLS], &value, 0)) {
			atomic_compare_exchange_strong(&first, &at, at + 1);
			return value;
		}
	}
}
#elif defined GROWS
/* A register whose value is only replaced by a greater one, or by the initial one. */
static _Atomic int64_t cell;

LP_SPEC("register")

LP_METHOD(read) { return cell; }

LP_METHOD(cas, expected, desired)
{
	if (desired && desired < expected)
		return cell == expected;
	return atomic_compare_exchange_strong(&cell, &expected, desired);
}
#elif defined SCAN
/* A queue of an array that is longer than loops are followed.  A value that is there already is not inserted. */
enum { CELLS = 12 };

static _Atomic int64_t cell[CELLS];
static _Atomic int end;

LP_SPEC("queue:blocking")

LP_METHOD(enqueue, value)
{
	const int mine = end++;

	for (int i = CELLS - 1; i >= 0; i--)
		if (cell[i] == value)
			return LP_VOID;
	cell[mine] = value;
	return LP_VOID;
}

LP_METHOD(dequeue)
{
	for (;;) {
		const int last = end;
		for (int i = 0; i < last; i++) {
			const int64_t value = atomic_exchange(&cell[i], 0);
			if (value)
				return value;
		}
	}
}
#elif defined WAITING
/* A queue of one cell, for which calls wait.  Two that wait with equal values are taken for the same one. */
static _Atomic int64_t cell, waits;

LP_SPEC("queue:bounded=1,blocking")

LP_METHOD(enqueue, value)
{
	int64_t none = 0, first = 0;

	if (atomic_compare_exchange_strong(&cell, &none, value))
		return 1;
	if (!atomic_compare_exchange_strong(&waits, &first, value) && first == value)
		return 1;
	for (;;) {
		none = 0;
		if (!cell && atomic_compare_exchange_strong(&cell, &none, value))
			return 1;
	}
}

LP_METHOD(dequeue)
{
	for (;;) {
		int64_t value = cell;
		if (value && atomic_compare_exchange_strong(&cell, &value, 0))
			return value;
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
#if defined BETWEEN
	if (end - first > 1 && queue[end - 1] < queue[end - 2] && queue[end - 2] < value)
		queue[first] = value;
	return 1;
#elif defined DROPPED
	return end - first < 2 || queue[end - 1] > queue[end - 2] || queue[end - 2] > value;
#elif defined TWICE
	if (end - first > 1 && queue[end - 1] == queue[end - 2] && queue[end - 2] != value)
		queue[first] = value;
	return 1;
#elif defined REPEATED
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
