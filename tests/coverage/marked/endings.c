/* options: run
 * Threads that end in the middle of a function, and longjmp() out of one; what is behind is not reached. */
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static atomic_int n;
static _Thread_local jmp_buf place;

static void jump(int on)
{
	if (on)                        /* @+ never +2 */
		longjmp(place, 1);         /* @+ */
	atomic_store(&n, 9);           /* @- */
}

static void end(void)
{
	atomic_fetch_add(&n, 1);       /* @+ */
	pthread_exit(NULL);            /* @+ */
}

static void *thread(void *unused)
{
	if (!setjmp(place)) {          /* @+ */
		jump(1);                   /* @+ */
		atomic_store(&n, 8);       /* @- */
	} else {
		atomic_fetch_add(&n, 2);   /* @+ */
	}
	end();                         /* @+ */
	atomic_store(&n, 7);           /* @- */
	return unused;                 /* @- */
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, NULL, thread, NULL);  /* @+ */
	pthread_create(&u, NULL, thread, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return atomic_load(&n) == 6 ? 0 : 1;     /* @+ */
}
