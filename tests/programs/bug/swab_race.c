/* swab() reads what another thread writes.
 * expect sc,rc11: violation race
 */
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <unistd.h>

static char word[2], swapped[2];

static void *writes(void *unused)
{
	word[0] = 1;
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, writes, NULL);
	swab(word, swapped, 2);
	pthread_join(t, NULL);
	return 0;
}
