/* Two readers that want to become writers without letting go.
 * expect sc,rc11: violation deadlock|mutex misuse
 */
#include "../parallel.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void upgrade(void)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_wrlock(&lock);
	pthread_rwlock_unlock(&lock);
}

int main(void)
{
	parallel(upgrade, upgrade);
	return 0;
}
