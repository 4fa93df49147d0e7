/* smallest.c -- a queue, except that of three values the smallest one comes out; with REPEATED, one that drops a value that was
 * just inserted, instead.  It does not say that it compares values; with NAMED it says that it does not. */
#include <linchpin.h>

#ifdef NAMED
LP_SPEC("queue")
#endif

static struct lp_partial lock;
static long item[32];
static int count;

LP_METHOD(enqueue, v)
{
	lp_partial_lock(&lock);
#ifdef REPEATED
	count -= count && item[count - 1] == v;
#endif
	item[count++] = v;
	lp_partial_unlock(&lock);
	return LP_VOID;
}

LP_METHOD(dequeue)
{
	int64_t v = LP_EMPTY;
	int first = 0;

	lp_partial_lock(&lock);
#ifndef REPEATED
	if (count == 3)
		for (int i = 1; i < count; i++)
			first = item[i] < item[first] ? i : first;
#endif
	if (count) {
		v = item[first];
		count--;
		for (int i = first; i < count; i++)
			item[i] = item[i + 1];
	}
	lp_partial_unlock(&lock);
	return v;
}
