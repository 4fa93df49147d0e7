/* A buffer of one place between two producers and a consumer.
 * expect sc,rc11: verified
 */
#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int place, sum;

static void put(int value)
{
	pthread_mutex_lock(&lock);
	while (place)
		pthread_cond_wait(&changed, &lock);
	place = value;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void put_1(void)
{
	put(1);
}

static void put_2(void)
{
	put(2);
}

static void take_both(void)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		while (!place)
			pthread_cond_wait(&changed, &lock);
		sum += place;
		place = 0;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
}

int main(void)
{
	parallel(put_1, put_2, take_both);
	assert(sum == 3);
	return 0;
}
