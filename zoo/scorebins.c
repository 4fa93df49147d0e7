/* scorebins.c -- items with scores, in a bin for each score; any item of the least score may be removed.
 *
 * As the array of bins in M. Herlihy and N. Shavit, "The Art of Multiprocessor Programming", section 15.3.  A removal looks
 * into one bin after the other, and an item may come into a bin that it has passed: it is not linearizable.
 *
 *     -DLOCKED      one lock for all bins: right
 *     -DBACKWARDS   the same, but bins are searched from the wrong end
 */
#include <pthread.h>
#include <stdbool.h>

enum { SCORES = 8, ROOM = 4 };

struct bin {
	pthread_mutex_t lock;
	int item[ROOM];
	int count;
};

static struct bin bin[SCORES];
static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;

static void put(int score, int item)
{
	struct bin *b = &bin[score];

	pthread_mutex_lock(&b->lock);
	b->item[b->count++] = item;
	pthread_mutex_unlock(&b->lock);
}

static bool get(struct bin *b, int *item)
{
	pthread_mutex_lock(&b->lock);
	const bool found = b->count > 0;
	if (found)
		*item = b->item[--b->count];
	pthread_mutex_unlock(&b->lock);
	return found;
}

static bool get_least(int *item)
{
	for (int i = 0; i < SCORES; i++)
#ifdef BACKWARDS
		if (get(&bin[SCORES - 1 - i], item))
#else
		if (get(&bin[i], item))
#endif
			return true;
	return false;
}

#include <linchpin.h>

#if defined LOCKED || defined BACKWARDS
#define BEGIN pthread_mutex_lock(&all)
#define END pthread_mutex_unlock(&all)
#else
#define BEGIN (void)all
#define END (void)all
#endif

LP_SETUP
{
	for (int i = 0; i < SCORES; i++)
		pthread_mutex_init(&bin[i].lock, NULL);
}
LP_SPEC("scored_queue")
LP_METHOD(insert, score, item)
{
	BEGIN;
	put((int)(score & (SCORES - 1)), (int)item);
	END;
	return LP_VOID;
}
LP_METHOD(remove)
{
	int item;

	BEGIN;
	const bool found = get_least(&item);
	END;
	return found ? item : LP_EMPTY;
}
