/* Numbers that make no difference: not used, a seed, a time to sleep.
 * expect rc11: verified, executions 1
 * expect rc11 --nondet 0..3: verified, executions 1
 * expect rc11 -- -O0: verified, executions 1
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	srand((unsigned)time(NULL));
	rand();
	usleep((unsigned)rand() % 100);
	sleep((unsigned)random() % 3 + 1);
	return 0;
}
