/* An atomic section that ends without having begun: the next one was not atomic, since the depth had become negative.
 * expect sc -- -DALONE: violation mutex misuse at BUG
 * expect sc: verified
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x;

static void *add(void *unused)
{
	__VERIFIER_atomic_begin();
	__VERIFIER_atomic_begin(); /* sections may be nested */
	const int old = x;
	__VERIFIER_atomic_end();
	x = old + 1;
	__VERIFIER_atomic_end();
#ifdef ALONE
	__VERIFIER_atomic_end(); /* BUG */
#endif
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, add, NULL);
	pthread_create(&b, NULL, add, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(x == 2);
	return 0;
}
