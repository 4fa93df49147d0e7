/* youngest.c -- a queue of items with scores, which removes the least item instead of the item of the least score.  That shows
 * where a smaller item has the greater score: insert(2, 1) and insert(1, 2). */
#include <linchpin.h>
#include <pthread.h>

enum { ROOM = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct { int64_t score, item; } queue[ROOM];
static int count;

LP_SPEC("scored_queue")

LP_METHOD(insert, score, item)
{
	pthread_mutex_lock(&mutex);
	queue[count].score = score;
	queue[count++].item = item;
	pthread_mutex_unlock(&mutex);
	return LP_VOID;
}

LP_METHOD(remove)
{
	int64_t item = LP_EMPTY;
	int best = 0;

	pthread_mutex_lock(&mutex);
	for (int i = 1; i < count; i++)
#ifdef SCORES
		if (queue[i].score < queue[best].score)
#else
		if (queue[i].item < queue[best].item)
#endif
			best = i;
	if (count) {
		item = queue[best].item;
		queue[best] = queue[--count];
	}
	pthread_mutex_unlock(&mutex);
	return item;
}
