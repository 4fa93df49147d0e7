/* Three threads under a lock, in any order.
 * expect sc,rc11: violation assertion at BUG
 */
#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void add_one(void)
{
	pthread_mutex_lock(&lock);
	data++;
	pthread_mutex_unlock(&lock);
}

static void add_two(void)
{
	pthread_mutex_lock(&lock);
	data += 2;
	pthread_mutex_unlock(&lock);
}

static void look(void)
{
	pthread_mutex_lock(&lock);
	assert(data < 3); /* BUG */
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	parallel(add_one, add_two, look);
	return 0;
}
