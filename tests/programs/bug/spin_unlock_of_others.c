/* Who does not hold a spin lock gives it back.
 * expect sc,rc11: violation mutex misuse at BUG
 */
#include "../parallel.h"

static pthread_spinlock_t lock;

static void take(void)
{
	pthread_spin_lock(&lock);
}

static void give_back(void)
{
	pthread_spin_unlock(&lock); /* BUG */
}

int main(void)
{
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	parallel(take, give_back);
	return 0;
}
