/* No race, but the sum is computed outside of the lock.
 * expect sc,tso,rc11: violation assertion at BUG
 */
#include "../parallel.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static int get(void)
{
	pthread_mutex_lock(&lock);
	int now = balance;
	pthread_mutex_unlock(&lock);
	return now;
}

static void put(int amount)
{
	pthread_mutex_lock(&lock);
	balance = amount;
	pthread_mutex_unlock(&lock);
}

static void deposit(void)
{
	put(get() + 10);
}

int main(void)
{
	parallel(deposit, deposit);
	assert(balance == 20); /* BUG */
	return 0;
}
