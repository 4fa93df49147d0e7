/* Constants are read from memory that is read-only, for linchpin as well.
 * expect sc,tso --races ignore: verified
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int x;

static void *body(void *unused)
{
	char word[8];

	strcpy(word, "abc");
	assert(strlen(word) == 3);
	x = 1;
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, body, NULL);
	x = 2;
	pthread_join(t, NULL);
	return 0;
}
