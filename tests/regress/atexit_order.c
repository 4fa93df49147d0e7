/* In which order unordered threads register functions for the end is not determined.
 *
 * expect sc,rc11: violation assertion
 */
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
int x;
void f1(void)
{
	x = 1;
}
void f2(void)
{
	assert(x == 0);
}
void *t1(void *a)
{
	atexit(f1);
	return 0;
}
void *t2(void *a)
{
	atexit(f2);
	return 0;
}
int main()
{
	pthread_t a, b;
	pthread_create(&a, 0, t1, 0);
	pthread_create(&b, 0, t2, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
