/* Printing, formatting and the like have no effect on the exploration.
 * expect sc,rc11: verified, executions 1
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
	char text[32];

	assert(argc == 1 && argv[0] != NULL && argv[1] == NULL);
	printf("%s %d\n", "printed", 1);
	fprintf(stderr, "%c\n", 'x');
	puts("put");
	putchar('\n');
	fflush(stdout);
	assert(snprintf(text, sizeof text, "%d-%s", 42, "x") == 4 && !strcmp(text, "42-x"));
	assert(atoi("17") == 17 && abs(-3) == 3);
	return 0;
}
