/* A synchronisation object is used after it was destroyed, and the two are ordered.  If it is initialised again in between,
 * this is correct.
 * expect sc,tso,ra,rc11 -- -DMUTEX: violation mutex misuse at BUG
 * expect sc,tso,ra,rc11 -- -DSPIN: violation mutex misuse at BUG
 * expect sc,tso,ra,rc11 -- -DRWLOCK: violation mutex misuse at BUG
 * expect sc,tso,ra,rc11 -- -DCOND: violation mutex misuse at BUG
 * expect sc,tso,ra,rc11 -- -DSEMAPHORE: violation mutex misuse at BUG
 * expect sc,tso,ra,rc11 -- -DBARRIER: violation mutex misuse at BUG
 * expect rc11 -- -DMUTEX -DAGAIN: verified
 * expect rc11 -- -DSPIN -DAGAIN: verified
 * expect rc11 -- -DRWLOCK -DAGAIN: verified
 * expect rc11 -- -DCOND -DAGAIN: verified
 * expect rc11 -- -DSEMAPHORE -DAGAIN: verified
 * expect rc11 -- -DBARRIER -DAGAIN: verified
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#if defined MUTEX
#define OBJECT pthread_mutex_t
#define INIT(o) pthread_mutex_init(o, NULL)
#define DESTROY pthread_mutex_destroy
#define USE(o) (pthread_mutex_lock(o), pthread_mutex_unlock(o))
#elif defined SPIN
#define OBJECT pthread_spinlock_t
#define INIT(o) pthread_spin_init(o, 0)
#define DESTROY pthread_spin_destroy
#define USE(o) (pthread_spin_lock(o), pthread_spin_unlock(o))
#elif defined RWLOCK
#define OBJECT pthread_rwlock_t
#define INIT(o) pthread_rwlock_init(o, NULL)
#define DESTROY pthread_rwlock_destroy
#define USE(o) (pthread_rwlock_rdlock(o), pthread_rwlock_unlock(o))
#elif defined COND
#define OBJECT pthread_cond_t
#define INIT(o) pthread_cond_init(o, NULL)
#define DESTROY pthread_cond_destroy
#define USE pthread_cond_signal
#elif defined SEMAPHORE
#define OBJECT sem_t
#define INIT(o) sem_init(o, 0, 0)
#define DESTROY sem_destroy
#define USE sem_post
#else
#define OBJECT pthread_barrier_t
#define INIT(o) pthread_barrier_init(o, NULL, 1)
#define DESTROY pthread_barrier_destroy
#define USE pthread_barrier_wait
#endif

static OBJECT object;
static atomic_int ready;

static void *run(void *arg)
{
	(void)arg;
	if (atomic_load(&ready))
		USE(&object); /* BUG */
	return NULL;
}

int main(void)
{
	pthread_t thread;

	INIT(&object);
	pthread_create(&thread, NULL, run, NULL);
	USE(&object);
	DESTROY(&object);
#if defined AGAIN
	INIT(&object);
#endif
	atomic_store(&ready, 1);
	pthread_join(thread, NULL);
	return 0;
}
