/* main() returns while another thread waits, or spins, and will do so forever: no error, but a
 * warning that says where.
 * expect sc,rc11: verified, says "a thread still waits or spins at left_waiting.c:24"
 * expect sc,rc11 -j 2: verified, says "a thread still waits or spins at left_waiting.c:24"
 * expect sc,rc11 -- -DSPIN: verified, says "a thread still waits or spins at left_waiting.c:20"
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static atomic_int never;

static void *work(void *unused)
{
#ifdef SPIN
	(void)change;
	(void)lock;
	while (!never)
		;
#else
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&change, &lock);
	pthread_mutex_unlock(&lock);
#endif
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	return never;
}
