/* Two consumers, one item: the consumer that is woken need not be the one that finds the item.
 * expect sc,rc11: violation assertion at BUG
 */
#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void producer(void)
{
	pthread_mutex_lock(&lock);
	items++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void consumer(void)
{
	pthread_mutex_lock(&lock);
	if (items == 0)
		pthread_cond_wait(&changed, &lock);
	assert(items > 0); /* BUG */
	items--;
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	parallel(consumer, consumer, producer, producer);
	return 0;
}
