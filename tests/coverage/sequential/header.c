/* header.c -- functions of a header, and lines of an included piece. */
#include "inlined.h"

static int total;

static int pick(int n)
{
	switch (n) {
#include "cases.inc"
	}
	return -1;
}

__attribute__((constructor)) static void first(void)
{
	total = 1;
}

__attribute__((destructor)) static void last(void)
{
	total = 0;
}

int main(void)
{
	total += smaller(1, 2);
	total += smaller(4, 3);
	total += larger(1, 2);
	total += pick(2);
	return total == 1 + 1 + 3 + 2 + 20 ? 0 : 1;
}
