/* Two threads that let each other go first.
 * expect sc,rc11: violation liveness
 */
#include "../parallel.h"

static atomic_int left_done, right_done;

static void left(void)
{
	while (!load(&right_done, acquire))
		;
	store(&left_done, 1, release);
}

static void right(void)
{
	while (!load(&left_done, acquire))
		;
	store(&right_done, 1, release);
}

int main(void)
{
	parallel(left, right);
	return 0;
}
