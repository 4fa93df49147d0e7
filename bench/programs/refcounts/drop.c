/* drop.c -- N owners read an object and drop it; the last one frees it. */
#include <stdlib.h>

#include "../bench.h"

#ifndef N
#define N 3
#endif

struct object {
	atomic_int owners;
	int value;
};

static struct object *object;

static void *owner(void *unused)
{
	(void)unused;
	assert(object->value == 1);
	if (fetch_sub(&object->owners, 1, release) == 1) {
		fence(acquire);
		free(object);
	}
	return NULL;
}

int main(void)
{
	object = malloc(sizeof *object);
	atomic_init(&object->owners, N);
	object->value = 1;
	run(N, owner);
	return 0;
}
