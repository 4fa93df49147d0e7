/* expect sc,rc11: violation uninitialised at BUG
 */
#include <stdlib.h>

static volatile int sink;

int main(void)
{
	struct {
		int set, unset;
	} *p = malloc(sizeof *p);

	p->set = 1;
	sink = p->set;
	sink = p->unset; /* BUG */
	free(p);
	return 0;
}
