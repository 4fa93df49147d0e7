/* expect sc,rc11: violation assertion at BUG
 */
#include <stdlib.h>

int main(void)
{
	abort(); /* BUG */
}
