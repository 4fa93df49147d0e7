/* To wait for files is not modelled; to wait without any is to sleep (ok/yield_and_sleep.c).
 * expect sc,rc11: inconclusive, says "poll()"
 * expect rc11 -- -DSELECT: inconclusive, says "select()"
 */
#include <poll.h>
#include <sys/select.h>

#include "../parallel.h"

int main(void)
{
#ifdef SELECT
	fd_set files;
	struct timeval time = { 0 };

	FD_ZERO(&files);
	FD_SET(0, &files);
	assert(select(1, &files, NULL, NULL, &time) >= 0);
#else
	struct pollfd file = { .fd = 0, .events = POLLIN };

	assert(poll(&file, 1, 0) >= 0);
#endif
	return 0;
}
